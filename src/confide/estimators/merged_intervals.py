"""A number's many small intervals merged into as few as the reports can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array, Indices
from confide.design import Block, Design, Number
from confide.mechanisms import Grid

FEWEST, MOST = 10, 100
"""The bounds of the paper's heuristic for the number of intervals."""
_REPORTS_EACH = 100


@dataclass(frozen=True, eq=False)
class MergedIntervals:
    """How one number's intervals are merged.

    Parameters
    ----------
    grid : Grid
        The merged intervals of the truth.
    truth, report : integer arrays
        The merged interval of each true and of each reported one.
    """

    grid: Grid
    truth: Indices
    report: Indices

    @classmethod
    def of(cls, block: Block, intervals: int) -> MergedIntervals:
        """Merge a number's true intervals into about so many, its reports into as wide ones."""
        fine = block.number.grid
        reports = block.report_grid()
        assert reports is not None
        wanted = max(1, min(intervals, fine.size))
        truth = np.arange(fine.size) * wanted // fine.size
        starts = np.r_[np.flatnonzero(np.diff(truth, prepend=-1)), fine.size]
        low, high = fine.edges[0], fine.edges[-1]
        # a hair's breadth keeps middles that fall on an edge on one side of it
        place = np.floor((reports.middles - low) / (high - low) * wanted + 1e-9)
        merged = np.unique(place, return_inverse=True)[1]
        # in the clear a report lies where its truth does, also where the merging is uneven
        report = truth if block.mechanism is None else merged
        return cls(Grid(tuple(fine.array[starts].tolist())), truth, report)

    def merge_channel(self, matrix: Array) -> Array:
        """The channel between merged intervals; the parts of a true one are equally likely.

        ``matrix`` has the reports on its last axis but one, the truths on its last.
        """
        starts = [np.flatnonzero(np.diff(codes, prepend=-1)) for codes in (self.report, self.truth)]
        by_report = np.add.reduceat(matrix, starts[0], axis=-2)
        merged = np.add.reduceat(by_report, starts[1], axis=-1)
        return np.asarray(merged / np.bincount(self.truth))


def merge_intervals(design: Design, intervals: Mapping[str, int]) -> dict[str, MergedIntervals]:
    """Merge the intervals of some numbers, each into its wanted number of them."""
    blocks = {block.questions[0].name: block for block in design.blocks}
    return {name: MergedIntervals.of(blocks[name], count) for name, count in intervals.items()}


def has_noisy_number(design: Design, names: Sequence[str]) -> bool:
    """Whether some of the questions are numbers disguised by noise or intervals."""
    return any(not block.invertible and block.questions[0].name in names for block in design.blocks)


def choose_intervals(design: Design, names: Sequence[str], n: int) -> dict[str, int]:
    """Choose how many intervals each number of a joint table gets.

    One for every hundred reports, between ten and a hundred of them (`agrawal-srikant-2000`,
    section 4.2); in a joint table a hundred reports per cell, all numbers alike.
    """
    asked = {name: design.question(name) for name in names}
    numbers = [name for name, question in asked.items() if isinstance(question, Number)]
    if not numbers:
        return {}
    others = np.prod([q.size for name, q in asked.items() if name not in numbers], initial=1.0)
    wanted = (n / _REPORTS_EACH / others) ** (1 / len(numbers))
    each = int(np.clip(wanted, FEWEST, MOST))
    return {name: min(each, asked[name].size) for name in numbers}
