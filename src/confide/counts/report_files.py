"""Files of reports as relations that DuckDB counts."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from confide.counts.counts import check_fingerprint
from confide.counts.file_engine import Engine, describe_limit, open_engine
from confide.counts.file_formats import READABLE, FileFormat
from confide.counts.headings import export_heading, find_columns
from confide.counts.spreadsheet_formulas import escape_formulas
from confide.design.design import Design
from confide.design.questions import Finite, Question
from confide.errors import ReportsError

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation as Relation


@contextmanager
def open_relation(design: Design, path: Path, texts: Collection[str] = ()) -> Iterator[Relation]:
    """Open a relation over a file, or over a folder or pattern of Parquet files.

    CSV has no types: its columns are texts, and numbers where a question is one that is not among
    ``texts``.
    """
    import duckdb

    files = [path] if path.is_file() else list_parquet_files(path)
    kind = require_format(files[0])
    try:
        with open_engine() as engine:
            if kind.kind == "CSV":
                yield _read_csv(design, engine, path, kind, texts)
            elif kind.kind == "JSON":
                yield _read_json(design, engine, path, kind)
            elif kind.kind == "Arrow":
                yield _read_arrow(design, engine, path)
            else:
                yield _read_parquet(design, engine, files)
    except duckdb.OutOfMemoryException:
        raise ReportsError(
            f"reading {path.name} takes more memory than it may, {describe_limit()}: ask about "
            "fewer questions at a time, or allow more (confide --memory-limit)."
        ) from None
    except (duckdb.Error, pa.ArrowException, OSError, UnicodeDecodeError, EOFError):
        said = "CSV in UTF-8" if kind.kind == "CSV" else kind.kind
        name = _find_damaged(files) or path.name
        raise ReportsError(
            f"cannot read {name} as {said}: it is damaged, incomplete or of another kind."
        ) from None


def require_format(path: Path) -> FileFormat:
    """The format that a file's name says; a name that says none is refused."""
    found = FileFormat.of(path)
    if found is None:
        raise ReportsError(f"cannot tell what {path.name} is: its name must end in {READABLE}.")
    return found


def list_parquet_files(path: Path) -> list[Path]:
    """List the Parquet files of a folder or a pattern; one that is not Parquet is refused."""
    files = sorted(path.glob("*.parquet") if path.is_dir() else path.parent.glob(path.name))
    if not files:
        what = "Parquet file in the folder" if path.is_dir() else "file"
        raise ReportsError(f"there is no {what} {path.name}.")
    if any(require_format(file).kind != "Parquet" for file in files):
        raise ReportsError(f"{path.name} names files that are not Parquet. Give those one by one.")
    return files


def _read_parquet(design: Design, engine: Engine, files: Sequence[Path]) -> Relation:
    first = None
    for file in files:
        schema = pq.read_schema(file)
        check_fingerprint(design, schema.metadata, file.name)
        types = [_name_type(schema, name) for name in find_columns(design, schema.names, file.name)]
        first = first or (file.name, types)
        _check_types(design, file.name, types, *first)
    return engine.read_parquet([str(file) for file in files])


def _name_type(schema: pa.Schema, column: str) -> str:
    """Name the type of a column: numbers of all widths are alike, and so are texts."""
    kind = schema.field(column).type
    kind = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "numbers"
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return "texts" if any(is_text(kind) for is_text in texts) else str(kind)


def _check_types(
    design: Design, file: str, types: list[str], first: str, expected: list[str]
) -> None:
    """Refuse a file in which a column has another type than in the first file."""
    for name, found, wanted in zip(design.names, types, expected, strict=True):
        if found != wanted and "null" not in (found, wanted):
            raise ReportsError(
                f"{file} holds {name!r} as {found}, but {first} as {wanted}: write both alike, or "
                "count them apart and add the counts."
            )


def _find_damaged(files: Sequence[Path]) -> str | None:
    """Find the file, among several, that cannot be read to its end."""
    for file in files if len(files) > 1 else []:
        try:
            for _ in pq.ParquetFile(file).iter_batches():
                pass
        except (pa.ArrowException, OSError):
            return file.name
    return None


