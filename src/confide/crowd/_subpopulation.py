"""The work behind a crowd's answers: tables of a sub-population, from its counted reports.

There are two estimators, each with a dense and a sparse way; both ways give the same numbers.

- inverse: `TableMoments` inverts a table that is small enough to keep, `PatternMoments` sums over
  the patterns of reports, and `EventMoments` does so for a single cell.
- likelihood: `maximise_likelihood` fits a whole table, `maximise_sparse_likelihood` only the truths
  that could have been reported. With noise on numbers, `reconstruct` stops before the maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf, prod
from typing import Literal, TypedDict

import numpy as np

from confide.arrays import Array, Codes, Values
from confide.counts import Counts
from confide.crowd._influence import Influence
from confide.crowd._intervals import ShareIntervals
from confide.crowd._score_test import MADE_UP, Sample, ScoreTest
from confide.crowd._shares import NOBODY, estimate_shares, weigh_samples
from confide.crowd.distribution import Distribution
from confide.crowd.estimate import Estimate
from confide.crowd.table import Table
from confide.design import Design, Finite, Number
from confide.design.column_kinds import common_kind, labels_of
from confide.errors import QueryError
from confide.estimators.bootstrap import draw_replicates
from confide.estimators.event_weights import Where, event_weights
from confide.estimators.inverse import invert_tables
from confide.estimators.likelihood import ReportedTable, maximise_likelihood
from confide.estimators.merged_intervals import choose_intervals, has_noisy_number
from confide.estimators.reconstruction import Procedure, reconstruct
from confide.estimators.sparse_likelihood import maximise_sparse_likelihood
from confide.estimators.table_channel import DENSE_CELLS, TableChannel
from confide.estimators.weight_moments import (
    EventMoments,
    MadeUpMoments,
    PatternMoments,
    TableMoments,
    WeightMoments,
)

Pooling = Literal["size", "precision"]


class _Size(TypedDict):
    """The number of people that something is about, and the number of reports behind it."""

    n: int
    total: int


_ONE_SIGMA = 0.6827
_LEAST_INFORMATION = 16.0
"""The least information about a mean, in ranges: by the noise alone its standard error is at most a
quarter of the range."""


@dataclass(frozen=True, eq=False)
class Subpopulation:
    """The people who share some true answers, seen through batches of reports.

    Parameters
    ----------
    batches : tuple of Counts
        All counted reports: nobody knows which of them are of these people.
    by : {"size", "precision"}
        How inverse estimates of several batches are weighed.
    within : mapping
        Questions and the codes of their true answers; empty for everybody.
    """

    batches: tuple[Counts, ...]
    by: Pooling
    within: Mapping[str, int]

    @property
    def design(self) -> Design:
        """The design; of several, the first one."""
        return self.batches[0].design

    @cached_property
    def n(self) -> int:
        """The number of reports."""
        return sum(batch.n for batch in self.batches)

    def labels(self, name: str) -> Values:
        """A question's values by code: options in the kind in which the reports have them.

        Where batches differ in that kind, they are the options as the design has them. Those of a
        number are its intervals' names.
        """
        asked = self.design.question(name)
        if not isinstance(asked, Finite):
            return np.array(asked.labels)
        return labels_of(asked, common_kind(batch.kind(name) for batch in self.batches))

    def table_size(self, names: Iterable[str]) -> int:
        """How many cells a table of some questions has."""
        return prod(self.design.question(name).size for name in names)

    def can_keep(self, names: Iterable[str]) -> bool:
        """Whether a table of some questions is small enough to be kept whole."""
        return self.table_size(names) <= DENSE_CELLS

    def invertible(self, names: Iterable[str]) -> bool:
        """Whether the disguise of some questions has an inverse in every batch."""
        asked = [*self.within, *names]
        return all(TableChannel(batch.design, asked).invertible for batch in self.batches)

    def reported_tables(
        self, names: Sequence[str], intervals: Mapping[str, int] | None = None
    ) -> list[ReportedTable]:
        """The reported tables of some questions, one per batch."""
        return [ReportedTable.of(batch, names, intervals) for batch in self.batches]

    def event(self, codes: Where) -> Estimate:
        """The share of an event by the inverse."""
        test = self._test_event(codes)
        value, error = estimate_shares(test)
        how, source = ShareIntervals(test).at(()), partial(self.influence, codes)
        return Estimate(float(value), float(error), **self._size(test), how=how, source=source)

    def influence(self, codes: Where) -> Influence:
        """How much each report moves the share of an event: the derivative of the ratio."""
        test = self._test_event(codes)
        share, value = float(test.mean(0, 1)), float(test.mean(1, 0) / test.mean(0, 1))
        parts = []
        for weight, batch in zip(test.weights, self.batches, strict=True):
            a = event_weights(batch, {**self.within, **codes})
            b = event_weights(batch, self.within)
            parts.append((batch, weight * (a - value * b) / share))
        return Influence(tuple(parts))

    def _test_event(self, codes: Where) -> ScoreTest:
        """The score test of a single event."""
        samples = [
            Sample(
                EventMoments(batch, codes, self.within),
                MadeUpMoments(batch.design, codes, self.within),
                batch.n,
            )
            for batch in self.batches
        ]
        return weigh_samples(samples, self.by)

    def inverse(self, names: list[str]) -> Table:
        """The unbiased table by the inverse: of a kept table, or pattern by pattern."""
        if not self.can_keep(names):
            raise QueryError(
                f"a table of {', '.join(names)} has {self.table_size(names):,} cells; at most "
                f"{DENSE_CELLS:,} are given. Ask for fewer questions."
            )
        test = self._test_cells(names, self.by)
        values, errors = estimate_shares(test)
        return Table(
            self.design,
            tuple(names),
            values,
            errors,
            **self._size(test),
            method="inverse",
            intervals=ShareIntervals(test),
            influence=self.influence,
        )

    def _test_cells(self, names: list[str], by: Pooling) -> ScoreTest:
        """The score test of every cell of a table."""
        axes, samples = [*self.within, *names], []
        for batch in self.batches:
            observed: WeightMoments
            if self.can_keep(axes):
                table = ReportedTable.of(batch, axes)
                observed = TableMoments(table.channel, table.shares, tuple(self.within.values()))
            else:
                observed = PatternMoments(batch, self.within, names)
            made_up = MadeUpMoments(batch.design, {}, self.within, names)
            samples.append(Sample(observed, made_up, batch.n))
        return weigh_samples(samples, by)

    def _size(self, test: ScoreTest) -> _Size:
        """How many people are in here, by the estimated share; and how many reports there are."""
        if not self.within:
            return {"n": self.n, "total": self.n}
        return {"n": round(float(test.mean(0, 1)) * self.n), "total": self.n}

    def likelihood(self, names: list[str]) -> Table:
        """The most likely table; with noise on numbers, the reconstructed one."""
        axes = [*self.within, *names]
        if not self.can_keep(axes):
            raise QueryError(
                f"the likelihood of {', '.join(axes)} needs {self.table_size(axes):,} cells; "
                f"at most {DENSE_CELLS:,} are possible. Ask for fewer questions."
            )
        noise = any(has_noisy_number(batch.design, axes) for batch in self.batches)
        observed = self.reported_tables(
            axes, choose_intervals(self.design, axes, self.n) if noise else {}
        )
        fixed = self._place(observed)
        truth = _fit(observed)
        if truth[fixed].sum() <= 0:
            raise QueryError(NOBODY)
        values = _conditional(truth, fixed)
        size: _Size = {"n": self.n, "total": self.n}
        if self.within:
            size["n"] = round(float(truth[fixed].sum()) * self.n)
        intervals = None
        if self.invertible(names):
            intervals = ShareIntervals(self._test_cells(names, "precision"), values)
        errors = self._likelihood_errors(observed, truth, names)
        grids = {name: axis.grid for name, axis in observed[0].channel.merged.items()}
        return Table(
            self.design,
            tuple(names),
            values,
            errors,
            **size,
            method="likelihood",
            grids=grids,
            intervals=intervals,
        )

    def _likelihood_errors(
        self, observed: list[ReportedTable], truth: Array, names: list[str]
    ) -> Array:
        """The standard errors of the most likely shares; shares in [0, 1] vary by ½ at most."""
        fixed = self._place(observed)
        if len(observed) == 1 and observed[0].channel.invertible:
            # At the maximum the information is that of the saturated table, whose inverse is the
            # inverse estimator's covariance with the fitted reports in place of the observed.
            (batch,) = observed
            fitted = TableMoments(batch.channel, batch.channel.apply(truth), fixed)
            made_up = MadeUpMoments(self.design, {}, self.within, names)
            errors = estimate_shares(weigh_samples([Sample(fitted, made_up, batch.n)], "size"))[1]
        else:
            drawn = draw_replicates(observed, truth, lambda batches: _fit(batches, truth))
            errors = np.std([_conditional(each, fixed) for each in drawn], axis=0, ddof=1)
        least = 1 / (self.n + MADE_UP)  # one person more or less, where no replicate differs
        return np.where(errors > 0, errors, least).clip(max=0.5)

    def likely_cells(self, names: list[str]) -> tuple[Codes, Array]:
        """The combinations of answers with a positive likelihood estimate, and their shares."""
        axes = [*self.within, *names]
        if not self.can_keep(axes):
            return maximise_sparse_likelihood(self.batches, axes, self.within)
        table = _fit(self.reported_tables(axes))[tuple(self.within.values())]
        cells = np.argwhere(table > 0)
        return cells, table[tuple(cells.T)]

    def distribution(
        self, question: Number, wanted: int | None, procedure: Procedure
    ) -> Distribution:
        """The distribution of a number over so many intervals."""
        name = question.name
        intervals = choose_intervals(self.design, [*self.within, name], self.n)
        if wanted is not None:
            others = choose_intervals(self.design, list(self.within), self.n)
            intervals = {**others, name: wanted}
        observed = self.reported_tables([*self.within, name], intervals)
        self._check_spread(question, observed)
        fixed = self._place(observed)

        def fit(batches: Sequence[ReportedTable]) -> Array:
            if all(batch.channel.invertible for batch in batches):
                return invert_tables(batches)
            return reconstruct(batches, procedure)

        truth = fit(observed)
        grid = observed[0].channel.merged[name].grid
        found = [_conditional(each, fixed) for each in draw_replicates(observed, truth, fit)]
        shares = _conditional(truth, fixed)
        highest = question.high + (question.step or 0) / 2
        edges = grid.array.clip(max=highest)  # not beyond the range
        labels = question.interval_labels(grid)
        return Distribution(name, edges, labels, shares, np.array(found), self.n)

    def _place(self, observed: list[ReportedTable]) -> tuple[int, ...]:
        """Where these people are on the first axes of a table."""
        merged = observed[0].channel.merged
        for name in merged.keys() & self.within.keys():
            code, truth = self.within[name], merged[name].truth
            if np.count_nonzero(truth == truth[code]) > 1:
                label = self.design.question(name).labels[code]
                raise QueryError(
                    f"beside noise {self.n:,} reports tell {name} apart only in wider intervals "
                    f"than {label}. Ask for a table with {name} in it: its rows are "
                    "those intervals."
                )
        return tuple(
            int(merged[name].truth[code]) if name in merged else code
            for name, code in self.within.items()
        )

    def _check_spread(self, question: Number, observed: list[ReportedTable]) -> None:
        """Refuse noise that is too wide to tell anything, and reports that no noise gives."""
        name, span = question.name, question.high - question.low
        if _information(self.batches, name) * span**2 < _LEAST_INFORMATION:
            raise QueryError(
                f"the noise on {name} is too wide for {self.n:,} reports: even its mean could "
                "be anywhere. Collect more reports, or use less noise."
            )
        others = tuple(range(len(self.within)))
        seen = sum(np.count_nonzero(batch.shares.sum(axis=others)) for batch in observed)
        if seen == 1 and has_noisy_number(self.design, [name]) and self.n > 1:
            raise QueryError(
                f"all {self.n:,} reports of {name} lie in one interval, which noise does not "
                "do. Were they disguised under this design?"
            )


def _information(batches: Sequence[Counts], question: str) -> float:
    """The inverse variance of a number's mean by the noise alone, summed over the reports."""
    total = 0.0
    for batch in batches:
        mechanism = batch.design.block(question).mechanism
        width = None if mechanism is None else mechanism.noise_width(_ONE_SIGMA)
        if width is None:
            return inf
        total += batch.n / (width / 2) ** 2
    return total


def _fit(batches: Sequence[ReportedTable], near: Array | None = None) -> Array:
    """The likelihood estimate; with noise on numbers, stopped before it follows every report."""
    if not all(batch.channel.invertible for batch in batches):
        return reconstruct(batches)
    return maximise_likelihood(batches, None if near is None else (near + 1 / near.size) / 2)


def _conditional(truth: Array, within: tuple[int, ...]) -> Array:
    """A table within the sub-population that its first axes fix."""
    return np.asarray(truth[within] / (truth[within].sum() or 1.0))
