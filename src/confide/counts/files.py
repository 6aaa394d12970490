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
from confide.design.design import Design
from confide.design.questions import Finite
from confide.errors import ReportsError


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


def check_columns(design: Design, held: Sequence[str], where: str) -> None:
    """Refuse reports without a column for every question."""
    if absent := [name for name in design.names if name not in held]:
        raise ReportsError(f"{where} has no column {', '.join(map(repr, absent))}.")


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
        check_columns(design, schema.names, file.name)
    return engine.read_parquet([str(file) for file in files])


def _csv(design: Design, engine: Any, path: Path) -> Any:
    """A relation of texts, and of numbers where a question is one.

    Nothing is left to DuckDB's guesses: from the first rows it would infer quotes and comments.
    """
    relation = engine.read_csv(
        str(path),
        all_varchar=True,
        header=True,
        delimiter=_delimiter(design, path),
        quotechar='"',
        escapechar='"',
        comment="",
        skiprows=0,
    )
    columns = []
    for question in design.questions:
        name = '"' + question.name.replace('"', '""') + '"'
        number = f"TRY_CAST(trim({name}) AS DOUBLE) AS {name}"
        columns.append(name if isinstance(question, Finite) else number)
    return relation.project(", ".join(columns))


def _delimiter(design: Design, path: Path) -> str:
    """The delimiter with which the first line names the questions."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        first = lines.readline()
    headers = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",;\t"}
    mark = max(headers, key=lambda mark: len(set(headers[mark]) & set(design.names)))
    check_columns(design, headers[mark], path.name)
    if twice := [name for name in design.names if headers[mark].count(name) > 1]:
        raise ReportsError(f"{path.name} has two columns {twice[0]!r}.")
    return mark
