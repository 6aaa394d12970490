"""How the people behind some counts were drawn: weights, strata, clusters, a finite population.

An estimate is a weighted mean of per-report numbers u, so its variance is that of a sum of
z = w·(u − ū)/Σw (Taylor's linearisation): between the people of a stratum, or between its clusters,
with the pull of each cluster on the mean taken out (`cluster_pull`).
Per row of counts that needs the sum of the weights and of their squares, and nothing of any person.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Indices
from confide.counts.cluster_pull import (
    MOST_CLUSTERS,
    average_strata,
    count_freedom,
    stretch_strata,
)

_NOTHING_LEFT = 1e-6  # one cluster is nearly everybody
_ALIKE = 1e-12  # of the variance between people: clusters differ by rounding alone


@dataclass(frozen=True, eq=False)
class DrawnSample:
    """How the people behind each row of counts were drawn.

    Parameters
    ----------
    reports : integer array
        How many reports each row stands for.
    weights, squares : arrays
        The sum of the weights of each row's people, and of their squares.
    strata : integer array
        The stratum of each row.
    clusters : integer array or None
        The cluster of each row, numbered through all strata; None where people are drawn alone.
    fractions : array
        The share of each stratum's population that was drawn; 0 where it is not known.
    population : float or None
        How many people there are, if that is known.
    margins : tuple of integer arrays
        The answers to the questions whose shares the weights were brought to, row by row.
    """

    reports: NDArray[np.int64]
    weights: Array
    squares: Array
    strata: Indices
    clusters: Indices | None
    fractions: Array
    population: float | None = None
    margins: tuple[Indices, ...] = ()

    @classmethod
    def alike(cls, reports: NDArray[np.int64]) -> DrawnSample:
        """Rows whose people were drawn alike: a simple random sample."""
        ones, strata = reports.astype(float), np.zeros(len(reports), np.intp)
        return cls(reports, ones, ones, strata, None, np.zeros(1))

    @cached_property
    def shares(self) -> Array:
        """The share of each row in the sum of all weights."""
        return np.asarray(self.weights / self.weights.sum())

    @cached_property
    def units(self) -> Array:
        """How many people, or clusters, were drawn from each stratum."""
        if self.clusters is None:
            return np.bincount(self.strata, self.reports).astype(float)
        return np.bincount(self._strata_of_clusters).astype(float)

    @property
    def effective_size(self) -> float:
        """How many people of equal weights would tell as much, if clusters made no difference."""
        return float(self.weights.sum() ** 2 / self.squares.sum())

    @property
    def freedom(self) -> float:
        """The degrees of freedom of a variance: people or clusters, less strata.

        Strata of one person or cluster each are compared with each other, as one stratum.
        """
        alone = float((self.units == 1).sum())
        return max(float((self.units - 1).clip(0).sum()) + max(alone - 1, 0.0), 1.0)

    @cached_property
    def freedom_of_means(self) -> float:
        """The degrees of freedom of a mean's variance: fewer, where clusters differ in size."""
        if self.clusters is None or self.units.sum() > MOST_CLUSTERS:
            return self.freedom
        strata = self._strata_of_clusters
        more = stretch_strata(strata)
        pulls = np.sqrt(more / self._left)[:, None]
        found = count_freedom(pulls, self._parts[:, None, None], strata)
        return min(max(found, 1.0), self.freedom)

    @cached_property
    def _parts(self) -> Array:
        """The part of each cluster in the weights of all."""
        assert self.clusters is not None
        return np.asarray(np.bincount(self.clusters, self.weights) / self.weights.sum())

    @cached_property
    def _left(self) -> Array:
        """What the pull of each cluster on a mean leaves of its distance to it, squared."""
        strata = self._strata_of_clusters
        apart = self._parts - average_strata(self._parts, strata)
        return np.maximum(1 - stretch_strata(strata) * apart, _NOTHING_LEFT)

    def covariance_of_estimates(self, numbers: Array, known: float = 0.0) -> Array:
        """The same as `covariance`, but that clusters which happen to be alike are not exact.

        They are then no surer than the people in them.
        """
        found = self.covariance(numbers, known)
        if self.clusters is None:
            return found
        alone = replace(self, clusters=None).covariance(numbers, known)
        alike = np.diag(found) < _ALIKE * np.diag(alone)
        return found + np.where(alike[:, None] & alike, alone, 0.0)

    def covariance(self, numbers: Array, known: float = 0.0) -> Array:
        """The covariance matrix of weighted means.

        Parameters
        ----------
        numbers : array of shape (means, rows)
            The number that a report of each row counts for in each mean.
        known : float
            The part of the variance that comes from who was asked, and is less where much of a
            finite population was: 1 for answers in the clear. The chance in a disguise stays.
        """
        apart = self._take_margins_out(numbers - (numbers @ self.shares)[:, None])
        apart = apart / self.weights.sum()
        units = self.units
        scale = (1 - known * self.fractions) * units / np.maximum(units - 1, 1)
        if self.clusters is not None:
            sums = [np.bincount(self.clusters, row * self.weights) for row in apart]
            summed = np.stack(sums, axis=1).astype(float)
            strata = self._strata_of_clusters
            between = (summed - average_strata(summed, strata)).T / np.sqrt(self._left)
            return np.asarray((between * scale[strata]) @ between.T)
        inner = (apart * self.squares * scale[self.strata]) @ apart.T
        totals = np.stack(
            [np.bincount(self.strata, row * self.weights, len(units)) for row in apart]
        )
        # a stratum of one person or cluster is compared with the mean of all
        middle = np.where(units > 1, scale / units, 0.0)
        return np.asarray(inner - (totals * middle) @ totals.T)

    def _take_margins_out(self, numbers: Array) -> Array:
        """What the known margins leave open: residuals of a weighted regression on them.

        Weights that were brought to known shares err only in what these do not explain (Deville
        and Särndal 1992).
        """
        if not self.margins:
            return numbers
        columns = np.concatenate([np.eye(int(m.max()) + 1)[:, m] for m in self.margins])
        root = np.sqrt(self.weights)
        fitted = np.linalg.lstsq((columns * root).T, (numbers * root).T, rcond=None)[0]
        return np.asarray(numbers - (columns.T @ fitted).T)

    @cached_property
    def _strata_of_clusters(self) -> Indices:
        assert self.clusters is not None
        first = np.unique(self.clusters, return_index=True)[1]
        return self.strata[first]

    def keep(self, reports: NDArray[np.int64]) -> DrawnSample:
        """Keep so many people of each row, of its mean weight, and the rows that then have any.

        Which share of a population such a part is, is not said of it.
        """
        kept = reports > 0
        part = (reports / self.reports)[kept]
        left, strata = np.unique(self.strata[kept], return_inverse=True)
        clusters = self.clusters
        if clusters is not None:
            clusters = np.unique(clusters[kept], return_inverse=True)[1]
        return DrawnSample(
            reports[kept],
            self.weights[kept] * part,
            self.squares[kept] * part,
            strata,
            clusters,
            np.zeros(len(left)),
            margins=tuple(margin[kept] for margin in self.margins),
        )

    def weigh(self, factors: Array, margins: Sequence[Indices] = ()) -> DrawnSample:
        """Multiply the weights of each row's people by a factor."""
        return replace(
            self,
            weights=self.weights * factors,
            squares=self.squares * factors**2,
            margins=(*self.margins, *margins),
        )
