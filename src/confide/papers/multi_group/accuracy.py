"""The accuracy that the paper's figures show."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.claims import NotRun
from confide.papers.run_table import Repeats, average
from confide.papers.split_people import name_scheme


def find_accuracy(rows: Sequence[Row], data: str, groups: int, truth: float) -> Repeats:
    """The accuracy of the paper's method with a disguised class, over the repeats."""
    where = {"data": data, "groups": groups, "truth": truth, "method": "paper"}
    found = average(rows, experiment="accuracy", target="disguised", **where)
    if found is None:
        raise NotRun(f"θ = {truth} was not run with {name_scheme(groups)} of {data}.")
    return found
