"""The histogram of a number in the clear, within a sub-population that may be disguised.

Shares of intervals are shares of events, with the intervals of the score test. A quantile's
interval holds the numbers x at which the share below x is not told apart from the quantile's level
(Woodruff 1952).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.arrays import Z95, Array, Indices
from confide.crowd._effective_size import count_effective
from confide.crowd._finer_numbers import tell_apart
from confide.crowd._intervals import ShareIntervals
from confide.crowd._inverse import make_cell_test
from confide.crowd._means import estimate_mean, estimate_variance
from confide.crowd._number_scale import NumberScale
from confide.crowd._score_test import ScoreTest
from confide.crowd._shares import estimate_shares, weigh_samples
from confide.crowd._subpopulation import Size, Subpopulation
from confide.crowd.distribution import Distribution
from confide.crowd.estimate import Interval, Quantity
from confide.design import Number
from confide.estimators.merged_intervals import MergedIntervals
from confide.estimators.weight_moments import MadeUpMoments, WeightMoments, make_up


def count_distribution(people: Subpopulation, question: Number, intervals: int) -> Distribution:
    """The distribution of a number in the clear over so many intervals."""
    name = question.name
    merged = MergedIntervals.of(people.design.block(name), intervals)
    edges = merged.grid.array.clip(max=question.high + (question.step or 0) / 2)
    inside = [np.flatnonzero(merged.truth == k) for k in range(merged.grid.size)]
    test = _join_cells(people, name, make_cell_test(people, [name], "size"), inside)
    shares, errors = estimate_shares(test)
    size = people.size(float(test.mean(0, 1)))
    return Distribution(
        name,
        edges,
        question.interval_labels(merged.grid),
        shares,
        errors,
        **size,
        moments=(estimate_mean(people, question), estimate_variance(people, question)),
        quantiles=_find_quantiles(tell_apart(people, [name]), name, size),
        intervals=ShareIntervals(test),
    )


def _find_quantiles(people: Subpopulation, name: str, size: Size) -> _Quantiles:
    """The quantiles by all intervals in which the number is told apart."""
    below = [np.arange(k) for k in range(1, people.design.question(name).size)]
    cells = make_cell_test(people, [name], "size")
    return _Quantiles(NumberScale.of(people, name), _join_cells(people, name, cells, below), size)


def _join_cells(
    people: Subpopulation, name: str, cells: ScoreTest, events: Sequence[Indices]
) -> ScoreTest:
    """The score test of several events, each of some cells, from that of the cells."""
    size = cells.mean(1, 0).size
    members = np.array([np.isin(np.arange(size), codes) for codes in events], dtype=float)
    samples = []
    for batch, sample in zip(people.batches, cells.samples, strict=True):
        everybody = MadeUpMoments(batch.design, {}, people.within)
        made_up = _MadeUpEvents(everybody, members.mean(axis=1))
        observed = _EventsMoments(sample.observed, members)
        codes = [{name: event.tolist()} for event in events]
        n = count_effective(batch, people.within, codes)
        samples.append(replace(sample, observed=observed, made_up=made_up, n=n))
    return weigh_samples(samples, people.by)


class _EventsMoments(WeightMoments):
    """The moments of events, each made of some cells; a report in the clear lies in one cell."""

    def __init__(self, cells: WeightMoments, members: Array) -> None:
        super().__init__()
        self._cells, self._members = cells, members

    def _compute(self, i: int, j: int) -> Array | float:
        cells = self._cells.moment(i, j)
        return np.asarray(self._members @ cells) if i else cells


class _MadeUpEvents(WeightMoments):
    """The moments of made-up people for events in the clear, which some share of anybody has."""

    def __init__(self, everybody: MadeUpMoments, shares: Array) -> None:
        super().__init__()
        self._everybody, self._shares = everybody, shares

    def _compute(self, i: int, j: int) -> Array | float:
        having, anybody = self._everybody.having_and_anybody(i, j)
        if i:
            anybody = self._shares * anybody
        return make_up(having, anybody, self._shares * self._everybody.share)


@dataclass(frozen=True, eq=False)
class _Quantiles:
    """The quantiles of a histogram, from the score test of the shares below its inner edges."""

    scale: NumberScale
    test: ScoreTest
    size: Size

    def at(self, level: float) -> Quantity:
        """The number below which a share of the people lies."""
        below = self.test.mean(1, 0) / self.test.mean(0, 1)
        place = _cross(np.maximum.accumulate(np.r_[0, below.clip(0, 1), 1]), level)
        how = _QuantileInterval(self.scale, ShareIntervals(self.test), level)
        low, high = how.ends(0.95)
        value = self.scale.find_number(place)
        return Quantity(value, (high - low) / (2 * Z95), **self.size, how=how)


@dataclass(frozen=True, eq=False)
class _QuantileInterval(Interval):
    """The numbers at which the share below is not told apart from the level of a quantile."""

    scale: NumberScale
    below: ShareIntervals
    share: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end."""
        low, high = self.below.ends(level)
        rising = np.maximum.accumulate(np.r_[0, high, 1])
        falling = np.maximum.accumulate(1 - np.r_[0, low, 1][::-1])
        last = len(falling) - 1 - _cross(falling, 1 - self.share)
        return self.scale.find_ends(_cross(rising, self.share), last)


def _cross(rising: Array, level: float) -> float:
    """The place, among edges 0, 1, …, where a function that rises there first reaches a level."""
    place = int(np.searchsorted(rising, level))
    if place == 0:
        return 0.0
    part = (level - rising[place - 1]) / (rising[place] - rising[place - 1])
    return float(place - 1 + part)
