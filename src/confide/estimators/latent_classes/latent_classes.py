"""Mixtures of products, fitted to reports through the channel by expectation–maximisation.

What is hidden is the class, the coin and the answers. Several members, which start elsewhere or
learn from other reports, are fitted side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.estimators.latent_classes.reported import HalvedReports, Tables
from confide.estimators.likelihood import extrapolate

_PRIOR = 1.0
"""So many people are added to each component and to each of its questions."""
_LEAST_LOG = -50.0
"""No leap makes an answer rarer than this beside the commonest one."""


@dataclass(frozen=True, eq=False)
class LatentClasses:
    """Members side by side, each a mixture of equally many products.

    Parameters
    ----------
    weights : array of shape (members, components)
        Each member's distribution over its components.
    tables : one array of shape (members · components, answers) a question
        The distribution of the question's answer in each component.
    """

    weights: Array
    tables: Tables

    def improved(
        self,
        batches: Sequence[HalvedReports],
        training: Sequence[Array],
        fixed: Sequence[int] = (),
    ) -> tuple[LatentClasses, list[Array]]:
        """One step of expectation–maximisation, and the log-chances before it.

        ``training`` holds for each batch how many reports of each pattern each member learns
        from: (members, patterns). The tables of ``fixed`` questions stay as they are.
        """
        sizes: Array = np.full(self.weights.shape, _PRIOR)
        counts = [np.full_like(table, _PRIOR / table.shape[1]) for table in self.tables]
        logs = []
        for reported, learnt in zip(batches, training, strict=True):
            log, explained, expected = reported.explained(self.weights, self.tables, learnt)
            sizes = sizes + explained
            for position, count in expected.items():
                counts[position] += count
            logs.append(log)
        tables = [
            table if i in fixed else count / count.sum(axis=1, keepdims=True)
            for i, (table, count) in enumerate(zip(self.tables, counts, strict=True))
        ]
        return LatentClasses(sizes / sizes.sum(axis=1, keepdims=True), tables), logs

    @property
    def arrays(self) -> list[Array]:
        """The weights and all tables; each row is a distribution."""
        return [self.weights, *self.tables]

    @property
    def prior(self) -> float:
        """The logarithm of what the added people say of these classes, but for a constant."""
        return float(sum(_PRIOR * np.log(t).sum() / t.shape[1] for t in self.tables)) + float(
            _PRIOR * np.log(self.weights).sum()
        )

    def leapt(self, first: LatentClasses, second: LatentClasses, most: float) -> LatentClasses:
        """Follow two steps from here as far as they point (SQUAREM, on the logarithms)."""
        start, one, two = (
            np.concatenate([np.log(array).ravel() for array in model.arrays])
            for model in (self, first, second)
        )
        ends = np.cumsum([array.size for array in self.arrays])[:-1]
        leaps = zip(np.split(extrapolate(start, one, two, most), ends), self.arrays, strict=True)
        weights, *tables = (_normed(leap.reshape(array.shape)) for leap, array in leaps)
        return LatentClasses(weights, tables)

    def beyond(self, improved: LatentClasses, reach: float) -> LatentClasses:
        """Follow a step further than it goes: p'·(p'/p)^(reach − 1), which saves steps."""
        return LatentClasses(
            _beyond(self.weights, improved.weights, reach),
            [
                new if new is old else _beyond(old, new, reach)
                for old, new in zip(self.tables, improved.tables, strict=True)
            ],
        )


def _normed(logs: Array) -> Array:
    """Rows of logarithms as distributions."""
    chances = np.exp((logs - logs.max(axis=1, keepdims=True)).clip(_LEAST_LOG))
    return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def _beyond(old: Array, new: Array, reach: float) -> Array:
    further = new * (new / old) ** (reach - 1)
    return np.asarray(further / further.sum(axis=1, keepdims=True))
