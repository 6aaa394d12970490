"""The distinct reports to one half of the questions, and their chances in each component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
from scipy.sparse import csr_matrix

from confide.arrays import Array, Codes
from confide.counts.distinct_rows import find_distinct_rows
from confide.estimators.latent_classes.group_slices import GroupSlice
from confide.estimators.latent_classes.product_mixtures import Tables
from confide.estimators.latent_classes.report_words import ReportWords
from confide.estimators.latent_classes.workspace import Workspace

TINY = 1e-30
"""No chance is taken for smaller, so that it has a logarithm."""

_FEW_COLUMNS = 16

ExpectedCounts = dict[int, Array]
"""By the question's position, how many people with each true answer are expected in each
component: (components, answers)."""


def _find_largest(values: Array) -> Array:
    """Find the largest value of each row; few columns are compared one by one, which is faster."""
    if values.shape[1] > _FEW_COLUMNS:
        return np.asarray(values.max(axis=1))
    return np.asarray(reduce(np.maximum, values.T))


class SliceReports:
    """The distinct reports to one group's questions in a half.

    Parameters
    ----------
    group : GroupSlice
        The group's questions in this half.
    reports : array of shape (reports of the half, questions)
        Their columns in the half's distinct reports.
    """

    def __init__(self, group: GroupSlice, reports: Codes) -> None:
        distinct, self._place = find_distinct_rows(reports)
        self.group, self._words = group, ReportWords(distinct, group.report_sizes)
        self._size = len(distinct)
        ones, order = np.ones(len(reports)), np.arange(len(reports))
        self._gather = csr_matrix((ones, (self._place, order)), (len(distinct), len(reports)))
        self._alike = np.array_equal(self._place, order)

    def spread(self, values: Array) -> Array:
        """Give each report of the half the value of its slice, along the last axis but one."""
        return values if self._alike else values[..., self._place, :]

    def gather(self, values: Array) -> Array:
        """Sum the values of the half's reports over those with the same slice."""
        return values if self._alike else np.asarray(self._gather @ values)

    def branch_chances(self, tables: Tables, space: Workspace) -> tuple[Array, Array, Array]:
        """Give the chance of each distinct report in each branch of the channel, scaled.

        Returns
        -------
        chances : array of shape (branches, distinct reports, components)
            The chances times exp(−shift).
        together : array of shape (distinct reports, components)
            Their sum over the branches.
        shift : array of shape (distinct reports,)
        """
        weights, shape = self.group.branch_weights, (self._size, len(tables[0]))
        logs = space.take(("branches", self.group.positions), len(weights), *shape)
        for j, (weight, branch) in enumerate(zip(weights, logs, strict=True)):
            chances = np.maximum(self.group.report_chances(tables, j), TINY)
            np.add(self._words.sum_answers(np.log(chances)), np.log(weight), out=branch)
        shift = _find_largest(logs.max(axis=0))
        logs -= shift[:, None]
        chances = np.exp(logs, out=logs)
        together = space.take(("together", self.group.positions), *shape)
        return chances, chances.sum(axis=0, out=together), shift

    def expect_counts(self, reports: Sequence[Array], tables: Tables) -> ExpectedCounts:
        """Give how often each true answer is expected.

        Parameters
        ----------
        reports : one array of shape (distinct reports, components) per branch
            How many reports came from each component by this branch.
        tables : sequence of arrays
            The distribution of each question's answer in each component.
        """
        counts: ExpectedCounts = {}
        ends = np.cumsum([0, *self.group.report_sizes])
        for j, weights in enumerate(reports):
            chances = np.maximum(self.group.report_chances(tables, j), TINY)
            ratio = self._words.sum_reports(weights) / chances
            for i, position in enumerate(self.group.positions):
                likely = self.group.factors[i][j].T @ ratio[ends[i] : ends[i + 1]]
                counts[position] = counts.get(position, 0) + likely.T * tables[position]
        return counts


class HalfReports:
    """The distinct reports to one half of the questions.

    Parameters
    ----------
    groups : sequence of GroupSlice
        The questions of this half.
    patterns : array of shape (patterns, questions)
        The reports to all questions of the design.
    """

    def __init__(self, groups: Sequence[GroupSlice], patterns: Codes) -> None:
        columns = [position for group in groups for position in group.positions]
        distinct, self.place = find_distinct_rows(patterns[:, columns])
        self.size = len(distinct)
        ends = np.cumsum([0, *(len(group.positions) for group in groups)])
        self.slices = [
            SliceReports(group, distinct[:, start:end])
            for group, start, end in zip(groups, ends[:-1], ends[1:], strict=True)
        ]

    def chances(self, tables: Tables, space: Workspace) -> HalfChances:
        """Give the chance of each distinct report in each component."""
        shift = np.zeros(self.size)
        by_slice, factors = [], []
        for part in self.slices:
            branches, together, part_shift = part.branch_chances(tables, space)
            shift += part.spread(part_shift[:, None])[:, 0]
            by_slice.append((branches, together))
            factors.append(part.spread(branches if part.group.cut else together[None]))
        if not factors:  # of one question the other half is empty
            factors.append(np.ones((1, self.size, len(tables[0]))))
        return HalfChances(self, tables, by_slice, reduce(np.multiply, factors), shift)


@dataclass(frozen=True, eq=False)
class HalfChances:
    """The chances of a half's distinct reports in each component.

    Parameters
    ----------
    half : HalfReports
        The reports.
    tables : sequence of arrays
        The distribution of each question's answer in each component.
    by_slice : two arrays per slice
        The chances of the slice's distinct reports by each branch, scaled, and in all:
        (branches, distinct reports, components) and (distinct reports, components).
    total : array of shape (branches, distinct reports, components)
        The chances times exp(−shift); one branch unless a group is cut.
    shift : array of shape (distinct reports,)
    """

    half: HalfReports
    tables: Tables
    by_slice: list[tuple[Array, Array]]
    total: Array
    shift: Array

    def expect_counts(self, reports: Array) -> ExpectedCounts:
        """Give how often each true answer is expected in each component.

        ``reports``, shaped like ``total``, says how many of each distinct report came from each
        component, and from each branch of a cut group. It can be asked once: the chances are
        written over.
        """
        counts: ExpectedCounts = {}
        all_branches = reports[0] if len(reports) == 1 else reports.sum(axis=0)
        for part, (branches, together) in zip(self.half.slices, self.by_slice, strict=True):
            if part.group.cut:
                by_branch = [part.gather(branch) for branch in reports]
            else:
                ratio = np.maximum(together, TINY, out=together)
                np.divide(part.gather(all_branches), ratio, out=ratio)
                branches *= ratio
                by_branch = list(branches)
            counts |= part.expect_counts(by_branch, self.tables)
        return counts
