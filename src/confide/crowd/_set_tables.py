"""The reported tables of many sets of questions, each with the weights of its cells."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from confide.arrays import Array
from confide.counts import Counts, report_sizes
from confide.counts.question_sets import tabulate_sets
from confide.estimators.table_channel import TableChannel

Names = tuple[str, ...]
"""A set of questions, in the design's order."""
_KEPT = 1 << 12
"""Operators of so many numbers are kept for other sets that are disguised alike."""
Operators = tuple[Array, Array]


@dataclass(frozen=True, eq=False)
class SetTable:
    """One batch's reported table of a set of questions, its cells in one row.

    Parameters
    ----------
    shares : array of shape (cells,)
        The share of the reports in each cell.
    weights, made_up : arrays of shape (*answers, cells)
        For each combination of true answers the weight of each cell in the estimate of its share,
        and how often made-up people report the cell, of whom half have these answers and half any
        others alike.
    """

    shares: Array
    weights: Array
    made_up: Array


class SetTables:
    """The tables of one batch, by their sets of questions.

    Parameters
    ----------
    counts : Counts
        The batch.
    """

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        sizes = report_sizes(counts.design)
        self._sizes = dict(zip(counts.design.names, sizes, strict=True))
        self._tables: dict[Names, SetTable] = {}
        self._kept: dict[object, Operators] = {}

    def __getitem__(self, names: Names) -> SetTable:
        return self._tables[names]

    def report_sizes(self, names: Names) -> list[int]:
        """How many different reports each question of a set has."""
        return [self._sizes[name] for name in names]

    def count(self, sets: Sequence[Names]) -> None:
        """Count the reports to sets of equally many questions, in one pass."""
        for names, table in zip(sets, tabulate_sets(self.counts, sets), strict=True):
            weights, made_up = self._find_operators(TableChannel(self.counts.design, names))
            self._tables[names] = SetTable(table.ravel() / self.counts.n, weights, made_up)

    def _find_operators(self, channel: TableChannel) -> Operators:
        """Find the weights and the reports of made-up people; sets disguised alike share them."""
        key = channel.describe()
        if key not in self._kept:
            found = _write_out(channel)
            if found[0].size > _KEPT:
                return found
            self._kept[key] = found
        return self._kept[key]


def _write_out(channel: TableChannel) -> Operators:
    """Write out both operators on the table of a few questions."""
    cells = prod(channel.shape)
    having = np.eye(cells).reshape(*channel.shape, cells)
    others = (1 - having) / (cells - 1)
    weights, made_up = channel.weights(having), channel.apply((having + others) / 2)
    return (
        np.ascontiguousarray(weights.reshape(-1, cells).T).reshape(*channel.shape, -1),
        np.ascontiguousarray(made_up.reshape(-1, cells).T).reshape(*channel.shape, -1),
    )
