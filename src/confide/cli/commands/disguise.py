"""The command `confide disguise`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import pyarrow as pa
import typer

from confide.cli.options import SurveyArgument
from confide.cli.output import print_text, show_progress
from confide.counts.counts import FINGERPRINT
from confide.counts.file_formats import READABLE, WRITABLE, FileFormat
from confide.counts.headings import check_columns
from confide.counts.report_files import list_parquet_files, open_relation, require_format
from confide.design import Design, Number
from confide.errors import AnswersError, ReportsError
from confide.files import write_atomically
from confide.mechanisms import Randomness

if TYPE_CHECKING:
    from duckdb import DuckDBPyRelation
    from pyarrow.csv import CSVWriter
    from pyarrow.parquet import ParquetWriter

    Writer: TypeAlias = CSVWriter | ParquetWriter | pa.RecordBatchFileWriter


class DisguisedAnswersError(AnswersError):
    """A file of reports was given as one of answers."""


def disguise(
    survey: SurveyArgument,
    answers: Annotated[
        Path, typer.Argument(help=f"The answers: {READABLE}; or a folder of .parquet.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help=f"The reports to write: {WRITABLE}.")
    ],
    keep: Annotated[
        list[str] | None,
        typer.Option(
            help="A column that is no question and stays in the reports, undisguised. Repeatable."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0, help="For simulations only: who knows the seed can undo every disguise."
        ),
    ] = None,
) -> None:
    """Disguise a table of answers by chance.

    Example: `confide disguise survey.toml answers.csv -o reports.parquet`
    """
    from confide.design.disguise import describe_dropped_columns, select_kept_columns
    from confide.design.disguise import (
        disguise as disguised,  # a tenth of a second for other commands
    )

    design, randomness, rows = Design.load(survey), Randomness(seed), 0
    written = FileFormat.of(output)
    if written is None or written.kind == "JSON":
        raise AnswersError(f"{output.name} must end in {WRITABLE}.")
    if output.exists() and answers.exists() and output.samefile(answers):
        raise AnswersError(
            f"{output.name} holds the answers, which would be lost. Give --output another name."
        )
    with (
        _open_answers(answers, design) as (held, read),
        show_progress() as progress,
        write_atomically(output) as temporary,
        _open_output(temporary, written, design) as write,
    ):
        stay = select_kept_columns(design, held, keep or [])
        task = progress.add_task("Disguising", total=None)
        for batch in read([name for name in (*design.names, *stay) if name in held]):
            write(disguised(design, pa.table(batch), randomness, stay))
            rows += len(batch)
            progress.update(task, completed=rows)
        if rows == 0:
            raise AnswersError(f"{answers.name} has no answers.")
    if left := [name for name in held if name not in (*design.names, *stay)]:
        typer.echo(describe_dropped_columns(left, "--keep"), err=True)
    print_text(f"Disguised the answers of {rows:,} people into {output}.")


def read_answers(path: Path, design: Design) -> pa.Table:
    """Read a whole file of answers, the columns of the questions only."""
    with _open_answers(path, design) as (held, read):
        batches = read([name for name in design.names if name in held])
        return pa.Table.from_batches(list(batches))


_ROWS = 1 << 16
Read = Callable[[Sequence[str]], Iterator[pa.RecordBatch]]


@contextmanager
def _open_answers(path: Path, design: Design) -> Iterator[tuple[list[str], Read]]:
    """Open answers: the columns' names, and a function that reads some of them in batches."""
    if not path.exists():
        raise AnswersError(f"there is no file {path.name}.")
    try:
        if path.is_dir() or require_format(path).kind in ("Parquet", "Arrow"):
            yield _open_typed(path, design)
            return
        with open_relation(_leave_out_tellers(design), path, design.declines) as relation:
            check_columns(design, relation.columns, path.name)
            yield relation.columns, lambda names: _read_rows(relation, names)
    except ReportsError as error:
        raise AnswersError(str(error)) from None
    except (pa.ArrowException, OSError):
        raise _damaged(path) from None


def _damaged(path: Path) -> AnswersError:
    return AnswersError(
        f"cannot read {path.name}: it is damaged or of another kind than its name says."
    )


def _leave_out_tellers(design: Design) -> Design:
    """The questions whose columns answers must have; a number that may be missing stays a text."""
    asked = [q for q in design.questions if q.name not in design.declines.values()]
    return Design([replace(q, missing=None) if isinstance(q, Number) else q for q in asked])


def _read_rows(relation: DuckDBPyRelation, names: Sequence[str]) -> Iterator[pa.RecordBatch]:
    import duckdb

    columns = [duckdb.ColumnExpression(name) for name in names]
    return iter(relation.select(*columns).to_arrow_reader(_ROWS))


def _open_typed(path: Path, design: Design) -> tuple[list[str], Read]:
    """Open a file that has types, or a folder of such, and keep them, categories among them."""
    import pyarrow.dataset

    files = list_parquet_files(path) if path.is_dir() else [path]
    kind = "parquet" if require_format(files[0]).kind == "Parquet" else "ipc"
    for file in files:
        try:
            schema = pyarrow.dataset.dataset(file, format=kind).schema
        except (pa.ArrowException, OSError):
            raise _damaged(file) from None
        if FINGERPRINT in (schema.metadata or {}):
            raise DisguisedAnswersError(
                f"{path.name} holds reports, which are disguised. Give answers."
            )
        check_columns(design, schema.names, file.name)
    table = pyarrow.dataset.dataset(files, format=kind)
    return table.schema.names, lambda names: table.to_batches(columns=list(names))


@contextmanager
def _open_output(
    path: Path, kind: FileFormat, design: Design
) -> Iterator[Callable[[pa.Table], None]]:
    """Open a file of reports: give a function that appends to it.

    All but CSV carries the design's fingerprint.
    """
    writer: Writer | None = None
    metadata = {FINGERPRINT: design.fingerprint.encode()}
    with ExitStack() as stack:
        sink = path
        if kind.zipped:
            sink = stack.enter_context(pa.CompressedOutputStream(str(path), "gzip"))

        def write(reports: pa.Table) -> None:
            nonlocal writer
            table = reports.replace_schema_metadata(metadata)
            if kind.kind == "Arrow":
                table = table.cast(_without_categories(table.schema))
            if writer is None:
                writer = stack.enter_context(_make_writer(sink, kind, table.schema))
            writer.write_table(table)

        yield write


def _without_categories(schema: pa.Schema) -> pa.Schema:
    """Replace categories by their values: an Arrow file has them once, but batches may differ."""
    kinds = [f.type.value_type if pa.types.is_dictionary(f.type) else f.type for f in schema]
    return pa.schema(list(zip(schema.names, kinds, strict=True)), schema.metadata)


def _make_writer(sink: Path | pa.NativeFile, kind: FileFormat, schema: pa.Schema) -> Writer:
    import pyarrow.csv
    import pyarrow.parquet

    if kind.kind == "Parquet":
        return pyarrow.parquet.ParquetWriter(sink, schema)
    if kind.kind == "Arrow":
        return pa.ipc.new_file(sink, schema)
    options = pyarrow.csv.WriteOptions(delimiter="\t" if kind.tabs else ",")
    return pyarrow.csv.CSVWriter(sink, schema, write_options=options)