def _read_arrow(design: Design, engine: Engine, path: Path) -> Relation:
    import pyarrow.dataset

    table = pyarrow.dataset.dataset(path, format="ipc")
    check_fingerprint(design, table.schema.metadata, path.name)
    find_columns(design, table.schema.names, path.name)
    return engine.from_arrow(table)


def _read_json(design: Design, engine: Engine, path: Path, kind: FileFormat) -> Relation:
    """A relation in the types of the values; what is neither number nor truth value is a text."""
    read = {"compression": kind.compression}
    found = engine.read_json(str(path), sample_size=-1, **read)
    find_columns(design, found.columns, path.name)
    types = {
        name: str(sql) if str(sql) in ("BIGINT", "UBIGINT", "DOUBLE", "BOOLEAN") else "VARCHAR"
        for name, sql in zip(found.columns, found.types, strict=True)
    }
    return engine.read_json(str(path), columns=types, **read)


def _read_csv(
    design: Design, engine: Engine, path: Path, kind: FileFormat, texts: Collection[str]
) -> Relation:
    """A relation of texts, and of numbers where a question is one.

    Nothing is left to DuckDB's guesses: from the first rows it would infer quotes and comments.
    """
    delimiter, held = _read_heading(design, path, kind)
    options = {label for q in design.questions if isinstance(q, Finite) for label in q.labels}
    empty = ["", *({"NA"} - options)]  # which R writes for what is missing
    relation = engine.read_csv(
        str(path),
        all_varchar=True,
        header=True,
        delimiter=delimiter,
        quotechar='"',
        escapechar='"',
        comment="",
        skiprows=0,
        na_values=empty,
        compression=kind.compression,
    )
    readings = ", ".join(
        f"{_column_sql(question, _quote_name(column))} AS {_quote_name(column)}"
        for question, column in zip(design.questions, held, strict=True)
        if question.name not in texts
    )
    return relation.project(f"* REPLACE ({readings})") if readings else relation


def _column_sql(question: Question, column: str) -> str:
    """SQL that reads a column of texts as numbers, or as the options they stand for."""
    return _option_sql(question, column) if isinstance(question, Finite) else _number_sql(column)


def _number_sql(column: str) -> str:
    """SQL for a column of numbers that CSV holds as texts.

    Digits that are no number, such as those of 42,5, are not missing: they are out of every range.
    """
    number = f"TRY_CAST(trim({column}) AS DOUBLE)"
    wrong = f"{number} IS NULL AND regexp_matches({column}, '[0-9]')"
    return f"CASE WHEN {wrong} THEN 'infinity'::DOUBLE ELSE {number} END"


def _option_sql(question: Finite, column: str) -> str:
    """SQL for a column of options, of which CSV holds some with an apostrophe before them."""
    held = [(safe, text) for text, safe in escape_formulas(question.labels).items() if safe != text]
    cases = "".join(f" WHEN {_quote_text(safe)} THEN {_quote_text(text)}" for safe, text in held)
    return f"CASE {column}{cases} ELSE {column} END" if held else column


def _quote_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _quote_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _read_heading(design: Design, path: Path, kind: FileFormat) -> tuple[str, list[str]]:
    """Find the delimiter with which the first line names the questions, and each one's column."""
    with (gzip.open if kind.zipped else open)(path, "rt", encoding="utf-8-sig", newline="") as text:
        first = text.readline()
    headers = {mark: next(csv.reader([first], delimiter=mark), []) for mark in ",;\t"}
    known = {*design.names, *(export_heading(design, name) for name in design.names)}
    mark = max(headers, key=lambda mark: len(set(headers[mark]) & known))
    columns = find_columns(design, headers[mark], path.name)
    if twice := [column for column in columns if headers[mark].count(column) > 1]:
        raise ReportsError(f"{path.name} has two columns {twice[0]!r}.")
    return mark, columns
