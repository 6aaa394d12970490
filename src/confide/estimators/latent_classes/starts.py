"""Where the fit of latent classes starts: the unbiased margins, spread along the covariances.

The likelihood of classes has more than one peak (a group of flips all mirrored is one), so a start
on the right side matters. Margins and covariances of the true answers come from the unbiased
inverse. Two classes of equal size whose shares are m ± d have the covariance d·dᵀ between
questions: the leading eigenvectors of the covariances are the directions in which classes differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.expectation_maximisation import ReportedTable
from confide.estimators.inverse import invert_tables
from confide.estimators.product_mixture import ProductMixture

_LEAST = 0.02  # of an answer in a class at the start
_SCATTER = 0.2  # of drawn classes, in log odds
_MOST_AXES = 5
_POWERS = 100
_SEED = 20_000
_NOTHING = 1e-12  # a variance as small as this is rounding


class LatentClassStarts:
    """Starting points for any number of classes."""

    def __init__(self, batches: Sequence[Counts]) -> None:
        self._names = batches[0].design.names
        self._margins = [_invert_table(batches, [name]) for name in self._names]
        self._ends = np.cumsum([margin.size for margin in self._margins])
        self._directions = _find_directions(self._covariance(batches), _MOST_AXES)

    def _covariance(self, batches: Sequence[Counts]) -> Array:
        """The covariances of answers to different questions; 0 where there is no inverse."""
        blocks = [[np.zeros((a.size, b.size)) for b in self._margins] for a in self._margins]
        for i, j in combinations(range(len(self._names)), 2):
            joint = _invert_table(batches, [self._names[i], self._names[j]])
            if joint.any():
                blocks[i][j] = joint - np.outer(self._margins[i], self._margins[j])
                blocks[j][i] = blocks[i][j].T
        return np.block(blocks)

    def start(self, classes: int, scatter: float, generator: np.random.Generator) -> ProductMixture:
        """Give this many classes of equal size, scattered by some deviation in log odds."""
        axes = min((classes - 1).bit_length(), _MOST_AXES)
        corners = np.array(list(product([-1, 1], repeat=axes)))
        places = corners[np.arange(classes) % len(corners)]  # scatter parts what is alike
        return self._place(places, scatter, generator)

    def draw(self, classes: int, generator: np.random.Generator) -> ProductMixture:
        """Give this many classes of equal size, drawn so that they vary as the answers do."""
        places = generator.normal(size=(classes, min(classes - 1, _MOST_AXES)))
        return self._place(places, _SCATTER, generator)

    def _place(
        self, places: Array, scatter: float, generator: np.random.Generator
    ) -> ProductMixture:
        """Give a class at each place, in units of the directions."""
        apart, tables = places @ self._directions[: places.shape[1]], []
        for margin, own in zip(
            self._margins, np.split(apart, self._ends[:-1], axis=1), strict=True
        ):
            table = (margin + own).clip(_LEAST) * np.exp(generator.normal(0, scatter, own.shape))
            tables.append(table / table.sum(axis=1, keepdims=True))
        return ProductMixture(np.full(len(places), 1 / len(places)), tuple(tables))


def _find_directions(covariance: Array, count: int) -> Array:
    """The leading eigenvectors, each times the root of its eigenvalue.

    By powers of the matrix on vectors drawn once and for all. A solver would leave signs, and of
    eigenvalues that are equal even the vectors, to the processor; here both follow from the start.
    """
    generator = np.random.default_rng(_SEED)
    found = np.zeros((count, len(covariance)))
    for direction in found:
        largest = np.abs(covariance).sum(axis=1).max()  # no eigenvalue is larger
        vector = generator.normal(size=len(covariance))
        for _ in range(_POWERS if largest > _NOTHING else 0):
            vector = covariance @ vector + largest * vector
            vector /= np.linalg.norm(vector)
        value = float(vector @ covariance @ vector)
        if value > _NOTHING:
            direction[:] = np.sqrt(value) * vector
            covariance = covariance - value * np.outer(vector, vector)
    return found


def _invert_table(batches: Sequence[Counts], names: list[str]) -> Array:
    """Give the unbiased table of some answers over all batches; zeros where there is no inverse."""
    reported = [ReportedTable.of(batch, names) for batch in batches]
    if all(batch.channel.invertible for batch in reported):
        return invert_tables(reported)
    return np.zeros(reported[0].channel.shape)
