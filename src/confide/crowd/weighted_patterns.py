"""Patterns of answers with weights, as classifiers of other packages learn from them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np

from confide.arrays import Array, Codes, Values
from confide.design import Finite, Question, YesNo

_TWO = 2
"""So many options need no column each: one of 0 and 1 tells them."""


class WeightedPatterns(tuple[Array, Values, Array]):
    """X, y and weight, to be unpacked, with the names of X's columns.

    Attributes
    ----------
    names : tuple of str
        One per column of X: the question, or "faculty = law" for the option that is 1 in it.
    """

    names: tuple[str, ...]

    @classmethod
    def of(cls, questions: Sequence[Question], codes: Codes, labels: Values, weight: Array) -> Self:
        """Write codes of the answers to some questions as columns of numbers."""
        names: list[str] = []
        columns: list[Array] = []
        for question, column in zip(questions, codes.T, strict=True):
            yes_or_no = isinstance(question, YesNo) and question.size == _TWO
            if isinstance(question, Finite) and not question.ordered and not yes_or_no:
                first = 1 if question.size == _TWO else 0
                names += [f"{question.name} = {label}" for label in question.labels[first:]]
                columns += list(np.eye(question.size)[column].T[first:])
            else:
                names.append(question.name)
                columns.append(question.numbers[column])
        patterns = cls((np.stack(columns, axis=1), labels, weight))
        patterns.names = tuple(names)
        return patterns
