"""A group's exact channel: which report follows which truth, in integers.

The same weights serve the simulation here and the respondent's script: a branch is drawn (truth
or cover), then each question's report is looked up in that branch's table. Every integer is
drawn before an answer is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypedDict, final

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Codes
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import common_denominator
from confide.mechanisms.randomness import Randomness

ExactMatrix = Sequence[Sequence[Fraction]]
"""Rows are reports, columns are truths, columns sum to one."""

IntArray = NDArray[np.int64]

_LOOKUP_CELLS = 1 << 20
"""Up to so many integers each has its report written down; beyond, it is searched for."""


def identity(size: int) -> ExactMatrix:
    """The matrix of an answer that is reported as it is."""
    return [[Fraction(row == column) for column in range(size)] for row in range(size)]


@final
class ChannelWeights(TypedDict):
    """A channel in integers, as the respondent's script reads it; see `Channel.weights`."""

    branches: list[int]
    questions: list[list[list[list[int]]]]


@dataclass(frozen=True, eq=False)
class Channel:
    """A mixture of branches, each with one exact matrix per question.

    Parameters
    ----------
    odds : sequence of Fraction
        The probability of each branch.
    branches : sequence of sequences of matrices
        ``branches[b][i][report][truth]``.
    """

    odds: Sequence[Fraction]
    branches: Sequence[Sequence[ExactMatrix]]

    @classmethod
    def of(cls, odds: Sequence[Fraction], branches: Sequence[Sequence[ExactMatrix]]) -> Channel:
        """Make a channel, without the branches that never happen; one question is one table."""
        kept = [(odd, branch) for odd, branch in zip(odds, branches, strict=True) if odd]
        if len(kept[0][1]) == 1:
            blend = [
                [sum((o * b[0][r][t] for o, b in kept), Fraction()) for t in range(len(row))]
                for r, row in enumerate(kept[0][1][0])
            ]
            kept = [(Fraction(1), [blend])]
        return cls([odd for odd, _ in kept], [branch for _, branch in kept])

    @cached_property
    def mixture(self) -> Mixture:
        """The channel as floating-point algebra."""
        terms = [
            (float(odd), [np.array(matrix, dtype=float) for matrix in branch])
            for odd, branch in zip(self.odds, self.branches, strict=True)
        ]
        return Mixture.of(terms)

    @cached_property
    def branch_weights(self) -> IntArray:
        """Integers in proportion to the branches' probabilities."""
        return np.asarray(_scale_to_integers([self.odds])[0])

    @cached_property
    def tables(self) -> list[IntArray]:
        """For each question the integers ``[branch, truth, report]``, every row with one sum."""
        return [
            _scale_to_integers(
                [row for branch in self.branches for row in zip(*branch[i], strict=True)]
            ).reshape(len(self.branches), len(self.branches[0][i][0]), -1)
            for i in range(len(self.branches[0]))
        ]

    def weights(self) -> ChannelWeights:
        """Give the integer weights as the respondent's script reads them.

        ``branches`` are the weights of the branches; ``questions[i][branch][truth][report]`` those
        of the reports. Draw one integer below the branches' sum, one per question below its rows'
        common sum, then look up.
        """
        return {
            "branches": self.branch_weights.tolist(),
            "questions": [table.tolist() for table in self.tables],
        }

    def sample(self, codes: Sequence[Codes], randomness: Randomness) -> list[Codes]:
        """Disguise whole columns of option numbers, one column per question."""
        size = len(codes[0])
        branch = self._branch_picker.pick(0, randomness, size) if len(self.odds) > 1 else None
        return [
            picker.pick(_number_rows(branch, table, column), randomness, size)
            for picker, table, column in zip(self._pickers, self.tables, codes, strict=True)
        ]

    @cached_property
    def _branch_picker(self) -> Picker:
        return Picker(self.branch_weights[None])

    @cached_property
    def _pickers(self) -> list[Picker]:
        return [Picker(table.reshape(-1, table.shape[-1])) for table in self.tables]


class Picker:
    """Draws a column for each given row of a table of integer weights.

    Laid end to end the rows' weights cut one long range of integers into cells; row · sum + draw
    is a place in that range and its cell is the report.
    """

    def __init__(self, weights: IntArray) -> None:
        self._columns = weights.shape[1]
        self._sum = int(weights[0].sum())
        self._kind = np.min_scalar_type(self._sum * len(weights))
        self._ends = np.cumsum(weights.ravel())
        self._cells = self._make_lookup() if self._ends[-1] <= _LOOKUP_CELLS else None

    def _make_lookup(self) -> Codes:
        cells = self._find_cells(np.arange(self._ends[-1]))
        return cells.astype(np.min_scalar_type(self._columns))

    def _find_cells(self, place: Codes) -> Codes:
        return np.mod(np.searchsorted(self._ends, place, side="right"), self._columns)

    def pick(self, row: Codes | int, randomness: Randomness, size: int) -> Codes:
        draw = randomness.integers(self._sum, size).astype(self._kind, copy=False)
        place = np.asarray(row).astype(self._kind, copy=False) * self._kind.type(self._sum) + draw
        if self._cells is None:
            return self._find_cells(place).astype(np.min_scalar_type(self._columns))
        return np.take(self._cells, place)


def _number_rows(branch: Codes | None, table: IntArray, codes: Codes) -> Codes:
    """Number the rows of a ``[branch, truth, report]`` table."""
    if branch is None:
        return codes
    branches, truths, _ = table.shape
    kind = np.min_scalar_type(branches * truths)
    return np.add(branch.astype(kind) * kind.type(truths), codes.astype(kind, copy=False))


def _scale_to_integers(rows: Sequence[Sequence[Fraction]]) -> IntArray:
    """Scale rows of exact probabilities to integers with one common sum."""
    total = common_denominator((p for row in rows for p in row), "a channel")
    return np.array([[int(p * total) for p in row] for row in rows], dtype=np.int64)
