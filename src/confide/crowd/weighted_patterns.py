"""Patterns of answers with weights, as classifiers of other packages learn from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from confide.arrays import Array, Codes, Values
from confide.design import Finite, Question

_TWO = 2
"""So many options need no column each: one of 0 and 1 tells them."""


class WeightedPatterns(tuple[Array, Values, Array]):
    """X, y and weight, to be unpacked, with the names of X's columns.

    Attributes
    ----------
    names : tuple of str
        One per column of X: the question, or "faculty = law" for an option of its own.
    """

    names: tuple[str, ...]

    @classmethod
    def of(cls, questions: Sequence[Question], codes: Codes, labels: Values, weight: Array) -> Self:
        """Write codes of the answers to some questions as columns of numbers."""
        names: list[str] = []
        columns: list[Array] = []
        for question, column in zip(questions, codes.T, strict=True):
            if isinstance(question, Finite) and question.size > _TWO and not question.ordered:
                names += [f"{question.name} = {label}" for label in question.labels]
                columns += list(np.eye(question.size)[column].T)
            else:
                names.append(question.name)
                columns.append(question.numbers[column])
        patterns = cls((np.stack(columns, axis=1), labels, weight))
        patterns.names = tuple(names)
        return patterns
