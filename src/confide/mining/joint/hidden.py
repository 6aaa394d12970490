"""Naive Bayes with hidden classes: what predicts from a mixture of products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array

_TINY = 1e-300
_ROWS = 4096
"""So many rows are predicted at a time, to keep the work in reach of the memory."""


@dataclass(frozen=True, eq=False)
class HiddenClasses:
    """P(class | answers) ∝ Σ_z weights_z · classes[z, class] · Π_i tables_i[z, answer_i].

    Parameters
    ----------
    weights : array of shape (components,)
        The components' shares.
    classes : array of shape (components, classes)
        The distribution of the class in each component.
    tables : one array of shape (components, answers) a question
        The distribution of its answer in each component.
    """

    weights: Array
    classes: Array
    tables: Sequence[Array]

    def chances(self, columns: Sequence[NDArray[Any]]) -> Array:
        """The chance of each class for rows of answer codes, one column a question."""
        rows = len(columns[0])
        logs = [np.log(np.maximum(table, _TINY)).T for table in self.tables]
        found = np.empty((rows, self.classes.shape[1]))
        for start in range(0, rows, _ROWS):
            some = slice(start, start + _ROWS)
            total = np.log(np.maximum(self.weights, _TINY)) + sum(
                log[column[some]] for log, column in zip(logs, columns, strict=True)
            )
            explained = np.exp(total - total.max(axis=1, keepdims=True))
            found[some] = explained @ self.classes
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def to_dict(self) -> dict[str, Any]:
        """The arrays as plain lists."""
        tables = [table.tolist() for table in self.tables]
        return {
            "weights": self.weights.tolist(),
            "classes": self.classes.tolist(),
            "tables": tables,
        }

    @classmethod
    def from_dict(cls, given: dict[str, Any], sizes: Sequence[int], classes: int) -> Self:
        """Read what `to_dict` wrote; a ValueError says that it cannot be that."""
        weights, rest = np.array(given["weights"], float), np.array(given["classes"], float)
        tables = [np.array(table, float) for table in given["tables"]]
        shapes = [(len(weights), k) for k in (classes, *sizes)]
        if [array.shape for array in (rest, *tables)] != shapes:
            raise ValueError("tables of another shape")
        if any(not (array >= 0).all() for array in (weights, rest, *tables)):
            raise ValueError("a negative probability")
        return cls(weights, rest, tables)
