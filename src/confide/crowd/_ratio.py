"""Ratios of two means of per-report weights: means within sub-populations, correlations.

An interval inverts the test of a − r·b = 0 with the variance that the ratio r itself implies
(Fieller 1954): where the lower mean is uncertain it is wide, up to everything that is possible.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf, sqrt

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd._effective_size import distrust_weights, find_known_part
from confide.crowd._influence import Influence
from confide.crowd._shares import require_somebody
from confide.crowd._subpopulation import Subpopulation
from confide.crowd.estimate import Quantity

Weights = Sequence[Array]
"""The weights of each batch's patterns."""


@dataclass(frozen=True, eq=False)
class MeansRatioInterval:
    """The interval of the ratio of two means.

    Parameters
    ----------
    upper, lower : float
        The two means; the lower one is positive.
    spread : tuple of float
        Their variances and their covariance: upper, both, lower.
    freedom : float
        The degrees of freedom of the variances.
    bounds : tuple of float
        The least and the largest ratio that is possible.
    """

    upper: float
    lower: float
    spread: tuple[float, float, float]
    freedom: float
    bounds: tuple[float, float]

    def variance(self, ratio: float) -> float:
        """The variance of the mean of a − ratio·b."""
        upper, both, lower = self.spread
        return max(upper - 2 * ratio * both + ratio**2 * lower, 0.0)

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end, both possible."""
        from scipy.special import stdtrit

        reach = float(stdtrit(self.freedom, (1 + level) / 2)) ** 2
        upper, both, lower = self.spread
        # a value that is not possible is brought to the nearest one that is, as for shares
        inside = min(max(self.upper / self.lower, self.bounds[0]), self.bounds[1])
        mean = inside * self.lower
        square = self.lower**2 - reach * lower
        if square <= 0:  # even the lower mean might be 0
            return self.bounds
        half = mean * self.lower - reach * both
        root = sqrt(max(half**2 - square * (mean**2 - reach * upper), 0.0))
        low, high = (half - root) / square, (half + root) / square
        return max(low, self.bounds[0]), min(high, self.bounds[1])


def estimate_ratio(
    people: Subpopulation,
    upper: Weights,
    lower: Weights,
    bounds: tuple[float, float],
    inside: Weights | None = None,
    truths: Callable[[float], float] | None = None,
) -> Quantity:
    """The ratio of two means over all batches, with its interval.

    Parameters
    ----------
    people : Subpopulation
        Whose the reports are.
    upper, lower : sequences of arrays
        The weights, one for each pattern of each batch.
    bounds : tuple of float
        The least and the largest ratio that is possible.
    inside : sequence of arrays, optional
        The weights of the sub-population, where they are not the lower ones.
    truths : callable, optional
        The mean square of a − ratio·b if nothing were disguised: the part of the variance that is
        less where much of a finite population was asked.
    """
    inside = lower if inside is None else inside
    parts = _weigh_batches(people, upper, lower)
    above, below = (_average(parts, which) for which in (upper, lower))
    ratio = above / below
    first, second = (_influence(parts, which) for which in (upper, lower))
    spread = (first.covariance(first), first.covariance(second), second.covariance(second))
    (counts, _), *others = parts
    if truths is not None and counts.drawn is not None and not others:
        square = float(counts.shares @ (upper[0] - ratio * lower[0]) ** 2)
        known = find_known_part(truths(ratio), square)
        found = counts.drawn.covariance_of_estimates(np.stack([upper[0], lower[0]]), known)
        spread = (float(found[0, 0]), float(found[0, 1]), float(found[1, 1]))
    interval = MeansRatioInterval(above, below, spread, _count_freedom(people, inside), bounds)
    error = sqrt(interval.variance(ratio)) / below
    if counts.drawn is not None and not others:
        apart = upper[0] - ratio * lower[0]
        square = float(counts.reports @ apart**2) / counts.n  # a heavy person is near the mean
        more = distrust_weights(counts.drawn, apart, square)
        interval = replace(interval, spread=(more * spread[0], more * spread[1], more * spread[2]))
    return Quantity(
        ratio,
        error,
        **people.size(_average(parts, inside)),
        how=interval,
        source=partial(first.combine, 1 / below, second, -ratio / below),
    )


def _weigh_batches(
    people: Subpopulation, upper: Weights, lower: Weights
) -> list[tuple[Counts, float]]:
    """Each batch with how much it counts: by its size, or by its precision."""
    sizes = np.array([batch.n for batch in people.batches], dtype=float)
    parts = list(zip(people.counted, (sizes / sizes.sum()).tolist(), strict=True))
    require_somebody(_average(parts, lower))
    if people.by == "size" or len(parts) == 1:
        return parts
    ratio = _average(parts, upper) / _average(parts, lower)
    moved = [
        Influence(((c, a - ratio * b),))
        for c, a, b in zip(people.batches, upper, lower, strict=True)
    ]
    noise = np.array([each.covariance(each) for each in moved])
    if noise.min() <= 0:
        return parts
    return list(zip(people.counted, (1 / noise / (1 / noise).sum()).tolist(), strict=True))


def _average(parts: list[tuple[Counts, float]], weights: Weights) -> float:
    pairs = zip(parts, weights, strict=True)
    return sum(part * float(counts.shares @ each) for (counts, part), each in pairs)


def _influence(parts: list[tuple[Counts, float]], weights: Weights) -> Influence:
    pairs = zip(parts, weights, strict=True)
    return Influence(tuple((counts, part * each) for (counts, part), each in pairs))


def _count_freedom(people: Subpopulation, inside: Weights) -> float:
    """Count how many people of equal weight would tell as much, less one."""
    pairs = list(zip(people.counted, inside, strict=True))
    total = sum(batch.n * float(batch.shares @ each) for batch, each in pairs)
    square = sum(batch.n * float(batch.shares @ each**2) for batch, each in pairs)
    drawn = [
        min(batch.drawn.freedom_of_means, batch.drawn.effective_size - 1)
        for batch in people.counted
        if batch.drawn is not None
    ]
    return max(min(total**2 / square - 1, *drawn, inf), 1.0)
