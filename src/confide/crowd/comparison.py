"""Estimates compared: differences and ratios, with intervals made from those of their parts.

Two intervals give that of a difference by the method of variance estimates recovery (Newcombe 1998,
Zou and Donner 2008): each end is as far from the difference as the two ends that it comes from are
from their values, added like the sides of a triangle, with the correlation of the two. A ratio r
is contradicted where a − r·b = 0 is (Donner and Zou 2012). So a comparison holds where the
intervals of its parts do, at 0 and with few reports too.

Two estimates that move together differ by less than either moves. That is not known of an end that
lies where nothing further is possible: there a positive correlation is not counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import inf, nan, sqrt

from confide.crowd._influence import Influence
from confide.crowd._ratio import MeansRatioInterval
from confide.crowd.estimate import Estimate, Interval, Quantity
from confide.errors import QueryError


@dataclass(frozen=True, eq=False)
class Margins:
    """A value with the ends of its interval at some level, and whether they could go no further."""

    value: float
    low: float
    high: float
    lowest: bool
    highest: bool

    @classmethod
    def of(cls, estimate: Estimate, level: float) -> Margins:
        """The margins of an estimate; a value outside its interval moves to the nearest end."""
        low, high = estimate.interval(level)
        least, most = _find_bounds(estimate)
        value = min(max(estimate.value, low), high)
        return cls(value, low, high, low <= least, high >= most)


@dataclass(frozen=True, eq=False)
class DifferenceInterval(Interval):
    """The interval of first − second.

    Parameters
    ----------
    first, second : Estimate
        The two.
    correlation : float
        That of the two estimates.
    """

    first: Estimate
    second: Estimate
    correlation: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end."""
        a, b = Margins.of(self.first, level), Margins.of(self.second, level)
        middle = a.value - b.value
        down = _limit(self.correlation, a.lowest or b.highest)
        up = _limit(self.correlation, a.highest or b.lowest)
        below = _add_sides(a.value - a.low, b.high - b.value, down)
        above = _add_sides(a.high - a.value, b.value - b.low, up)
        return max(middle - below, a.low - b.high), min(middle + above, a.high - b.low)


@dataclass(frozen=True, eq=False)
class RatioInterval(Interval):
    """The interval of first / second, neither of which is negative."""

    first: Estimate
    second: Estimate
    correlation: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end; the upper one may be infinite."""
        a, b = Margins.of(self.first, level), Margins.of(self.second, level)
        down = _limit(self.correlation, a.lowest or b.highest)
        up = _limit(self.correlation, a.highest or b.lowest)
        low = _solve_ratio(a.value, b.value, a.low, b.high, down, -1)
        high = _solve_ratio(a.value, b.value, a.high, b.low, up, 1)
        return max(low, 0.0), high


def subtract(first: Estimate, second: Estimate) -> Quantity:
    """The difference of two estimates, of one crowd or of two."""
    mine, theirs = _find_influences(first, second)
    together = _covary(first, second, mine, theirs)
    variance = first.standard_error**2 + second.standard_error**2 - 2 * together
    return Quantity(
        first.value - second.value,
        sqrt(max(variance, 0.0)),
        mine.count_reports(theirs),
        how=DifferenceInterval(first, second, mine.correlation(theirs)),
        source=partial(mine.combine, 1.0, theirs, -1.0),
    )


def divide(first: Estimate, second: Estimate) -> Quantity:
    """The ratio of two estimates, of one crowd or of two; not known where the second is 0."""
    mine, theirs = _find_influences(first, second)
    n = mine.count_reports(theirs)
    return divide_correlated(first, second, mine.correlation(theirs), n)


def divide_correlated(first: Estimate, second: Estimate, correlation: float, n: int) -> Quantity:
    """The ratio of two estimates from n reports whose correlation is known."""
    how = RatioInterval(first, second, correlation)
    if second.value <= 0:
        return Quantity(nan, nan, n, how=how)
    ratio = first.value / second.value
    together = correlation * first.standard_error * second.standard_error
    variance = first.standard_error**2 + ratio**2 * second.standard_error**2 - 2 * ratio * together
    source = partial(_combine, first, 1 / second.value, second, -ratio / second.value)
    error = sqrt(max(variance, 0.0)) / second.value
    return Quantity(ratio, error, n, how=how, source=source)


def _combine(first: Estimate, mine: float, second: Estimate, theirs: float) -> Influence:
    """The influence of a sum of two estimates, each with its factor."""
    ours, others = _find_influences(first, second)
    return ours.combine(mine, others, theirs)


@dataclass(frozen=True, eq=False)
class ScaledInterval(Interval):
    """The interval of an estimate times a factor, plus a number."""

    part: Estimate
    factor: float
    added: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end."""
        low, high = self.part.interval(level)
        return low * self.factor + self.added, high * self.factor + self.added


