"""How results are shown: tables and bars for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.progress import Progress
from rich.table import Table
from rich.text import Text

from confide.crowd import Estimate
from confide.files import to_json_value

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

_BAR = 10


def print_json(value: Any) -> None:
    """Print a value as JSON: what is not known is null, what is infinite is "infinite"."""
    typer.echo(as_json(value))


def as_json(value: Any) -> str:
    """A value as the JSON that is printed."""
    return json.dumps(to_json_value(value), indent=2, ensure_ascii=False, allow_nan=False)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[Any]], title: str = "") -> None:
    """Print a table; columns whose name starts with “>” are aligned to the right."""
    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    for column in columns:
        right = column.startswith(">")
        table.add_column(Text(column.removeprefix(">")), justify="right" if right else "left")
    for row in rows:
        table.add_row(*(Text(str(cell)) for cell in row))
    Console().print(table)


def print_text(text: str) -> None:
    """Print a paragraph, wrapped to the terminal."""
    Console().print(text, highlight=False, markup=False)


@contextmanager
def show_spinner(what: str) -> Iterator[None]:
    """Show on a terminal that something is under way."""
    with Console(stderr=True).status(f"{what} …"):
        yield


def show_progress() -> Progress:
    """A bar on a terminal that goes when the work is done."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def bar(share: float) -> str:
    """A share as a bar.

    >>> bar(0.5)
    '█████     '
    """
    filled = round(_BAR * min(max(share, 0.0), 1.0))
    return "█" * filled + " " * (_BAR - filled)


def margin(estimate: Estimate) -> str:
    """Half the width of the 95 % interval."""
    low, high = estimate.interval()
    return "" if isnan(high) else f"± {(high - low) / 2:.3f}"


def value(estimate: Estimate) -> str:
    """The estimate itself; a dash where there is none, such as a ratio to nobody."""
    return "–" if isnan(estimate.value) else f"{estimate.value:.3f}"


def estimate_to_dict(estimate: Estimate) -> dict[str, Any]:
    """An estimate as plain values."""
    low, high = estimate.interval()
    return {
        "share": estimate.value,
        "standard_error": estimate.standard_error,
        "low": low,
        "high": high,
        "possible": estimate.possible,
    }
