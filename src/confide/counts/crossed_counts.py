"""How often the reports of some questions came together, crossed with every question in turn.

Such tables are all that naive Bayes or a level of a tree needs, however many patterns of reports
there are. They are sums over reports: those of parts of the reports add up to those of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from confide.arrays import Codes
from confide.counts.distinct_rows import number_cells

_ROWS = 1 << 14
"""So many rows are counted at a time: as many as fit into the processor's caches."""


@dataclass(frozen=True, eq=False)
class CrossedCounts:
    """Reports of some questions taken together, crossed with every question.

    Parameters
    ----------
    sizes : tuple of int
        How many different reports each question of the design has.
    given : tuple of int
        The places of the questions whose reports are taken together.
    tables : array of shape (combinations of these, reports of all questions one after the other)
        How many reports there are; weights, where reports have them.
    """

    sizes: tuple[int, ...]
    given: tuple[int, ...]
    tables: Codes

    def whole(self) -> Codes:
        """The table of the given questions, one axis per question."""
        return self.tables[:, : self.sizes[0]].sum(axis=1).reshape(self._shape)

    def beside(self, place: int) -> Codes:
        """The table of the given questions and one more, which is the last axis."""
        first = sum(self.sizes[:place])
        part = self.tables[:, first : first + self.sizes[place]]
        return part.reshape(*self._shape, self.sizes[place])

    @property
    def _shape(self) -> tuple[int, ...]:
        return tuple(self.sizes[place] for place in self.given)


def count_cells(sizes: Sequence[int], given: Sequence[int]) -> int:
    """Count the combinations of reports that some questions have."""
    return prod(sizes[place] for place in given)


def cross_rows(
    sizes: Sequence[int], given: Sequence[Sequence[int]], rows: Codes, weights: Codes
) -> list[CrossedCounts]:
    """Count rows of report codes, each of which stands for so many reports, in one pass.

    Examples
    --------
    >>> rows = np.array([[0, 2], [1, 0], [0, 2]])
    >>> (crossed,) = cross_rows([2, 3], [[0]], rows, np.ones(3, int))
    >>> crossed.whole().tolist(), crossed.beside(1).tolist()
    ([2, 1], [[0, 0, 2], [1, 0, 0]])
    """
    kind = np.float64 if weights.dtype.kind == "f" else np.int64
    tables = [np.zeros((count_cells(sizes, places), sum(sizes)), kind) for places in given]
    two = [place for place, size in enumerate(sizes) if size == 2]
    for start in range(0, len(rows), _ROWS):
        part, each = rows[start : start + _ROWS], weights[start : start + _ROWS]
        narrow = np.int16 if kind is np.int64 and each.sum() < 1 << 15 else kind
        bits, each = np.ascontiguousarray(part[:, two], narrow), each.astype(narrow)
        for places, table in zip(given, tables, strict=True):
            columns = [np.zeros(len(part), np.intp), *(part[:, place] for place in places)]
            cell = number_cells(columns, [1, *(sizes[place] for place in places)]).astype(np.intp)
            table += _cross_part(sizes, cell, len(table), part, each, bits).astype(kind)
    return [
        CrossedCounts(tuple(sizes), tuple(places), table)
        for places, table in zip(given, tables, strict=True)
    ]


def _cross_part(
    sizes: Sequence[int], cell: Codes, cells: int, part: Codes, weights: Codes, bits: Codes
) -> Codes:
    """Cross the cell of each row with its reports; those of two values by one sparse product."""
    from scipy.sparse import csc_matrix

    ends = np.arange(len(part) + 1)
    ones = iter((csc_matrix((weights, cell, ends), shape=(cells, len(part))) @ bits).T)
    whole = np.bincount(cell, weights, cells)
    tables: list[Codes] = []
    for place, size in enumerate(sizes):
        if size == 2:
            yes = next(ones)
            tables += [(whole - yes)[:, None], yes[:, None]]
        else:
            key = cell * size + part[:, place]
            tables.append(np.bincount(key, weights, cells * size).reshape(cells, size))
    return np.concatenate(tables, axis=1)
