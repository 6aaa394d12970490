"""The distinct reports to one half of the questions, and their chances in each component."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix

from confide.arrays import Array, Codes
from confide.counts.distinct_rows import find_distinct_rows
from confide.estimators.latent_classes.group_slices import GroupSlice
from confide.estimators.latent_classes.product_mixtures import Tables

TINY = 1e-30
"""No chance is taken for smaller, so that it has a logarithm."""

ExpectedCounts = dict[int, Array]
"""By the question's position, how many people with each true answer are expected in each
component: (components, answers)."""


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
        distinct, self.place = find_distinct_rows(reports)
        indicators = [np.eye(k)[distinct[:, i]] for i, k in enumerate(group.report_sizes)]
        self.group, self._indicator = group, np.concatenate(indicators, axis=1)
        ones, order = np.ones(len(reports)), np.arange(len(reports))
        self.gather = csr_matrix((ones, (self.place, order)), (len(distinct), len(reports)))

    def branch_chances(self, tables: Tables) -> tuple[Array, Array]:
        """Give the chance of each distinct report in each branch of the channel, scaled.

        Returns
        -------
        chances : array of shape (branches, distinct reports, components)
            The chances times exp(−shift).
        shift : array of shape (distinct reports,)
        """
        logs = np.stack(
            [
                self._indicator @ np.log(np.maximum(self.group.report_chances(tables, j), TINY))
                + np.log(weight)
                for j, weight in enumerate(self.group.branch_weights)
            ]
        )
        shift = logs.max(axis=(0, 2))
        return np.exp(logs - shift[:, None]), shift

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
            ratio = self._indicator.T @ weights / chances
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

    def chances(self, tables: Tables) -> HalfChances:
        """Give the chance of each distinct report in each component."""
        total: Array = np.ones((1, self.size, len(tables[0])))
        shift = np.zeros(self.size)
        by_slice = []
        for part in self.slices:
            branches, part_shift = part.branch_chances(tables)
            shift += part_shift[part.place]
            by_slice.append(branches)
            kept = branches if part.group.cut else branches.sum(axis=0, keepdims=True)
            total = total * kept[:, part.place]
        return HalfChances(self, tables, by_slice, total, shift)


@dataclass(frozen=True, eq=False)
class HalfChances:
    """The chances of a half's distinct reports in each component.

    Parameters
    ----------
    half : HalfReports
        The reports.
    tables : sequence of arrays
        The distribution of each question's answer in each component.
    by_slice : one array of shape (branches, distinct reports, components) per slice
        The chances of the slice's distinct reports by each branch, scaled.
    total : array of shape (branches, distinct reports, components)
        The chances times exp(−shift); one branch unless a group is cut.
    shift : array of shape (distinct reports,)
    """

    half: HalfReports
    tables: Tables
    by_slice: list[Array]
    total: Array
    shift: Array

    def expect_counts(self, reports: Array) -> ExpectedCounts:
        """Give how often each true answer is expected in each component.

        ``reports``, shaped like ``total``, says how many of each distinct report came from each
        component, and from each branch of a cut group.
        """
        counts: ExpectedCounts = {}
        together = reports.sum(axis=0)
        for part, branches in zip(self.half.slices, self.by_slice, strict=True):
            if part.group.cut:
                by_branch = [part.gather @ branch for branch in reports]
            else:
                ratio = (part.gather @ together) / np.maximum(branches.sum(axis=0), TINY)
                by_branch = [ratio * branch for branch in branches]
            counts |= part.expect_counts(by_branch, self.tables)
        return counts
