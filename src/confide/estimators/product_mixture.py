"""A mixture of products: a joint distribution in whose components the answers are independent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array, Codes

_TINY = 1e-300
_ROWS = 4096
"""So many rows are predicted at a time, to keep the work in reach of the memory."""


@dataclass(frozen=True, eq=False)
class ProductMixture:
    """P(answers) = Σ_z weights_z · Π_i tables_i[z, answer_i].

    Parameters
    ----------
    weights : array of shape (components,)
        The components' shares; they sum to one.
    tables : one array of shape (components, answers) per question
        The distribution of the question's answer in each component.
    """

    weights: Array
    tables: tuple[Array, ...]

    @classmethod
    def mix(cls, shares: Sequence[float], mixtures: Sequence[ProductMixture]) -> ProductMixture:
        """Mix mixtures of the same questions, each with its share."""
        tables = zip(*(mixture.tables for mixture in mixtures), strict=True)
        weights = [share * each.weights for share, each in zip(shares, mixtures, strict=True)]
        return cls(np.concatenate(weights), tuple(np.concatenate(each) for each in tables))

    def select(self, places: Sequence[int]) -> ProductMixture:
        """Keep the questions at these places, in this order."""
        return ProductMixture(self.weights, tuple(self.tables[place] for place in places))

    def margin(self, place: int) -> Array:
        """Give the distribution of the answer to one question."""
        return self.weights @ self.tables[place]

    def cross(self, first: int, second: int) -> Array:
        """Give the joint shares of the answers to two questions."""
        return np.asarray((self.weights[:, None] * self.tables[first]).T @ self.tables[second])

    def write_out(self) -> Array:
        """Give the share of every combination of answers, the last question's running fastest."""
        half = len(self.tables) // 2
        first = _multiply(self.tables[:half], self.weights)
        last = _multiply(self.tables[half:], np.ones_like(self.weights))
        return np.asarray((first.T @ last).ravel())

    def predict_last(self, columns: Sequence[Codes]) -> Array:
        """Give the chances of the last question's answers from the answers to all others.

        Parameters
        ----------
        columns : sequence of integer arrays
            The codes of the answers, one column per question but the last.

        Returns
        -------
        array of shape (rows, answers)
            Σ_z weights_z · last[z, answer] · Π_i tables_i[z, answer_i], as shares of each row.
        """
        *known, last = self.tables
        rows = len(columns[0])
        logs = [np.log(np.maximum(table, _TINY)).T for table in known]
        chances = np.empty((rows, last.shape[1]))
        for start in range(0, rows, _ROWS):
            part = slice(start, start + _ROWS)
            total = np.log(np.maximum(self.weights, _TINY)) + sum(
                log[column[part]] for log, column in zip(logs, columns, strict=True)
            )
            posterior = np.exp(total - total.max(axis=1, keepdims=True))
            chances[part] = posterior @ last
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))


def _multiply(tables: Sequence[Array], weights: Array) -> Array:
    """Give the chance of every combination of answers in each component: (components, cells)."""
    cells = weights[:, None]
    for table in tables:
        cells = (cells[:, :, None] * table[:, None, :]).reshape(len(cells), -1)
    return cells
