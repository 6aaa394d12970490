"""Reports associated with true intervals by sorting (`agrawal-srikant-2000`, section 4.2).

A reconstruction says how many numbers lie in each interval: the lowest reports are associated with
the first interval, the next with the second, and so on, within each class ("by-class") or over all
("global"). An interval associated with a report is no estimate of the number behind it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from confide.counts import Counts
from confide.crowd.algebra import Algebra
from confide.crowd.axes import FEWEST, MOST
from confide.crowd.reconstruction import OF_THE_THRESHOLD, threshold
from confide.design import Block, Design
from confide.errors import ModelError
from confide.mining.numbers.joint import last_parts

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

REPORTS_EACH = 100
_STEPS = 500
_SEED = 4  # reports of one interval are associated in a random but repeatable order


@dataclass(frozen=True, eq=False)
class Associated:
    """Reports with their associated intervals, as a population."""

    design: Design
    n: int
    codes: NDArray[np.int16]
    shares: Array

    def cells(self) -> tuple[NDArray[np.int16], Array]:
        """One row a pattern of reports."""
        return self.codes, self.shares


def associated(batches: Sequence[Counts], target: str, by_class: bool) -> Associated:
    """Associate every report's disguised questions with true intervals, once and for all."""
    counts = single(batches, target)
    labels = counts.patterns[:, counts.design.position(target)].astype(np.intp)
    group = labels if by_class else np.zeros_like(labels)
    codes = counts.patterns.copy()
    for block in counts.design.blocks:
        if block.mechanism is not None:
            for name in (question.name for question in block.questions):
                place = counts.design.position(name)
                channel = Channel.of(counts.design, name)
                found = channel.associate(counts.patterns[:, place], counts.reports, group)
                codes[:, place] = found
    return Associated(counts.design, counts.n, codes, counts.reports / counts.n)


def single(batches: Sequence[Counts], target: str) -> Counts:
    """The one batch whose reports can be associated, its target in the clear."""
    if len(batches) > 1:
        raise ModelError('these reports are pooled from several designs: use method="auto".')
    (counts,) = batches
    blocks: dict[str, Block] = {q.name: b for b in counts.design.blocks for q in b.questions}
    if blocks[target].mechanism is not None:
        raise ModelError(f'{target} is disguised, so its classes are not known: use method="auto".')
    return counts


@dataclass(frozen=True, eq=False)
class Channel:
    """One question's channel, at each number of intervals that is asked for."""

    design: Design
    name: str
    made: dict[int, tuple[Array, Indices, Indices]]

    @classmethod
    def of(cls, design: Design, name: str) -> Channel:
        return cls(design, name, {})

    def at(self, cells: int) -> tuple[Array, Indices, Indices]:
        """The matrix, the merged code of each report, and the true code of each interval."""
        if cells not in self.made:
            question: Any = self.design.question(self.name)
            number = hasattr(question, "grid")
            algebra = Algebra(self.design, [self.name], {self.name: cells} if number else None)
            matrix = algebra.channel_matrix()
            if number:
                axis = algebra.merged[self.name]
                self.made[cells] = matrix, axis.report, last_parts(axis)
            else:
                self.made[cells] = matrix, np.arange(len(matrix)), np.arange(question.size)
        return self.made[cells]

    def associate(self, reports: NDArray[Any], weights: NDArray[Any], group: Indices) -> Indices:
        """The true code that each report is associated with, group by group."""
        sizes = np.bincount(group, weights)
        wanted = np.clip(sizes // REPORTS_EACH, FEWEST, MOST).astype(int)
        wanted = np.array([_rounded(int(each)) for each in wanted])
        found = np.empty(len(reports), np.intp)
        for cells in np.unique(wanted[sizes > 0]).tolist():
            ours = np.flatnonzero(wanted[group] == cells)
            matrix, merged, truth = self.at(cells)
            present, own = np.unique(group[ours], return_inverse=True)
            table = np.zeros((len(matrix), len(present)))
            np.add.at(table, (merged[reports[ours]], own), weights[ours])
            shares = reconstructed(matrix, table)
            found[ours] = truth[by_rank(reports[ours], weights[ours], own, shares)]
        return found


def _rounded(cells: int) -> int:
    """A few numbers of intervals serve all groups, so that equals can be reconstructed together."""
    return max(each for each in (10, 20, 25, 50, 100) if each <= cells)


def reconstructed(channel: Array, counts: Array) -> Array:
    """`confide.crowd.reconstruction` ("em") for many groups of reports at once, one a column."""
    n = counts.sum(axis=0)
    reported = counts / n
    estimate = np.full((channel.shape[1], counts.shape[1]), 1 / channel.shape[1])
    enough = OF_THE_THRESHOLD["em"] * threshold(len(estimate))
    going = np.arange(counts.shape[1])
    for _ in range(_STEPS):
        before = estimate[:, going]
        expected = channel @ before
        ratio = np.divide(
            reported[:, going], expected, out=np.zeros_like(expected), where=expected > 0
        )
        after = before * (channel.T @ ratio)
        change = np.divide(
            (after - before) ** 2, before, out=np.zeros_like(before), where=before > 0
        ).sum(axis=0)
        estimate[:, going] = after
        going = going[n[going] * change > enough]
        if not len(going):
            break
    return estimate


def by_rank(reports: NDArray[Any], weights: NDArray[Any], group: Indices, shares: Array) -> Indices:
    """The interval of each report when each group is sorted and its intervals filled in turn."""
    tie = np.random.default_rng(_SEED).permutation(len(reports))
    order = np.lexsort((tie, reports, group))
    running = np.cumsum(weights[order])
    sizes = np.bincount(group, weights)
    before = np.r_[0, np.cumsum(sizes)[:-1]][group[order]]
    rank = (running - before - weights[order] / 2) / sizes[group[order]]
    filled = np.cumsum(shares, axis=0) / shares.sum(axis=0)
    filled[-1] = 1.0
    ends = (filled + np.arange(shares.shape[1])).T.ravel()
    place = np.searchsorted(ends, rank + group[order], side="right")
    found = np.empty(len(reports), np.intp)
    found[order] = place - group[order] * len(shares)
    return found
