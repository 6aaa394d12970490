"""Reports associated with true intervals by sorting (`agrawal-srikant-2000`, section 4.2).

A reconstruction says how many numbers lie in each interval: the lowest reports are associated with
the first interval, the next with the second, and so on, within each class ("by-class") or over all
("global"). An interval associated with a report is no estimate of the number behind it.

The intervals are the same for all classes that are compared: of two classes cut in different places
one would seem to have nobody where the other has many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes, Indices
from confide.counts import Counts
from confide.design import Design
from confide.errors import ModelError
from confide.estimators.merged_intervals import FEWEST, MOST, REPORTS_EACH
from confide.estimators.reconstruction import (
    STOPPING_SHARE,
    chi_square_change,
    chi_square_threshold,
)
from confide.estimators.share_likelihood import em_factor
from confide.estimators.table_channel import TableChannel
from confide.mining.noisy_numbers.reconstructed_population import find_last_fine_intervals

FEWEST_REPORTS = FEWEST * REPORTS_EACH
"""With fewer, the heuristic has no number of intervals."""
_STEPS = 500
_SEED = 4  # reports of one interval are associated in a random but repeatable order


@dataclass(frozen=True, eq=False)
class AssociatedReports:
    """Reports with their associated intervals, as a population."""

    design: Design
    codes: NDArray[np.int16]

    @property
    def n(self) -> int:
        """The number of reports."""
        return len(self.codes)

    def cells(self) -> tuple[NDArray[np.int16], Array]:
        """Give one row of codes per report, all of equal share."""
        return self.codes, np.full(self.n, 1 / self.n)


def associate_reports(
    batches: Sequence[Counts], target: str, by_class: bool, only: Sequence[str] | None = None
) -> AssociatedReports:
    """Associate every report's disguised questions with true intervals, once and for all.

    If ``only`` some questions are wanted, the others are all alike.
    """
    design, rows = read_rows(batches, target)
    codes = rows.copy()
    labels = rows[:, design.position(target)]
    group = labels if by_class else np.zeros_like(labels)
    cells = np.full(int(group.max()) + 1, choose_interval_counts(np.array([len(rows)]))[0])
    for place, name in enumerate(design.names):
        if only is not None and name not in (*only, target):
            codes[:, place] = 0
        elif name in find_disguised(design):
            codes[:, place] = IntervalChannel(design, name).associate(rows[:, place], group, cells)
    return AssociatedReports(design, codes)


def read_rows(batches: Sequence[Counts], target: str) -> tuple[Design, NDArray[np.int16]]:
    """Give the design and the reports of the one batch that can be associated, one row per report.

    Its target is in the clear. The rows are in a random order, so that reports that are alike are
    associated in a random order.
    """
    if len(batches) > 1:
        raise ModelError('these reports are pooled from several designs: use method="auto".')
    (counts,) = batches
    if target in find_disguised(counts.design):
        raise ModelError(f'{target} is disguised, so its classes are not known: use method="auto".')
    rows = np.repeat(np.arange(len(counts.reports)), counts.reports)
    return counts.design, counts.patterns[np.random.default_rng(_SEED).permutation(rows)]


def can_be_associated(batches: Sequence[Counts], target: str) -> bool:
    """Whether the reports are one batch with the target in the clear."""
    return len(batches) == 1 and target not in find_disguised(batches[0].design)


def find_disguised(design: Design) -> list[str]:
    """List the questions that are not asked in the clear."""
    return [q.name for b in design.blocks if b.mechanism is not None for q in b.questions]


def choose_interval_counts(reports: Indices) -> Indices:
    """Choose into how many intervals so many reports are reconstructed."""
    return np.clip(reports // REPORTS_EACH, FEWEST, MOST)


@dataclass(frozen=True, eq=False)
class IntervalChannel:
    """One question's channel, at each number of intervals that is asked for."""

    design: Design
    name: str
    _made: dict[int, tuple[Array, Indices, Indices]] = field(default_factory=dict)

    def at(self, cells: int) -> tuple[Array, Indices, Indices]:
        """Give the matrix, the merged code of each report, and the true code of each interval."""
        if cells not in self._made:
            question = self.design.question(self.name)
            number = question.grid is not None
            channel = TableChannel(self.design, [self.name], {self.name: cells} if number else None)
            matrix = channel.channel_matrix()
            if number:
                axis = channel.merged[self.name]
                self._made[cells] = matrix, axis.report, find_last_fine_intervals(axis)
            else:
                self._made[cells] = matrix, np.arange(len(matrix)), np.arange(question.size)
        return self._made[cells]

    def associate(self, reports: Codes, group: Codes, cells: Indices) -> Indices:
        """The true code that each report is associated with.

        Parameters
        ----------
        reports, group : integer arrays
            The code of each report, and the group within which it is sorted.
        cells : integer array
            Into how many intervals each group is reconstructed.
        """
        found = np.empty(len(reports), np.intp)
        for wanted in np.unique(cells).tolist():
            alike = cells == wanted
            ours = np.flatnonzero(alike[group])
            own = (np.cumsum(alike) - 1)[group[ours]]
            matrix, merged, truth = self.at(wanted)
            groups = int(alike.sum())
            cell = merged[reports[ours]] * groups + own
            table = np.bincount(cell, minlength=len(matrix) * groups).reshape(-1, groups)
            shares = reconstruct_groups(matrix, table)
            found[ours] = truth[assign_by_rank(reports[ours], own, shares)]
        return found


def reconstruct_groups(channel: Array, counts: Codes) -> Array:
    """Reconstruct ("em") many groups of reports at once, one per column."""
    n = counts.sum(axis=0)
    shares = counts / n.clip(1)
    estimate = np.full((channel.shape[1], counts.shape[1]), 1 / channel.shape[1])
    enough = STOPPING_SHARE["em"] * chi_square_threshold(len(estimate))
    going = np.flatnonzero(n)
    for _ in range(_STEPS):
        before = estimate[:, going]
        after = before * em_factor(channel.dot, channel.T.dot, shares[:, going], before)
        change = chi_square_change(before, after).sum(axis=0)
        estimate[:, going] = after
        going = going[n[going] * change > enough]
        if not len(going):
            break
    return estimate


def assign_by_rank(reports: Codes, group: Codes, shares: Array) -> Indices:
    """Find the interval of each report when each group is sorted and its intervals filled in turn.

    ``shares`` has one row per interval and one column per group. Equal reports stay in their order.
    """
    intervals, groups = shares.shape
    # numbers of 16 bits are sorted by their digits, in a fifth of the time
    order = np.lexsort((reports, group.astype(np.min_scalar_type(groups))))
    sizes = np.bincount(group, minlength=groups)
    filled = np.cumsum(shares, axis=0) / shares.sum(axis=0)
    ends = np.round(filled * sizes).astype(np.intp)
    each = np.diff(ends, axis=0, prepend=0)
    found = np.empty(len(reports), np.intp)
    found[order] = np.repeat(np.tile(np.arange(intervals), groups), each.T.ravel())
    return found
