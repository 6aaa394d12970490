"""Files of reports as relations that DuckDB counts."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from confide.counts.counts import check_fingerprint
from confide.counts.headings import columns_of, marked, safe_texts
from confide.design.design import Design
from confide.design.questions import Finite
from confide.errors import ReportsError

_QUOTE = '"'


@contextmanager
def opened(design: Design, path: Path) -> Iterator[Any]:
    """A relation over a CSV file, a Parquet file, or a folder or pattern of Parquet files."""
    import duckdb

    is_csv = path.suffix.lower() == ".csv"
    files = [path] if path.is_file() else _matching(path)
    try:
        with duckdb.connect() as engine:
            yield _csv(design, engine, path) if is_csv else _parquet(design, engine, files)
    except (duckdb.Error, pa.ArrowException, OSError, UnicodeDecodeError):
        kind = "CSV in UTF-8" if is_csv else "Parquet"
        raise ReportsError(
            f"cannot read {path.name} as {kind}: it is damaged, incomplete or of another kind."
        ) from None


def _matching(path: Path) -> list[Path]:
    files = sorted(path.glob("*.parquet") if path.is_dir() else path.parent.glob(path.name))
    if not files:
        what = "Parquet file in the folder" if path.is_dir() else "file"
        raise ReportsError(f"there is no {what} {path.name}.")
    return files


def _parquet(design: Design, engine: Any, files: Sequence[Path]) -> Any:
    for file in files:
        schema = pq.read_schema(file)
        check_fingerprint(design, schema.metadata, file.name)
        columns_of(design, schema.names, file.name)
    return engine.read_parquet([str(file) for file in files])


def _csv(design: Design, engine: Any, path: Path) -> Any:
    """A relation of texts, and of numbers where a question is one.

    Nothing is left to DuckDB's guesses: from the first rows it would infer quotes and comments.
    """
    delimiter, held = _heading(design, path)
    relation = engine.read_csv(
        str(path),
        all_varchar=True,
        header=True,
        delimiter=delimiter,
        quotechar='"',
        escapechar='"',
        comment="",
        skiprows=0,
    )
    columns = []
    for question, column in zip(design.questions, held, strict=True):
        text, name = (f'"{each.replace(_QUOTE, 2 * _QUOTE)}"' for each in (column, question.name))
        value = _text(question, text) if isinstance(question, Finite) else _number(text)
        columns.append(f"{value} AS {name}")
    return relation.project(", ".join(columns))


def _number(column: str) -> str:
    return f"TRY_CAST(trim({column}) AS DOUBLE)"


def _text(question: Finite, column: str) -> str:
    """An option; one that a spreadsheet would run is held with an apostrophe before it."""
    held = [(safe, text) for text, safe in safe_texts(question.labels).items() if safe != text]
    cases = "".join(f" WHEN {_literal(safe)} THEN {_literal(text)}" for safe, text in held)
    return f"CASE {column}{cases} ELSE {column} END" if held else column


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _heading(design: Design, path: Path) -> tuple[str, list[str]]:
    """The delimiter with which the first line names the questions, and each one's column."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        first = lines.readline()
    headers = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",;\t"}
    known = {*design.names, *(marked(design, name) for name in design.names)}
    mark = max(headers, key=lambda mark: len(set(headers[mark]) & known))
    columns = columns_of(design, headers[mark], path.name)
    if twice := [column for column in columns if headers[mark].count(column) > 1]:
        raise ReportsError(f"{path.name} has two columns {twice[0]!r}.")
    return mark, columns
