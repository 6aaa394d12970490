"""Rows of codes: their cells' numbers in a table, their order, and the distinct ones among them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from confide.arrays import Codes, Indices

_LARGEST_CELL_NUMBER = 2**62


def number_cells(columns: Sequence[Codes], sizes: Sequence[int]) -> Codes:
    """Number each row's cell in a table, in C order and in the smallest integers."""
    kind = np.min_scalar_type(prod(sizes)) if prod(sizes) else np.dtype(np.int64)
    key = columns[0].astype(kind, copy=False) if columns else np.zeros(0, np.intp)
    for column, size in zip(columns[1:], sizes[1:], strict=True):
        key = key * kind.type(size) + column.astype(kind, copy=False)
    return key


def sort_rows(rows: Codes, sizes: Sequence[int]) -> tuple[Indices, Indices]:
    """Sort rows; return their order, and where each run of equal rows starts in it."""
    if prod(sizes) < _LARGEST_CELL_NUMBER:
        same = np.zeros(len(rows), np.int64)  # rows without columns are all equal
        key = number_cells([same, *rows.astype(np.int64).T], [1, *sizes])
        order = np.argsort(key, kind="stable")
        new = np.diff(key[order].astype(np.int64)) != 0
    else:
        order = np.lexsort(rows.T[::-1])
        new = (np.diff(rows[order], axis=0) != 0).any(axis=1)
    return order, np.flatnonzero(np.r_[True, new])


def find_distinct_rows(rows: Codes) -> tuple[Codes, Indices]:
    """Find the distinct rows, sorted, and each row's place among them.

    >>> distinct, place = find_distinct_rows(np.array([[1, 0], [0, 1], [1, 0]]))
    >>> distinct.tolist(), place.tolist()
    ([[0, 1], [1, 0]], [1, 0, 1])
    """
    order, starts = sort_rows(rows, [int(column.max()) + 1 for column in rows.T])
    place = np.empty(len(rows), np.intp)
    place[order] = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(rows)))
    return rows[order[starts]], place
