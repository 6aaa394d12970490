"""Means of functions of the true answers: what each report counts for, and shares made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from confide.arrays import ROUNDING, Array
from confide.counts import Counts
from confide.crowd import Estimate
from confide.crowd.estimate import Approximation
from confide.crowd.weighed_share import WeighedReports, estimate_weighed_share
from confide.estimators.table_channel import TableChannel
from confide.estimators.weight_moments import PointMoments


@dataclass(frozen=True, eq=False)
class WeighedFunctions:
    """Some functions of the true answers, and what a batch's reports count for in their means.

    Parameters
    ----------
    counts : Counts
        The batch.
    weights : array of shape (patterns, functions)
        What each pattern counts for.
    values : array of shape (cells, functions), optional
        The functions at each combination of answers, where these were written out.
    channel : TableChannel, optional
        The channel on the table of those combinations.
    """

    counts: Counts
    weights: Array
    values: Array | None = None
    channel: TableChannel | None = None

    @property
    def covariance(self) -> Array:
        """The covariance of the means, as the people were drawn."""
        if self.counts.drawn is not None:
            return self.counts.drawn.covariance(self.weights.T)
        shares = self.counts.shares
        mean = shares @ self.weights
        spread = (self.weights * shares[:, None]).T @ self.weights - np.outer(mean, mean)
        return np.asarray(spread / self.counts.n)

    def split(self, part: Array, whole: Array | None = None) -> WeighedReports:
        """Give the reports' weights in the share of one sum of functions in another.

        Parameters
        ----------
        part, whole : arrays
            How much each function counts in the two sums; left out, the whole is everybody.
        """
        upper = self.weights @ part
        lower = np.ones(len(upper)) if whole is None else self.weights @ whole
        return WeighedReports(self.counts, upper, lower, self._make_up(part, whole))

    def find_certain(self, part: Array, whole: Array | None = None) -> float | None:
        """Find a share that is 0 or 1 whatever people answer, such as that of a class never said.

        None where people decide, and where the functions were not written out.
        """
        if self.values is None:
            return None
        having = self.values @ part
        if not having.any():
            return 0.0
        everybody = np.ones_like(having) if whole is None else self.values @ whole
        return 1.0 if np.array_equal(having, everybody) else None

    def _make_up(self, part: Array, whole: Array | None) -> PointMoments:
        """Make people up: half have what the part counts, half have not, else any answers alike."""
        as_if_clear = PointMoments(np.array([0.5, 0.5]), np.array([1.0, 0.0]), np.ones(2))
        if self.values is None or self.channel is None:
            return as_if_clear
        shape = self.channel.shape
        having = (self.values @ part).reshape(shape)
        everybody = np.ones(shape) if whole is None else (self.values @ whole).reshape(shape)
        if not having.any():
            return as_if_clear
        rest = having.max() - having
        halves = (having, rest if rest.any() else having)
        people = np.mean([half / half.sum() for half in halves], axis=0)
        a, b = (self.channel.weights(each).ravel() for each in (having, everybody))
        return PointMoments(self.channel.apply(people).ravel(), a, b)


@dataclass(frozen=True, eq=False)
class Means:
    """The estimated means of some functions, with the covariance matrix of their errors.

    Parameters
    ----------
    values, covariance : arrays
        The means and the covariance.
    n : int
        The number of reports.
    parts : sequence of WeighedFunctions
        What the reports of each batch count for; empty where noise on a number has no inverse.
    """

    values: Array
    covariance: Array
    n: int
    parts: Sequence[WeighedFunctions] = ()

    @classmethod
    def of(cls, parts: Sequence[WeighedFunctions]) -> Means:
        """Pool the means of all batches, every report counting the same."""
        n = sum(part.counts.n for part in parts)
        pairs = [(part.counts.n / n, part) for part in parts]
        values = sum(size * (part.counts.shares @ part.weights) for size, part in pairs)
        covariance = sum(size**2 * part.covariance for size, part in pairs)
        return cls(np.asarray(values), np.asarray(covariance), n, parts)

    def share(self, part: Array, whole: Array | None = None) -> Estimate:
        """Estimate the share of one sum of functions in another; NaN where that is nobody.

        It has the interval of a score test. Beside noise on a number none is known to cover.
        """
        below = 1.0 if whole is None else float(whole @ self.values)
        if below <= ROUNDING:
            return Estimate(nan, nan, self.n)
        if self.parts:
            found = estimate_weighed_share([each.split(part, whole) for each in self.parts])
            found = replace(found, n=min(found.n, self.n))  # an unbiased number may be any
            certain = self.parts[0].find_certain(part, whole)  # the functions are those of all
            if certain is None:
                return found
            return replace(found, value=certain, standard_error=0.0, how=None)
        value = float(part @ self.values) / below
        slope = part / below if whole is None else (part - value * whole) / below
        return self.approximate(value, slope)

    def approximate(self, value: float, slope: Array) -> Approximation:
        """Give a function of the means, with its standard error from its derivatives by them."""
        variance = float(slope @ self.covariance @ slope)
        return Approximation(float(value), max(variance, 0.0) ** 0.5, self.n)
