"""Any stochastic matrix for one question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, log
from typing import ClassVar, Self

import numpy as np

from confide.arrays import Array
from confide.errors import DesignError, show
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.channel import Channel
from confide.mechanisms.exact_distribution import read_distributions
from confide.mechanisms.mechanism import FiniteMechanism
from confide.mechanisms.mixture import Mixture
from confide.mechanisms.probability import (
    Probability,
    ratio_for_epsilon,
    round_down,
    write_probability,
)

_WORST_CONDITION = 1e8


@dataclass(frozen=True, repr=False)
class ChannelMatrix(FiniteMechanism):
    """One question disguised by a matrix of your own.

    Parameters
    ----------
    matrix : nested sequence of probabilities
        ``matrix[report][truth]``; every column sums to one. Floats that were computed, such as
        ``1 / 3``, become fractions that make it so exactly, as `UnrelatedQuestion` takes them.
        There may be more reports than options: they are then numbered from 0, and such a question
        is simulated and analysed, but not asked on the web.

    Notes
    -----
    *Privacy.* ε is the largest log-ratio of two entries in one row; infinite where a row has a
    zero beside a positive entry.

    *Utility.* A proportion p_t from n reports has variance (Σ_r A_tr² π_r − p_t²)/n, with A the
    inverse of the matrix and π the distribution of the reports.

    *Inverse.* With more reports than options A = (MᵀWM)⁻¹MᵀW, W = diag(1/π) for options equally
    likely: of all A with AM = 1 that of the smallest variance there. Its columns sum to one.

    Examples
    --------
    >>> from confide import YesNo
    >>> matrix = ChannelMatrix([[0.9, 0.2], [0.1, 0.8]])
    >>> matrix.channel([YesNo("cheated")]).weights()
    {'branches': [1], 'questions': [[[[9, 1], [2, 8]]]]}
    """

    matrix: Sequence[Sequence[Probability]]
    kind: ClassVar[str] = "channel-matrix"
    summary: ClassVar[str] = "One question disguised by a matrix of your own."
    needed_keys: ClassVar[Json] = {
        "matrix": {
            "description": "matrix[report][truth]: every column sums to 1.",
            "type": "array",
            "minItems": 2,
            "items": {"type": "array", "minItems": 2, "items": {"$ref": "#/$defs/probability"}},
        },
    }

    def __post_init__(self) -> None:
        rows = self.matrix
        if not _is_list(rows) or not all(map(_is_list, rows)):
            raise DesignError("matrix of ChannelMatrix must be a list of rows of probabilities.")
        lengths = {len(row) for row in rows}
        if len(lengths) != 1 or not 2 <= min(lengths) <= len(rows):
            raise DesignError(
                "matrix of ChannelMatrix must have one column an option and at least as many rows: "
                f"matrix[report][truth]. Its rows have {show([len(row) for row in rows])} entries."
            )
        names = [
            f"column {column} of ChannelMatrix (the reports of one truth)"
            for column in range(min(lengths))
        ]
        columns = read_distributions(list(zip(*rows, strict=True)), names)
        exact = tuple(zip(*columns, strict=True))
        object.__setattr__(self, "matrix", exact)

    @classmethod
    def for_epsilon(cls, epsilon: float, matrix: Sequence[Sequence[Probability]]) -> Self:
        """A matrix of your own, mixed with pure chance until a report gives away at most epsilon.

        With probability θ the report comes from the matrix, else it is any option, each alike; θ
        is the largest multiple of 2^-16 that will do.

        Parameters
        ----------
        epsilon : float
            The worst-case privacy loss.
        matrix : nested sequence of probabilities
            As above.

        Examples
        --------
        >>> from confide import YesNo
        >>> truthful = [[1, 0], [0, 1]]
        >>> round(ChannelMatrix.for_epsilon(1.0, truthful).epsilon([YesNo("cheated")]), 3)
        1.0
        """
        ratio, rows = ratio_for_epsilon(epsilon), cls(matrix).matrix
        chance = Fraction(1, len(rows))
        # θa + (1 − θ)/k ≤ e^ε(θb + (1 − θ)/k) for the largest entry a and the smallest b of a row
        spare = (ratio - 1) * chance
        excess = max(Fraction(max(row)) - ratio * Fraction(min(row)) for row in rows)
        truth = round_down(spare / (spare + max(excess, Fraction())))
        return cls(
            [[truth * Fraction(entry) + (1 - truth) * chance for entry in row] for row in rows]
        )

    @property
    def _floats(self) -> Array:
        return np.array(self.matrix, dtype=float)

    def check(self, asked: Sequence[Asked]) -> None:
        self.check_kinds(asked, most=1)
        (question,) = asked
        options = len(self.matrix[0])
        if question.size != options:
            raise DesignError(
                f"ChannelMatrix for {question.name} must have {question.size} columns, one an "
                f"option. It is {len(self.matrix)} × {options}."
            )
        if np.linalg.cond(self._floats) > _WORST_CONDITION:
            raise DesignError(
                f"ChannelMatrix for {question.name} cannot be inverted: some truths give the same "
                "reports, so their shares could never be told apart."
            )

    def parameters(self) -> Json:
        return {"matrix": [[write_probability(Fraction(p)) for p in row] for row in self.matrix]}

    def channel(self, asked: Sequence[Asked]) -> Channel:  # noqa: ARG002
        exact = [[Fraction(p) for p in row] for row in self.matrix]
        return Channel.of([Fraction(1)], [[exact]])

    def inverse(
        self,
        asked: Sequence[Asked],  # noqa: ARG002
        keep: Sequence[int] | None = None,
    ) -> Mixture:
        matrix = self._floats
        if self._is_square:
            undone = np.linalg.inv(matrix)
        else:
            alike = matrix.mean(axis=1, keepdims=True)
            weighed = np.divide(matrix, alike, out=np.zeros_like(matrix), where=alike > 0).T
            undone = np.linalg.solve(weighed @ matrix, weighed)
        return Mixture.of([(1.0, [undone])]).marginal([0] if keep is None else keep)

    @property
    def _is_square(self) -> bool:
        return len(self.matrix) == len(self.matrix[0])

    def report_values(self, asked: Asked) -> Sequence[int] | None:  # noqa: ARG002
        return None if self._is_square else range(len(self.matrix))

    def epsilon(self, asked: Sequence[Asked]) -> float:  # noqa: ARG002
        rows = [row for row in self.matrix if any(row)]
        if any(0 in row for row in rows):
            return inf
        return max(log(Fraction(max(row)) / Fraction(min(row))) for row in rows)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence | np.ndarray) and not isinstance(value, str)
