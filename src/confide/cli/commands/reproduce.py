"""The command `confide reproduce`."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confide.cli.output import print_table, print_text
from confide.errors import ConfideError

if TYPE_CHECKING:
    from confide.papers.cells import Cell
    from confide.papers.reproduction import Follow, Reproduction


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            help="du-zhan-2003, multi-group, four-group, surveys, agrawal-srikant-2000, or all."
        ),
    ],
    repeats: Annotated[
        int | None, typer.Option(min=1, help="Repeats of each setting; else as in the paper.")
    ] = None,
    data: Annotated[Path | None, typer.Option(help="The folder of the data sets.")] = None,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The folder to write to, with one per paper in it."),
    ] = Path("reproduced"),
    quick: Annotated[
        bool, typer.Option("--quick", help="A small version, in less than a minute per paper.")
    ] = False,
    cores: Annotated[
        int | None, typer.Option(min=1, help="Processes that share the work; else all cores.")
    ] = None,
    reading: Annotated[
        str,
        typer.Option(
            help="What is called yes: median, mid-range, median-category, commonest or complete."
        ),
    ] = "median",
) -> None:
    """Run a paper's experiments again: its table, its figures, its claims checked.

    What is finished is kept: stopped by Ctrl-C, the same command goes on where it was.

    Example: `confide reproduce agrawal-srikant-2000 --quick`
    """
    from confide.papers.catalogue import find_papers
    from confide.papers.readings import find_reading
    from confide.papers.reproduction import Options
    from confide.papers.reproduction import reproduce as run

    papers = find_papers(paper)
    find_reading(reading)
    options = Options(repeats, data, quick, cores or os.cpu_count() or 1, reading)
    try:
        for each in papers:
            with _show_cells(each.name) as follow:
                found = run(each, output / each.name, options, follow)
            _print_claims(found)
    except KeyboardInterrupt:
        raise ConfideError(
            f"stopped. What is finished is in {output}: the same command goes on from there."
        ) from None


@contextmanager
def _show_cells(name: str) -> Iterator[Follow]:
    """Show on a terminal how far the cells of a paper have come, and the time left."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task(name, total=None)

        def follow(cells: Sequence[Cell], finished: Sequence[Cell]) -> Callable[[Cell], None]:
            left = sum(each.cost for each in cells) - sum(each.cost for each in finished)
            counted = len(finished)
            progress.reset(task, total=left)

            def tell(cell: Cell) -> None:
                nonlocal counted
                counted += 1
                said = f"{name} {counted:,} of {len(cells):,}"
                progress.update(task, advance=cell.cost, description=said)

            return tell

        yield follow


def _print_claims(found: Reproduction) -> None:
    from confide.papers.paper_report import MARKS, count_verdicts

    print_text(f"{found.paper.name}: {count_verdicts(found.claims)}")
    print_table(
        ["section", "claim", "", "what decides"],
        [
            [each.claim.section, each.claim.text, MARKS[each.finding.verdict], each.finding.reason]
            for each in found.claims
        ],
    )
    print_text(f"The report: {found.folder / 'report.html'}\n")
