"""How much each report moves an estimate: what the covariance of two estimates comes from."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.counts.recounting import find_first, locate_rows, refine_counts


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
    not and are independent. Finer views of one batch are the same reports (`recounting`): numbers
    of its patterns are then those of the patterns of a view that is finer than both.

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
            for others, theirs in other.parts:
                if same_reports(counts, others):
                    common = _view_both(counts, others)
                    first, second = _spread(common, counts, mine), _spread(common, others, theirs)
                    total += covary_means(common, first, second)
        return total

    def correlation(self, other: Influence) -> float:
        """The correlation of two estimates; 0 where one does not vary among the reports."""
        spread = sqrt(max(self.covariance(self) * other.covariance(other), 0.0))
        return max(-1.0, min(1.0, self.covariance(other) / spread)) if spread > 0 else 0.0

    def combine(self, mine: float, other: Influence, theirs: float) -> Influence:
        """The influence of a sum of two estimates, each with its factor."""
        parts = [(counts, mine * numbers) for counts, numbers in self.parts]
        for counts, numbers in other.parts:
            places = [i for i, (known, _) in enumerate(parts) if same_reports(known, counts)]
            if places:
                known, before = parts[places[0]]
                common = _view_both(known, counts)
                added = theirs * _spread(common, counts, numbers)
                parts[places[0]] = (common, _spread(common, known, before) + added)
            else:
                parts.append((counts, theirs * numbers))
        return Influence(tuple(parts))

    def count_reports(self, other: Influence) -> int:
        """The number of reports behind two estimates."""
        firsts = [find_first(counts).counts for counts, _ in (*self.parts, *other.parts)]
        return sum({id(first): first.n for first in firsts}.values())


def same_reports(first: Counts, second: Counts) -> bool:
    """Whether two counts are of one batch of reports."""
    return find_first(first).counts is find_first(second).counts


def _view_both(first: Counts, second: Counts) -> Counts:
    """A view of one batch of reports that is at least as fine as two others."""
    return first if first is second else refine_counts(first, find_first(second).places)


def _spread(finer: Counts, counts: Counts, numbers: Array) -> Array:
    """Numbers of the patterns of some counts, as those of a finer view of them."""
    return numbers if finer is counts else numbers[locate_rows(finer, counts)]
