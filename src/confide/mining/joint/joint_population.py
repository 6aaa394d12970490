"""A joint distribution as a population that learners can ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.design import Design
from confide.mining.joint.hidden import HiddenClasses

_WRITTEN_OUT = 1 << 20
"""Up to this many combinations of answers are written out."""


@dataclass(frozen=True)
class Candidate:
    """What was tried, and how it did.

    Parameters
    ----------
    name : str
        Its shape, such as "12 latent classes".
    score : float
        The mean log-likelihood of the reports that it was not fitted to.
    weight : float
        Its share in the chosen joint.
    """

    name: str
    score: float
    weight: float


@dataclass(frozen=True, eq=False)
class Joint:
    """A mixture of products: in each component the answers are independent.

    It stands in for a `confide.Crowd` where a learner wants shares that are never negative.

    Parameters
    ----------
    design : Design
        The questions' design.
    n : int
        The number of reports behind it.
    weights : array of shape (components,)
        The components' shares; they sum to one, in a sub-population to its share.
    tables : one array of shape (components, answers) a question
        The distribution of the question's answer in each component.
    candidates : tuple of Candidate
        What was tried, best first.
    """

    design: Design
    n: int
    weights: Array
    tables: tuple[Array, ...]
    candidates: tuple[Candidate, ...] = ()
    within: Mapping[str, int] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """The share of this sub-population in the whole."""
        return float(self.weights.sum())

    def given(self, where: Mapping[str, Any]) -> Joint:
        """The sub-population with the given true answers."""
        return self.given_codes(
            {name: self._question(name).code(value) for name, value in where.items()}
        )

    def given_codes(self, codes: Mapping[str, int]) -> Joint:
        """The sub-population with the true answers of these codes."""
        weights = self.weights
        for name, code in codes.items():
            if name not in self.within:
                weights = weights * self._table(name)[:, code]
            elif self.within[name] != code:
                weights = np.zeros_like(weights)
        return replace(self, weights=weights, within={**self.within, **codes})

    def cross(self, target: str, candidates: Sequence[str]) -> dict[str, Array]:
        """The joint shares of target × candidate in this sub-population, of the whole."""
        classes = (self.weights[:, None] * self._answers(target)).T
        return {name: classes @ self._answers(name) for name in candidates}

    def cells(self) -> tuple[NDArray[np.int16], Array] | None:
        """Every combination of true answers with its share; None where they are too many."""
        names = self.design.names
        sizes = [self._table(name).shape[1] for name in names]
        if prod(sizes) > _WRITTEN_OUT:
            return None
        half = len(names) // 2
        first = _products([self._answers(name) for name in names[:half]], self.weights)
        last = _products([self._answers(name) for name in names[half:]], np.ones_like(self.weights))
        table = (first.T @ last).ravel()
        filled = np.flatnonzero(table)
        codes = np.stack(np.unravel_index(filled, sizes), axis=1).astype(np.int16)
        return codes, table[filled]

    def hidden(self, target: str, features: Sequence[str]) -> HiddenClasses:
        """What predicts the target from the answers to some questions."""
        tables = [self._answers(name) for name in features]
        return HiddenClasses(self.weights, self._answers(target), tables)

    def proba(self, target: str, codes: NDArray[Any]) -> Array:
        """The chance of each class given the true answers to all other questions.

        ``codes`` has a column a question, in the design's order; the target's is not looked at.
        """
        places = [i for i, name in enumerate(self.design.names) if name != target]
        features = [self.design.names[i] for i in places]
        return self.hidden(target, features).chances([codes[:, i] for i in places])

    def _question(self, name: str) -> Any:
        return self.design.question(name)

    def _table(self, name: str) -> Array:
        return self.tables[self.design.position(name)]

    def _answers(self, name: str) -> Array:
        """The distribution of an answer in each component of this sub-population."""
        table = self._table(name)
        if name not in self.within:
            return table
        fixed = np.zeros_like(table)
        fixed[:, self.within[name]] = 1.0
        return fixed


def _products(tables: Sequence[Array], weights: Array) -> Array:
    """The chance of every combination of answers in each component: (components, cells)."""
    cells = weights[:, None]
    for table in tables:
        cells = (cells[:, :, None] * table[:, None, :]).reshape(len(cells), -1)
    return cells
