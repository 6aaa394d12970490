"""The reports under one design, and how each kind of people makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array, Indices
from confide.counts import Counts
from confide.counts.drawn_sample import DrawnSample


@dataclass(frozen=True, eq=False)
class DesignSample:
    """The reports under one design.

    Parameters
    ----------
    behaviour : array of shape (reports, kinds)
        The probability of each report from each kind of people.
    counts : array of shape (reports,)
        How often each report came in; with weights, as often as people of equal weight would have
        to give it to tell as much.
    drawn : DrawnSample, optional
        How the people behind some rows of reports were drawn, if not all alike.
    rows : integer array, optional
        The report of each of these rows.
    """

    behaviour: Array
    counts: Array
    drawn: DrawnSample | None = None
    rows: Indices | None = None

    @classmethod
    def of(cls, behaviour: Array, counts: Counts, questions: Sequence[str]) -> DesignSample:
        """Take the reports to some questions from counts, with how their people were drawn."""
        table = counts.table(questions)
        scale = counts.effective_n / counts.n
        if counts.drawn is None:
            return cls(behaviour, table.ravel())
        codes = tuple(counts.patterns[:, counts.design.position(name)] for name in questions)
        rows = np.ravel_multi_index(codes, table.shape)
        return cls(behaviour, table.ravel() * scale, counts.drawn, rows)

    @property
    def reports(self) -> int:
        """The number of reports."""
        return round(float(self.counts.sum() if self.drawn is None else self.drawn.reports.sum()))

    def expect(self, shares: Array) -> Array:
        """The shares of the reports, from those of the kinds."""
        return self.behaviour @ shares

    def expect_transposed(self, values: Array) -> Array:
        """For each kind the mean of a number that every report has."""
        return self.behaviour.T @ values

    def expect_some(self, shares: Array) -> Array:
        """The shares of the reports, none below that of half a report.

        Reports that are all alike are not exact: the next one may be another.
        """
        return np.maximum(self.expect(shares), 0.5 / max(float(self.counts.sum()), 1.0))

    def vary(self, shares: Array) -> Array:
        """The covariance matrix of the shares of the reports, as their people were drawn.

        That much of a finite population was asked makes nothing surer here.
        """
        if self.drawn is not None and np.count_nonzero(self.counts) > 1:
            return self.drawn.covariance_of_estimates(np.eye(len(self.counts))[:, self.rows])
        expected = self.expect_some(shares)
        return (np.diag(expected) - np.outer(expected, expected)) / self.counts.sum()