def scale(share: Estimate, factor: float, added: float = 0.0) -> Quantity:
    """An estimate times a known factor that is not negative, plus a known number."""
    how = ScaledInterval(share, factor, added)
    source = share.source and partial(_scale, share.source, factor)
    error = share.standard_error * factor
    return Quantity(share.value * factor + added, error, share.n, share.total, how, source)


def odds(share: Estimate) -> Quantity:
    """The odds p/(1 − p) of a share: infinite for everybody."""
    rest, how = 1 - share.value, OddsInterval(share)
    if rest <= 0 or share.source is None:
        return Quantity(inf, nan, share.n, how=how, source=share.source)
    source = partial(_scale, share.source, 1 / rest**2)
    error = share.standard_error / rest**2
    return Quantity(share.value / rest, error, share.n, how=how, source=source)


def _scale(source: Callable[[], Influence], factor: float) -> Influence:
    return Influence(tuple((counts, factor * numbers) for counts, numbers in source().parts))


@dataclass(frozen=True, eq=False)
class OddsInterval(Interval):
    """The interval of a share's odds."""

    share: Estimate

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end; the upper one may be infinite."""
        low, high = (p / (1 - p) if p < 1 else inf for p in self.share.interval(level))
        return low, high


def adjust_p_values(p_values: list[float]) -> list[float]:
    """Correct the p-values of several comparisons made at once, by Holm's method.

    >>> adjust_p_values([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    adjusted, largest = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, (len(order) - rank) * p_values[place])
        adjusted[place] = min(1.0, largest)
    return adjusted


def _find_influences(first: Estimate, second: Estimate) -> tuple[Influence, Influence]:
    if first.source is None or second.source is None:
        raise QueryError(
            "only shares that a crowd estimated by the inverse can be compared: of others it is "
            "not known how they move together. Ask for them with method='inverse'."
        )
    return first.source(), second.source()


def _covary(first: Estimate, second: Estimate, mine: Influence, theirs: Influence) -> float:
    """The covariance, in proportion to the standard errors that are stated."""
    return mine.correlation(theirs) * first.standard_error * second.standard_error


def _find_bounds(estimate: Estimate) -> tuple[float, float]:
    """The least and the largest value that is possible."""
    if isinstance(estimate.how, MeansRatioInterval):
        return estimate.how.bounds
    return (-inf, inf) if isinstance(estimate, Quantity) else (0.0, 1.0)


def _limit(correlation: float, bounded: bool) -> float:
    """The correlation of two ends, of which one lies where nothing further is possible or not."""
    return min(correlation, 0.0) if bounded else correlation


def _add_sides(first: float, second: float, correlation: float) -> float:
    return sqrt(max(first**2 + second**2 - 2 * correlation * first * second, 0.0))


def _solve_ratio(
    a: float, b: float, a_end: float, b_end: float, correlation: float, side: int
) -> float:
    """The ratio r at which the interval of a − r·b ends at 0: a root of a quadratic."""
    if inf in (a, b, a_end, b_end):
        return inf if side > 0 else 0.0
    square, rest = b_end * (2 * b - b_end), a_end * (2 * a - a_end)
    half = a * b - correlation * (a - a_end) * (b_end - b)
    root = sqrt(max(half**2 - square * rest, 0.0))
    if side > 0:
        return (half + root) / square if square > 0 else inf
    return max(rest, 0.0) / (half + root) if half + root > 0 else 0.0
