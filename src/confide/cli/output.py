"""How results are shown: tables and bars for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from pathlib import Path
from textwrap import wrap
from typing import Literal

import pyarrow as pa
import typer
from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from confide.crowd import Estimate
from confide.errors import QueryError
from confide.files import to_json_value, write_atomically

_BAR = 10
_GAP = 3  # between two columns of a table


def print_json(value: object) -> None:
    """Print a value as JSON: what is not known is null, what is infinite is "infinite"."""
    typer.echo(to_json(value))


def to_json(value: object) -> str:
    """Write a value as the JSON that is printed."""
    return json.dumps(to_json_value(value), indent=2, ensure_ascii=False, allow_nan=False)


def write_result(
    result: object, table: Callable[[], pa.Table], output: Path | None, json: bool
) -> None:
    """Write what was found to a file, and print it, as far as asked.

    Parameters
    ----------
    result : object
        What JSON holds.
    table : callable
        Gives the rows that a table holds.
    output : Path, optional
        The file to write, in the format that its ending says.
    json : bool
        Whether JSON is printed.
    """
    if output:
        with write_atomically(output) as temporary:
            _FORMATS[check_ending(output).suffix.lower()](result, table, temporary)
    if json:
        print_json(result)


def check_ending(output: Path) -> Path:
    """Refuse a file for a result whose ending says none of the formats that it can have."""
    if output.suffix.lower() not in _FORMATS:
        raise QueryError(f"a result is written to {say_formats()}. Got {output.name!r}.")
    return output


def say_formats() -> str:
    """Name the endings of files that a result is written to."""
    *others, last = _FORMATS
    return f"{', '.join(others)} or {last}"


def _write_json(result: object, table: Callable[[], pa.Table], path: Path) -> None:  # noqa: ARG001
    path.write_text(to_json(result) + "\n", encoding="utf-8")


def _write_csv(result: object, table: Callable[[], pa.Table], path: Path) -> None:  # noqa: ARG001
    import pyarrow.csv

    pyarrow.csv.write_csv(table(), path)


def _write_parquet(result: object, table: Callable[[], pa.Table], path: Path) -> None:  # noqa: ARG001
    import pyarrow.parquet

    pyarrow.parquet.write_table(table(), path)


_FORMATS = {".csv": _write_csv, ".parquet": _write_parquet, ".json": _write_json}


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """Print a table; columns whose name starts with “>” are aligned to the right.

    Where the terminal is too narrow headings are wrapped first. A word that is wider than its
    column goes on in the next line: nothing is cut off.
    """
    console = Console()
    texts = [[str(cell) for cell in row] for row in rows]
    headings = [column.removeprefix(">") for column in columns]
    wide = [max(map(cell_len, cells)) for cells in zip(headings, *texts, strict=True)]
    if sum(wide) + _GAP * len(wide) > console.width:
        headings = [_wrap(*cells) for cells in zip(headings, *texts, strict=True)]
    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for column, heading in zip(columns, headings, strict=True):
        side: Literal["left", "right"] = "right" if column.startswith(">") else "left"
        table.add_column(Text(heading), justify=side, overflow="fold")
    for row in texts:
        table.add_row(*map(Text, row))
    console.print(table)


def _wrap(heading: str, *cells: str) -> str:
    """Wrap a heading to the width of its column's cells, or of its own longest word."""
    return "\n".join(wrap(heading, max(map(cell_len, (*heading.split(), *cells, " ")))))


def print_text(text: str) -> None:
    """Print a paragraph, wrapped to the terminal."""
    Console().print(text, highlight=False, markup=False)


@contextmanager
def show_spinner(what: str) -> Iterator[None]:
    """Show on a terminal that something is under way."""
    with Console(stderr=True).status(f"{what} …"):
        yield


def show_progress() -> Progress:
    """Make a progress bar for a terminal; it goes away when the work is done."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def show_work(what: str) -> Iterator[None]:
    """Show on a terminal how far the work within has come."""
    from confide.progress import on_progress

    with show_progress() as progress:
        task = progress.add_task(what, total=None)
        with on_progress(lambda share: progress.update(task, completed=share, total=1.0)):
            yield


def draw_bar(share: float) -> str:
    """Draw a share as a bar.

    >>> draw_bar(0.5)
    '█████     '
    """
    filled = round(_BAR * min(max(share, 0.0), 1.0))
    return "█" * filled + " " * (_BAR - filled)


def format_margin(estimate: Estimate) -> str:
    """Write the 95 % interval, by its ends where it is lopsided; nothing where it is not known."""
    return "" if isnan(estimate.interval()[1]) else estimate.format_margin()


def format_value(estimate: Estimate) -> str:
    """Write the estimated value; a dash where there is none, such as for a ratio to nobody."""
    return "–" if isnan(estimate.value) else estimate.format_value()


def share_to_dict(estimate: Estimate, level: float = 0.95) -> dict[str, float | None]:
    """Give an estimated share as plain values, under the keys that ``--json`` prints.

    The ends of its interval are empty where none is known to cover.
    """
    low, high = estimate.known_interval(level) or (None, None)
    return {
        "share": estimate.value,
        "standard_error": estimate.standard_error,
        "low": low,
        "high": high,
        "possible": estimate.possible,
    }
