"""A number's intervals merged so that functions vary as little as possible within a merged one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from confide.arrays import Array, Codes, Indices

_ANYWHERE = 0.01
"""The part of the people who are taken to lie anywhere, so that no place counts for nothing."""
_LOSS = 0.01
"""The part of the variation that may be lost: more intervals hold fewer reports each."""
_ROUNDING = 1e-12
"""A smaller part of the squares is no variation."""


@dataclass(frozen=True, eq=False)
class AlikeIntervals:
    """Merged intervals, and the fine interval of each that stands best for the others.

    Parameters
    ----------
    starts, typical : integer arrays
        The first fine interval of each merged one, and the one whose functions are nearest to their
        mean there.
    """

    starts: Indices
    typical: Indices

    @classmethod
    def of(cls, values: Array, shares: Array, most: int) -> AlikeIntervals:
        """Find the merged intervals within which functions vary least, people taken together.

        As few as lose hardly any of the variation, or else so many as are allowed. What is lost is
        a sum over merged intervals, so the best cuts up to a place follow from those up to earlier
        ones (dynamic programming).

        Parameters
        ----------
        values : array of shape (fine intervals, functions)
            The functions in each fine interval.
        shares : array
            The share of people in each.
        most : int
            So many merged intervals at most.
        """
        size = len(values)
        people = (1 - _ANYWHERE) * shares + _ANYWHERE / size
        variation = _measure_variation(values, people)
        least = variation[0, 1:]  # of what is lost up to each place, uncut at first
        cuts = [np.zeros(size, np.intp)]
        while least[-1] > _LOSS and len(cuts) < most:
            ways = np.r_[np.inf, least[:-1]][:, None] + variation[:-1, 1:]
            cuts.append(ways.argmin(axis=0))
            least = ways.min(axis=0)
        starts = [size]
        for last in reversed(cuts):
            starts.append(int(last[starts[-1] - 1]))
        edges = np.array(starts[::-1])
        typical = [a + _find_typical(values[a:b], people[a:b]) for a, b in pairwise(edges)]
        return cls(edges[:-1], np.array(typical))

    def find_typical(self, fine: Codes) -> Indices:
        """Give the typical fine interval of the merged ones in which some fine ones lie."""
        return self.typical[np.searchsorted(self.starts, fine, side="right") - 1]


def _measure_variation(values: Array, people: Array) -> Array:
    """Measure what part of the variation lies between each fine interval and each later one.

    Variation is the sum of squares less that of the mean; entry [a, b] is of intervals a to b − 1,
    infinite where there are none. Rounded, so that equal ones are equal on every processor.
    """
    sums = np.vstack([np.zeros(values.shape[1]), np.cumsum(people[:, None] * values, axis=0)])
    squares = np.r_[0, np.cumsum(people * np.square(values).sum(axis=1))]
    weights = np.r_[0, np.cumsum(people)]
    products = sums @ sums.T
    a, b = np.triu_indices(len(weights), 1)
    of_mean = (products[a, a] + products[b, b] - 2 * products[a, b]) / (weights[b] - weights[a])
    within = np.full_like(products, np.inf)
    within[a, b] = squares[b] - squares[a] - of_mean
    whole = max(within[0, -1], _ROUNDING * squares[-1])
    return np.round(within / whole, 9) if whole > 0 else np.zeros_like(within)


def _find_typical(values: Array, people: Array) -> int:
    """Find the fine interval whose functions are nearest to their mean over the people."""
    away = np.square(values - np.average(values, axis=0, weights=people)).sum(axis=1)
    return int(away.argmin())
