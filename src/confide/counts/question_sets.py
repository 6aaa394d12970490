"""The reported tables of many sets of questions, in one pass over the reports.

The last two questions of a set are crossed with each other by a product of matrices: one column
that says yes for each report of a question but the first, and one of ones. What the first report
lacks is what the others leave of the whole. So sets that begin alike are counted together, for each
combination of reports to the questions that they begin with. Counts are whole numbers, which floats
hold exactly: no order of summing changes them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import prod

import numpy as np

from confide.arrays import Array, Codes
from confide.counts.counts import Counts, report_sizes
from confide.counts.distinct_rows import number_cells

_ROWS = 1 << 14
"""So many rows are counted at a time: as many as fit into the processor's caches."""
_EXACT = 1 << 24
"""Up to this 32-bit floats hold every whole number."""
_MOST_SUMS = 1 << 23
"""So many sums are kept at a time; more take another pass over the reports."""
Set = tuple[int, ...]
"""The places of some questions, in the design's order."""


def tabulate_sets(counts: Counts, sets: Sequence[Sequence[str]]) -> list[Array]:
    """Count the reports to sets of equally many questions: tables with one axis per question.

    The questions of a set are in the design's order. Weights, where reports have them, add up to n.

    >>> import confide as cf
    >>> counts = cf.Counts.of(
    ...     cf.Design([cf.YesNo(name) for name in "abc"]), np.array([[1, 0, 1], [1, 1, 1]])
    ... )
    >>> [table.tolist() for table in tabulate_sets(counts, ["ab", "ac"])]
    [[[0.0, 0.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 2.0]]]
    """
    if any(len(names) < 2 for names in sets):
        return [counts.table(names) for names in sets]
    places = [tuple(counts.design.position(name) for name in names) for names in sets]
    found: dict[Set, Array] = {}
    for part in _split_by_memory(sorted(set(places)), report_sizes(counts.design)):
        found.update(_PairSums(counts, part).tabulate())
    return [found[each] for each in places]


def _split_by_memory(sets: Sequence[Set], sizes: Sequence[int]) -> Iterator[list[Set]]:
    """Split sorted sets into parts whose sums fit into memory; those that begin alike stay so."""
    part: list[Set] = []
    most = kept = 0
    for start, alike in groupby(sets, key=lambda each: each[:-2]):
        most = prod(sizes[place] for place in start) * sum(sizes) ** 2
        if part and kept + most > _MOST_SUMS:
            yield part
            part, kept = [], 0
        part.extend(alike)
        kept += most
    if part:
        yield part


class _PairSums:
    """Sums of products of two columns, for each combination of the reports that sets begin with."""

    def __init__(self, counts: Counts, sets: Sequence[Set]) -> None:
        self._counts, self._sizes = counts, report_sizes(counts.design)
        self._starts = {
            start: list(alike) for start, alike in groupby(sets, key=lambda each: each[:-2])
        }
        self._asked = sorted({place for each in sets for place in each[-2:]})
        widths = [self._sizes[place] - 1 for place in self._asked]
        ends = np.cumsum([0, *widths]).tolist()
        self._first = dict(zip(self._asked, ends[:-1], strict=True))
        self._columns = ends[-1] + 1  # the last one is of ones

    def tabulate(self) -> dict[Set, Array]:
        """Give the table of each set."""
        sums = {start: self._make_sums(start) for start in self._starts}
        counts = self._counts
        weights: Codes = counts.reports if counts.drawn is None else counts.shares * counts.n
        for first in range(0, len(weights), _ROWS):
            rows = slice(first, first + _ROWS)
            self._add_rows(sums, self._counts.patterns[rows], weights[rows])
        return {
            each: table
            for start, sets in self._starts.items()
            for each, table in self._read_tables(start, sets, sums[start])
        }

    def _find_lowest(self, start: Set) -> int:
        """Find the first column that the sets need which begin so."""
        return self._first[min(each[-2] for each in self._starts[start])]

    def _make_sums(self, start: Set) -> Array:
        width = self._columns - self._find_lowest(start)
        return np.zeros((prod(self._sizes[place] for place in start), width, width))

    def _add_rows(self, sums: dict[Set, Array], rows: Codes, weights: Codes) -> None:
        """Add some rows to all sums."""
        whole = weights.dtype.kind == "i" and int(weights.sum()) < _EXACT
        kind = np.float32 if whole else np.float64
        columns = np.ones((len(rows), self._columns), kind)
        for place, first in self._first.items():
            for code in range(1, self._sizes[place]):
                columns[:, first + code - 1] = rows[:, place] == code
        alone = bool((weights == 1).all())
        for start, total in sums.items():
            cell = number_cells(
                [np.zeros(len(rows), np.intp), *(rows[:, place] for place in start)],
                [1, *(self._sizes[place] for place in start)],
            )
            order = np.argsort(cell, kind="stable")
            ends = np.bincount(cell, minlength=len(total)).cumsum()
            sorted_rows = columns[order] if start else columns
            lowest = self._find_lowest(start)
            for k, (begin, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
                one = sorted_rows[begin:end, lowest:]
                other = one if alone else one * weights[order[begin:end], None].astype(kind)
                total[k] += one.T @ other

    def _read_tables(
        self, start: Set, sets: Iterable[Set], sums: Array
    ) -> Iterator[tuple[Set, Array]]:
        """Give the tables of all sets that begin so, the first reports filled in."""
        lowest, ones = self._find_lowest(start), sums.shape[1] - 1
        spread: list[Array] = []
        where, end = {}, 0
        for place, first in self._first.items():
            if first >= lowest:
                own = np.zeros((self._sizes[place], ones + 1))
                own[1:, first - lowest : first - lowest + len(own) - 1] = np.eye(len(own) - 1)
                own[0] = -own[1:].sum(axis=0)
                own[0, ones] = 1
                where[place] = slice(end, end + len(own))
                end += len(own)
                spread.append(own)
        every = np.concatenate(spread)
        pairs = every @ sums @ every.T
        shape = [self._sizes[place] for place in start]
        for each in sets:
            one, other = each[-2:]
            sizes = (*shape, self._sizes[one], self._sizes[other])
            yield each, pairs[:, where[one], where[other]].reshape(sizes)
