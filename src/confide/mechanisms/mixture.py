"""Sums of products of small matrices: the one algebra behind every channel.

A group's channel is M = θ·⊗I + (1 − θ)·⊗C: two terms, each a product with one small matrix per
question. Its inverse is again such a sum, and so is the elementwise square that variances need.
Written this way nothing ever builds the big matrix, and leaving questions out is leaving their
factors out, because every factor's columns sum to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce

import numpy as np

from confide.arrays import Array, Codes

Move = slice | Array | None
"""What a factor does along an axis: turn it round, multiply it by a matrix, or nothing."""


@dataclass(frozen=True, eq=False)
class Mixture:
    """Σ_j w_j · F_j1 ⊗ F_j2 ⊗ …, kept as its factors.

    Parameters
    ----------
    weights : array of shape (terms,)
        The coefficients w_j; they sum to one but may be negative.
    factors : one array of shape (terms, rows, columns) per question
        The matrix F_ji of term j on question i.
    """

    weights: Array
    factors: tuple[Array, ...]

    @classmethod
    def identity(cls, sizes: Sequence[int]) -> Mixture:
        """The channel of questions asked in the clear."""
        return cls(np.ones(1), tuple(np.eye(size)[None] for size in sizes))

    @classmethod
    def of(cls, terms: Sequence[tuple[float, Sequence[Codes]]]) -> Mixture:
        """Gather (weight, one matrix per question) pairs."""
        weights = np.array([float(weight) for weight, _ in terms])
        by_question = zip(*(matrices for _, matrices in terms), strict=True)
        return cls(weights, tuple(np.array(list(each), dtype=float) for each in by_question))

    def marginal(self, keep: Sequence[int]) -> Mixture:
        """The same operator on the table of some of the questions only.

        A factor left out contributes its column sums, which are one. Terms that no longer differ
        are one term, and a sum over a single question is a single matrix.
        """
        factors = tuple(self.factors[i] for i in keep)
        if len(factors) == 1:
            return Mixture(np.ones(1), (np.tensordot(self.weights, factors[0], 1)[None],))
        terms: dict[tuple[bytes, ...], list[int]] = {}
        for j in range(len(self.weights)):
            terms.setdefault(tuple(f[j].tobytes() for f in factors), []).append(j)
        first = [same[0] for same in terms.values()]
        weights = np.array([self.weights[same].sum() for same in terms.values()])
        return Mixture(weights, tuple(f[first] for f in factors))

    @cached_property
    def transposed(self) -> Mixture:
        """The transpose: from functions of the truth to functions of the report, and back."""
        return Mixture(self.weights, tuple(f.transpose(0, 2, 1) for f in self.factors))

    @cached_property
    def squared(self) -> Mixture:
        """The operator whose entries are the squares of this one's.

        (Σ_j w_j ⊗F_j)∘(Σ_k w_k ⊗F_k) = Σ_jk w_j w_k ⊗(F_j∘F_k); terms that vanish are dropped.
        """
        j, k = np.triu_indices(len(self.weights))
        weights = self.weights[j] * self.weights[k] * np.where(j == k, 1, 2)
        factors = tuple(f[j] * f[k] for f in self.factors)
        kept = np.logical_and.reduce([weights != 0, *(f.any((1, 2)) for f in factors)])
        return Mixture(weights[kept], tuple(f[kept] for f in factors))

    def times(self, other: Mixture) -> Mixture:
        """The elementwise product with another operator; a single row or column is repeated.

        (Σ_j w_j ⊗F_j)∘(Σ_k v_k ⊗G_k) = Σ_jk w_j v_k ⊗(F_j∘G_k); terms that vanish are dropped.
        """
        j, k = (i.ravel() for i in np.indices((len(self.weights), len(other.weights))))
        weights = self.weights[j] * other.weights[k]
        pairs = zip(self.factors, other.factors, strict=True)
        factors = tuple(f[j] * g[k] for f, g in pairs)
        kept = np.logical_and.reduce([weights != 0, *(f.any((1, 2)) for f in factors)])
        return Mixture(weights[kept], tuple(f[kept] for f in factors))

    def power(self, exponent: int) -> Mixture:
        """The elementwise power, such as the square and the cube that an interval needs."""
        if exponent == 1:
            return self
        if exponent % 2:
            return self.power(exponent - 1).times(self)
        return self.power(exponent // 2).squared

    def sum_rows(self) -> Array:
        """The sum of each row, as a table with one axis per question."""
        total = np.zeros(tuple(f.shape[1] for f in self.factors))
        for j, weight in enumerate(self.weights):
            total += weight * reduce(np.multiply.outer, [f[j].sum(axis=1) for f in self.factors])
        return total

    def matrix(self) -> Array:
        """The whole matrix, for small groups and for tests."""
        total = np.zeros((1, 1))
        for j, weight in enumerate(self.weights):
            product = np.ones((1, 1))
            for factor in self.factors:
                product = np.kron(product, factor[j])
            total = total + weight * product
        return total

    def apply(self, table: Codes, axes: Sequence[int]) -> Array:
        """Apply the operator to the given axes of a table, one axis per question."""
        return np.asarray(
            sum(
                weight * reduce(_apply_along, zip(axes, self._moves[j], strict=True), table)
                for j, weight in enumerate(self.weights)
            )
        )

    @cached_property
    def _moves(self) -> list[list[Move]]:
        """For each factor the cheapest operation that does its work."""
        return [[_choose_move(f[j]) for f in self.factors] for j in range(len(self.weights))]


def _choose_move(matrix: Array) -> Move:
    """Choose how a factor is applied: not at all if an identity, as a view if a flip, or whole."""
    for move, rows in ((None, 1), (slice(None, None, -1), -1)):
        if np.array_equal(matrix, np.eye(len(matrix))[::rows]):
            return move
    return matrix


def _apply_along(table: Codes, step: tuple[int, Move]) -> Codes:
    axis, move = step
    if move is None:
        return table
    if isinstance(move, slice):
        return table[(slice(None),) * axis + (move,)]
    return np.moveaxis(np.tensordot(move, table, (1, axis)), 0, axis)
