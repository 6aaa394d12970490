"""The distinct reports as pairs of halves: all pairs as a table, or only those that occur.

Both lay out what is known of each pattern, such as how many reports show it, in their own way, one
row a member; sums over patterns are then products of matrices.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

Array = NDArray[Any]

_ROOM, _MOST = 16, 1 << 18
"""The table may have so many times as many cells as there are patterns, and so many at most."""


class Pairs(Protocol):
    """How the patterns of a batch are laid out."""

    def laid(self, values: Array) -> Array:
        """What is given by pattern (members, patterns), laid out; nothing where nobody is."""
        ...

    def by_pattern(self, laid: Array) -> Array:
        """What is laid out, by pattern again: (members, patterns)."""
        ...

    def outer_sum(self, left: Array, right: Array) -> Array:
        """The sum of what belongs to each half."""
        ...

    def chance(self, a: Array, b: Array) -> Array:
        """Σ_z a_z b_z of each pattern, from each half's (members, reports, components)."""
        ...

    def shared(self, ratio: Array, a: Array, b: Array) -> tuple[Array, Array]:
        """Σ over the patterns of a half's report of ratio times the other half's chance."""
        ...


def pairs(left: Array, right: Array, shape: tuple[int, int]) -> Pairs:
    """The cheaper layout of patterns, given by the places of their halves."""
    if shape[0] * shape[1] <= min(_ROOM * len(left), _MOST):
        return AllPairs(left, right, shape)
    return SeenPairs(left, right, shape)


class AllPairs:
    """Left × right as a table."""

    def __init__(self, left: Array, right: Array, shape: tuple[int, int]) -> None:
        self._cells, self._shape = (left, right), shape

    def laid(self, values: Array) -> Array:
        table = np.zeros((len(values), *self._shape))
        table[:, *self._cells] = values
        return table

    def by_pattern(self, laid: Array) -> Array:
        return laid[:, *self._cells]

    def outer_sum(self, left: Array, right: Array) -> Array:
        return left[:, None] + right

    def chance(self, a: Array, b: Array) -> Array:
        return np.matmul(a, b.transpose(0, 2, 1))

    def shared(self, ratio: Array, a: Array, b: Array) -> tuple[Array, Array]:
        return np.matmul(ratio, b), np.matmul(ratio.transpose(0, 2, 1), a)


class SeenPairs:
    """The pairs that occur, as a list."""

    def __init__(self, left: Array, right: Array, shape: tuple[int, int]) -> None:
        self._left, self._right, self._shape = left, right, shape
        self._order = np.lexsort((right, left))
        self._columns = right[self._order]
        self._starts = np.searchsorted(left[self._order], np.arange(shape[0] + 1))

    def laid(self, values: Array) -> Array:
        return values.astype(np.float64)

    def by_pattern(self, laid: Array) -> Array:
        return laid

    def outer_sum(self, left: Array, right: Array) -> Array:
        return np.asarray(left[self._left] + right[self._right])

    def chance(self, a: Array, b: Array) -> Array:
        each = zip(a, b, strict=True)
        return np.stack([np.einsum("nz,nz->n", x[self._left], y[self._right]) for x, y in each])

    def shared(self, ratio: Array, a: Array, b: Array) -> tuple[Array, Array]:
        tables = [
            csr_matrix((each, self._columns, self._starts), self._shape)
            for each in ratio[:, self._order]
        ]
        return (
            np.stack([table @ y for table, y in zip(tables, b, strict=True)]),
            np.stack([table.T @ x for table, x in zip(tables, a, strict=True)]),
        )
