"""How the distinct reports of a batch are laid out as pairs of halves, for products of matrices.

A pattern is a pair: the place of its left half among the distinct left halves, and that of its
right half. `DenseLayout` has one cell per possible pair, which makes for quick products but more
cells than patterns; `SparseLayout` has one per pair that occurs.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from confide.arrays import Array, Indices
from confide.estimators.latent_classes.workspace import Workspace

_CELLS_PER_PATTERN, _MOST_CELLS = 16, 1 << 18
"""A dense layout has at most this many cells for each pattern, and in all."""


class Layout(Protocol):
    """How the patterns of a batch are laid out."""

    def multiply_halves(self, left: Array, right: Array, space: Workspace) -> Array:
        """Sum the products of both halves' chances over the components: (members, patterns).

        ``left`` and ``right`` have the shape (members, distinct halves, components).
        """
        ...

    def sum_over_pairs(self, ratio: Array, left: Array, right: Array) -> tuple[Array, Array]:
        """Sum ratio × the other half's chance over the patterns of each half's distinct reports.

        ``ratio`` has the shape (members, patterns); the results are shaped like ``left`` and
        ``right``.
        """
        ...


def choose_layout(left: Indices, right: Indices, shape: tuple[int, int]) -> Layout:
    """Choose the cheaper layout of patterns, given by the places of their halves."""
    if shape[0] * shape[1] <= min(_CELLS_PER_PATTERN * len(left), _MOST_CELLS):
        return DenseLayout(left, right, shape)
    return SparseLayout(left, right, shape)


class DenseLayout:
    """One cell for every pair: (members, distinct left halves, distinct right halves)."""

    def __init__(self, left: Indices, right: Indices, shape: tuple[int, int]) -> None:
        self._cells, self._shape = left * shape[1] + right, shape
        self._ratio = np.zeros((0, *shape))  # cells without a pattern hold 0

    def multiply_halves(self, left: Array, right: Array, space: Workspace) -> Array:
        table = space.take("pairs", len(left), *self._shape)
        np.matmul(left, right.transpose(0, 2, 1), out=table)
        return table.reshape(len(left), -1).take(self._cells, axis=1)

    def sum_over_pairs(self, ratio: Array, left: Array, right: Array) -> tuple[Array, Array]:
        if len(ratio) != len(self._ratio):
            self._ratio = np.zeros((len(ratio), *self._shape))
        table = self._ratio
        table.reshape(len(ratio), -1)[:, self._cells] = ratio
        return np.matmul(table, right), np.matmul(table.transpose(0, 2, 1), left)


class SparseLayout:
    """One cell for every pair that occurs: (members, patterns)."""

    def __init__(self, left: Indices, right: Indices, shape: tuple[int, int]) -> None:
        self._left, self._right, self._shape = left, right, shape
        self._order = np.lexsort((right, left))
        self._columns = right[self._order]
        self._starts = np.searchsorted(left[self._order], np.arange(shape[0] + 1))

    def multiply_halves(self, left: Array, right: Array, space: Workspace) -> Array:  # noqa: ARG002
        members = zip(left, right, strict=True)
        return np.stack([np.einsum("nz,nz->n", x[self._left], y[self._right]) for x, y in members])

    def sum_over_pairs(self, ratio: Array, left: Array, right: Array) -> tuple[Array, Array]:
        of_left, of_right = np.empty_like(left), np.empty_like(right)
        for member, values in enumerate(ratio[:, self._order]):
            table = csr_matrix((values, self._columns, self._starts), self._shape)
            of_left[member] = table @ right[member]
            of_right[member] = table.T @ left[member]
        return of_left, of_right
