"""How well the reports agree with a deviation of a random intercept: its profile likelihood.

A deviation is never below 0, and what chance does to it is lopsided where groups are few or hardly
differ: as many standard errors either way cover too rarely, and may reach below 0. So its interval
holds the deviations at which the likelihood, with all else as likely as can be, is not much lower
than at the peak; it begins at 0 where the groups may not differ at all.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from confide.arrays import Array
from confide.regression.information import blank, invert_information
from confide.regression.newton import climb
from confide.regression.random_intercept import GroupedLikelihood
from confide.regression.regression_likelihood import EvaluatedLikelihood

_ROUNDS = 10
_ENOUGH = 1e-3  # of a log-likelihood: what is left to gain hardly moves an end
_PRECISION = 1 / 25  # of the first step away from the estimate
_LEAST_STEP = 0.05
_DOUBLINGS = 30


@dataclass(frozen=True, eq=False)
class _FixedDeviation:
    """The likelihood of groups, as a function of all parameters but the deviation."""

    groups: GroupedLikelihood
    deviation: float

    @property
    def n(self) -> float:
        """The number of reports."""
        return self.groups.n

    def complete(self, params: Array) -> Array:
        """All parameters."""
        return np.insert(params, self.groups.place, self.deviation)

    def start(self) -> Array:
        """The peak without intercepts."""
        return np.delete(self.groups.start(), self.groups.place)

    def value(self, params: Array) -> float:
        """The log-likelihood."""
        return self.groups.value(self.complete(params))

    def evaluate(self, params: Array) -> EvaluatedLikelihood:
        """The log-likelihood with its derivatives."""
        whole, place = self.groups.evaluate(self.complete(params)), self.groups.place
        hessian = np.delete(np.delete(whole.hessian, place, axis=0), place, axis=1)
        return replace(whole, scores=np.delete(whole.scores, place, axis=1), hessian=hessian)


class _Place(NamedTuple):
    """Where the likelihood is highest with one deviation: all parameters but this one."""

    height: float
    groups: GroupedLikelihood
    params: Array


@dataclass(frozen=True, eq=False)
class DeviationProfile:
    """The profile likelihood of a random intercept's deviation.

    Parameters
    ----------
    groups : GroupedLikelihood
        The likelihood, with its nodes placed at the peak.
    params : array
        The peak.
    covariance : array
        That of the parameters, as the sample was drawn.
    """

    groups: GroupedLikelihood
    params: Array
    covariance: Array

    @cached_property
    def _known(self) -> dict[float, _Place]:
        place = self.groups.place
        peak = _Place(self._height, self.groups, np.delete(self.params, place))
        return {float(self.params[place]): peak}

    def cost(self, deviation: float) -> float:
        """Twice the log-likelihood that fixing the deviation costs, in units of χ²."""
        if deviation not in self._known:
            self._known[deviation] = self._climb(deviation)
        return max(2 * (self._height - self._known[deviation].height), 0.0) / self._stretch

    def _climb(self, deviation: float) -> _Place:
        """Find where the likelihood is highest with this deviation, from the nearest known."""
        nearest = min(self._known, key=lambda known: abs(known - deviation))
        height, groups, params = self._known[nearest]
        for _ in range(_ROUNDS):
            groups = groups.place_nodes(np.insert(params, groups.place, deviation))
            fixed = _FixedDeviation(groups, deviation)
            params = climb(fixed, params, _ENOUGH / fixed.n).params
            before, height = height, fixed.value(params)
            if abs(height - before) <= _ENOUGH:
                break
        return _Place(height, groups, params)

    def ends(self, reach: float) -> tuple[float, float]:
        """The deviations whose cost is that of so many standard errors."""
        from scipy.optimize import brentq

        value, step = float(self.params[self.groups.place]), self._first_step

        def excess(deviation: float) -> float:
            return sqrt(self.cost(deviation)) - reach

        low, below = 0.0, value - 1.5 * reach * step
        if below <= 0 or excess(below) <= 0:
            below = 0.0
        if excess(below) > 0:
            low = float(brentq(excess, below, value, xtol=_PRECISION * step))
        high = value + reach * step
        for _ in range(_DOUBLINGS):
            if excess(high) > 0:
                return low, float(brentq(excess, value, high, xtol=_PRECISION * step))
            high = value + 2 * (high - value)
        return low, inf

    def p_value(self) -> float:
        """How rarely groups that do not differ look as different as these.

        At the edge half of all surveys cost nothing, so it is half of what χ² says.
        """
        from scipy.special import chdtrc

        cost = self.cost(0.0)
        return float(chdtrc(1, cost)) / 2 if cost > 0 else 1.0

    @cached_property
    def _height(self) -> float:
        return self.groups.value(self.params)

    @cached_property
    def _first_step(self) -> float:
        variance = float(self.covariance[self.groups.place, self.groups.place])
        known = np.isfinite(variance) and self.params[self.groups.place] > _LEAST_STEP
        return max(sqrt(variance), _LEAST_STEP) if known else _LEAST_STEP

    @cached_property
    def _stretch(self) -> float:
        """By how much the way people were drawn makes the variance larger; at least not smaller.

        From few groups a sandwich often comes out too small.
        """
        place = self.groups.place
        plain = blank(*invert_information(-self.groups.evaluate(self.params).hessian))
        ratio = self.covariance[place, place] / plain[place, place]
        return max(1.0, float(ratio)) if np.isfinite(ratio) else 1.0
