"""How much each report moves an estimate: what the covariance of two estimates comes from."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from confide.arrays import Array
from confide.counts import Counts


def covary_means(counts: Counts, first: Array, second: Array) -> float:
    """The covariance of two means of per-report numbers, as the people were drawn."""
    if counts.drawn is not None:
        return float(counts.drawn.covariance_of_estimates(np.stack([first, second]))[0, 1])
    shares = counts.shares
    product = shares @ (first * second) - (shares @ first) * (shares @ second)
    return float(product) / counts.n


@dataclass(frozen=True, eq=False)
class Influence:
    """The derivative of an estimate by each report, one number per pattern of each batch.

    Batches are told apart as objects: estimates of one crowd share them, those of two crowds do
    not and are independent.

    Parameters
    ----------
    parts : tuple of (Counts, array)
        The batches, and the numbers of their patterns.
    """

    parts: tuple[tuple[Counts, Array], ...]

    def covariance(self, other: Influence) -> float:
        """The covariance of two estimates: Σ over common batches of Cov(u, v)/n."""
        total = 0.0
        for counts, mine in self.parts:
            for same, theirs in other.parts:
                if counts is same:
                    total += covary_means(counts, mine, theirs)
        return total

    def correlation(self, other: Influence) -> float:
        """The correlation of two estimates; 0 where one does not vary among the reports."""
        spread = sqrt(max(self.covariance(self) * other.covariance(other), 0.0))
        return max(-1.0, min(1.0, self.covariance(other) / spread)) if spread > 0 else 0.0

    def combine(self, mine: float, other: Influence, theirs: float) -> Influence:
        """The influence of a sum of two estimates, each with its factor."""
        parts = [(counts, mine * numbers) for counts, numbers in self.parts]
        for counts, numbers in other.parts:
            places = [i for i, (known, _) in enumerate(parts) if known is counts]
            if places:
                parts[places[0]] = (counts, parts[places[0]][1] + theirs * numbers)
            else:
                parts.append((counts, theirs * numbers))
        return Influence(tuple(parts))
