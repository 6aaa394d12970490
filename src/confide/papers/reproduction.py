"""A paper run again: its table, its figures, its claims checked, and the report of all that."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from confide.files import write_atomically
from confide.papers.cell_runner import run_cells
from confide.papers.cells import Cell, Row, Scale
from confide.papers.claims import CheckedClaim, check_claims
from confide.papers.data import find_data_set, find_or_download
from confide.papers.figures import Figure, load_drawing, save_figure
from confide.papers.paper import Paper
from confide.papers.paper_report import describe_run, write_report
from confide.papers.run_folder import RunFolder
from confide.papers.run_table import write_table

_QUICK_REPEATS = 2


@dataclass(frozen=True)
class Options:
    """How a paper is run again.

    Parameters
    ----------
    repeats : int, optional
        How often each setting is repeated; left out, as often as the paper does.
    data : Path, optional
        The folder of the data.
    quick : bool
        Whether a small version is enough.
    cores : int
        How many processes share the work.
    reading : str
        The reading under which the data become yes-no.
    """

    repeats: int | None = None
    data: Path | None = None
    quick: bool = False
    cores: int = 1
    reading: str = "median"

    def scale(self, paper: Paper) -> Scale:
        """The size of a paper's experiments."""
        often = self.repeats or (_QUICK_REPEATS if self.quick else paper.repeats)
        slow = 1 if self.quick else min(often, paper.default_repeats)
        return Scale(often, slow, self.quick, self.reading)


@dataclass(frozen=True)
class Reproduction:
    """What a paper gave when it was run again."""

    paper: Paper
    folder: Path
    rows: list[Row]
    figures: list[Figure]
    claims: list[CheckedClaim]


Follow = Callable[[Sequence[Cell], Sequence[Cell]], Callable[[Cell], None]]
"""Told all cells and those already finished, gives what is called when another is."""


def reproduce(
    paper: Paper, folder: Path, options: Options, follow: Follow | None = None
) -> Reproduction:
    """Run what is not finished yet of a paper's experiments, and write all that follows from them.

    Parameters
    ----------
    paper : Paper
        The paper.
    folder : Path
        The folder of the run; one of an earlier run is carried on.
    options : Options
        How it is run.
    follow : callable, optional
        Shows how far it has come.
    """
    load_drawing()  # or say so before hours of work
    for name in paper.data:
        find_or_download(find_data_set(name), options.data)
    scale = options.scale(paper)
    cells = paper.list_cells(scale)
    with RunFolder(folder, paper.name) as run:
        left = [cell for cell in cells if cell.key not in run.finished]
        finished = [cell for cell in cells if cell.key in run.finished]
        tell = follow(cells, finished) if follow else lambda _: None
        for cell, rows in run_cells(left, options.data, options.cores):
            run.keep(cell, rows)
            tell(cell)
        rows = [{"paper": paper.name, **row} for row in run.list_rows(cells)]
    return write_results(paper, folder, rows, scale)


def write_results(paper: Paper, folder: Path, rows: list[Row], scale: Scale) -> Reproduction:
    """Write the table, the figures, the claims and the report of a run."""
    write_table(rows, folder)
    figures = paper.draw(rows)
    for figure in figures:
        save_figure(figure, folder / "figures")
    claims = check_claims(paper.claims, rows)
    run = describe_run(paper, scale, rows)
    found = Reproduction(paper, folder, rows, figures, claims)
    with write_atomically(folder / "claims.json") as temporary:
        temporary.write_text(_write_claims(found, run), encoding="utf-8")
    write_report(folder / "report.html", paper, figures, claims, run, scale.quick)
    return found


def _write_claims(found: Reproduction, run: dict[str, str]) -> str:
    """The claims with their findings, and what the figures show, for programs."""
    claims = [
        {
            "section": each.claim.section,
            "claim": each.claim.text,
            "verdict": each.finding.verdict,
            "reason": each.finding.reason,
            "figure": each.finding.figure,
        }
        for each in found.claims
    ]
    figures = [
        {"name": each.name, "title": each.title, "caption": each.caption} for each in found.figures
    ]
    plain = {
        "paper": found.paper.name,
        "title": found.paper.title,
        "run": run,
        "claims": claims,
        "figures": figures,
        "notes": found.paper.notes,
    }
    return json.dumps(plain, indent=2, ensure_ascii=False) + "\n"
