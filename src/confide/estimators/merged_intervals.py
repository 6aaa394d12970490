"""A number's many small intervals merged into as few as the reports can tell apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array, Indices
from confide.counts import Counts
from confide.design import Block, Design, Number
from confide.mechanisms import Grid

REPORTS_EACH, FEWEST, MOST = 100, 10, 100
"""The paper's heuristic: an interval for so many reports, and at least and at most so many."""


@dataclass(frozen=True, eq=False)
class MergedIntervals:
    """How one number's intervals are merged.

    Parameters
    ----------
    grid : Grid
        The merged intervals of the truth.
    truth, report : integer arrays
        The merged interval of each true and of each reported one.
    widths : array
        The widths of the true ones, as far as they lie within the question's range.
    """

    grid: Grid
    truth: Indices
    report: Indices
    widths: Array

    @classmethod
    def of(cls, block: Block, intervals: int) -> MergedIntervals:
        """Merge a number's true intervals into so many, its reports into as wide ones.

        Where that is possible they are of equal width, but for a narrower last one.
        """
        fine = block.number.grid
        reports = block.report_grid()
        assert reports is not None
        wanted = max(1, min(intervals, fine.size))
        each = -(-fine.size // wanted)
        alike = -(-fine.size // each) == wanted
        places = np.arange(fine.size)
        truth = places // each if alike else places * wanted // fine.size
        starts = np.r_[np.flatnonzero(np.diff(truth, prepend=-1)), fine.size]
        low, high = fine.edges[0], fine.edges[-1]
        width = (high - low) * (each / fine.size if alike else 1 / wanted)
        # a hair's breadth keeps middles that fall on an edge on one side of it
        place = np.floor((reports.middles - low) / width + 1e-9)
        merged = np.unique(place, return_inverse=True)[1]
        # in the clear a report lies where its truth does, also where the merging is uneven
        report = truth if block.mechanism is None else merged
        edges = fine.array[starts].tolist()
        return cls(Grid(tuple(edges)), truth, report, interval_widths(block.number))

    @classmethod
    def at(cls, block: Block, starts: Indices) -> MergedIntervals:
        """Merge the intervals of a number in the clear into such as begin with some of them."""
        fine = block.number.grid
        truth = np.searchsorted(starts, np.arange(fine.size), side="right") - 1
        edges = fine.array[np.r_[starts, fine.size]].tolist()
        return cls(Grid(tuple(edges)), truth, truth, interval_widths(block.number))

    @property
    def shares(self) -> Array:
        """The share of each merged interval in the question's range."""
        return np.bincount(self.truth, self.widths) / self.widths.sum()

    def merge_channel(self, matrix: Array) -> Array:
        """The channel between merged intervals; a true one's parts are as likely as they are wide.

        ``matrix`` has the reports on its last axis but one, the truths on its last.
        """
        starts = [np.flatnonzero(np.diff(codes, prepend=-1)) for codes in (self.report, self.truth)]
        by_report = np.add.reduceat(matrix, starts[0], axis=-2)
        merged = np.add.reduceat(by_report * self.widths, starts[1], axis=-1)
        return np.asarray(merged / np.bincount(self.truth, self.widths))


def interval_widths(question: Number) -> Array:
    """The widths of a number's intervals, as far as they lie within its range."""
    return np.diff(question.grid.array.clip(max=question.high + (question.step or 0) / 2))


def merge_intervals(
    design: Design, intervals: Mapping[str, int | Indices]
) -> dict[str, MergedIntervals]:
    """Merge the intervals of some numbers, each into so many or at given places."""
    blocks = {block.questions[0].name: block for block in design.blocks}
    return {
        name: MergedIntervals.of(blocks[name], into)
        if isinstance(into, int)
        else MergedIntervals.at(blocks[name], into)
        for name, into in intervals.items()
    }


def has_noisy_number(design: Design, names: Sequence[str]) -> bool:
    """Whether some of the questions are numbers disguised by noise or intervals."""
    return any(not block.invertible and block.questions[0].name in names for block in design.blocks)


def has_noise(batches: Sequence[Counts], names: Sequence[str]) -> bool:
    """Whether one of some questions is such a number, in any batch of reports."""
    return any(has_noisy_number(batch.design, names) for batch in batches)


def choose_intervals(design: Design, names: Sequence[str], n: int) -> dict[str, int]:
    """Choose how many intervals each number of a joint table gets.

    One for every hundred reports, between ten and a hundred of them (`agrawal-srikant-2000`,
    section 4.2); in a joint table a hundred reports per cell, all numbers alike. Of counts as near
    as possible to that the one is taken whose intervals are of equal width, but for the last.
    """
    asked = {name: design.question(name) for name in names}
    numbers = [name for name, question in asked.items() if isinstance(question, Number)]
    if not numbers:
        return {}
    others = np.prod([q.size for name, q in asked.items() if name not in numbers], initial=1.0)
    wanted = (n / REPORTS_EACH / others) ** (1 / len(numbers))
    each = int(np.clip(wanted, FEWEST, MOST))
    return {name: _choose_even(each, asked[name].size) for name in numbers}


def _choose_even(wanted: int, size: int) -> int:
    """How many intervals there are if each holds the same number of fine ones, about as wanted."""
    each = max(1, round(size / wanted))
    return -(-size // each)
