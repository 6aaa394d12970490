"""confide disguise"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import typer

from confide.cli.showing import print_text, showing_progress
from confide.counts.counts import FINGERPRINT
from confide.design import Design, Finite
from confide.design.writing import written_safely
from confide.errors import AnswersError
from confide.mechanisms import Randomness


def disguise(
    survey: Annotated[Path, typer.Argument(help="The survey file.")],
    answers: Annotated[Path, typer.Argument(help="The answers: .csv or .parquet.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The reports to write.")],
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
    from confide.disguise import disguise as disguised  # a tenth of a second for other commands

    design, randomness, rows = Design.load(survey), Randomness(seed), 0
    for path in (answers, output):
        if path.suffix.lower() not in (".csv", ".parquet"):
            raise AnswersError(f"{path.name} must end in .csv or .parquet.")
    with (
        showing_progress() as progress,
        written_safely(output) as temporary,
        _writing(temporary, design) as write,
    ):
        task = progress.add_task("Disguising", total=None)
        for batch, total in _batches(answers, design):
            write(disguised(design, pa.table(batch), randomness))
            rows += len(batch)
            progress.update(task, completed=rows, total=total)
        if rows == 0:
            raise AnswersError(f"{answers.name} has no answers.")
    print_text(f"Disguised the answers of {rows:,} people into {output}.")


def _batches(path: Path, design: Design) -> Iterator[tuple[pa.RecordBatch, int | None]]:
    """The answers batch by batch, and how many there are if that is known."""
    with _complaining(path.name):
        batches, total = _reading(path, design)
        for batch in batches:
            yield batch, total


def _reading(path: Path, design: Design) -> tuple[Iterator[pa.RecordBatch], int | None]:
    if path.suffix.lower() == ".parquet":
        file = pyarrow.parquet.ParquetFile(path)
        _check_columns(path, design, file.schema_arrow.names)
        return file.iter_batches(columns=list(design.names)), file.metadata.num_rows
    # Words stay words: "no" and "1" are read by the questions, not guessed by the reader.
    kinds = {
        q.name: pa.string() if isinstance(q, Finite) else pa.float64() for q in design.questions
    }
    with path.open(encoding="utf-8-sig", newline="") as text:
        for header in islice(csv.reader(text), 1):
            _check_columns(path, design, header)
    # Only an empty cell is missing: NA may be an option. Other columns are not even read.
    convert = pyarrow.csv.ConvertOptions(
        column_types=kinds,
        strings_can_be_null=True,
        null_values=[""],
        include_columns=list(design.names),
    )
    return iter(pyarrow.csv.open_csv(path, convert_options=convert)), None


def _check_columns(path: Path, design: Design, held: list[str]) -> None:
    if absent := [name for name in design.names if name not in held]:
        raise AnswersError(f"{path.name} has no column {', '.join(map(repr, absent))}.")


@contextmanager
def _complaining(name: str) -> Iterator[None]:
    """Turn what the readers say into one line that shows no value."""
    try:
        yield
    except FileNotFoundError:
        raise AnswersError(f"there is no file {name}.") from None
    except (pa.ArrowInvalid, UnicodeDecodeError, OSError):
        kind = name.rsplit(".", 1)[-1]
        raise AnswersError(
            f"cannot read {name}: it is damaged, no {kind} file in UTF-8, or holds words where the "
            "survey asks for a number."
        ) from None


@contextmanager
def _writing(path: Path, design: Design) -> Iterator[Callable[[pa.Table], None]]:
    """A function that appends reports to a file; Parquet carries the design's fingerprint."""
    writer: Any = None
    metadata = {FINGERPRINT: design.fingerprint.encode()}
    make = pyarrow.csv.CSVWriter if path.suffix.lower() == ".csv" else pyarrow.parquet.ParquetWriter

    def write(reports: pa.Table) -> None:
        nonlocal writer
        table = reports.replace_schema_metadata(metadata)
        writer = writer or make(path, table.schema)
        writer.write_table(table)

    try:
        yield write
    finally:
        if writer is not None:
            writer.close()
