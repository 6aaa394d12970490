"""The intervals of a table's shares, made when somebody asks for them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import prod
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.crowd._score_test import ScoreTest
from confide.estimators.weight_moments import WeightMoments

_FEW_CELLS = 4_096
"""Up to so many cells one pass makes the intervals of all, whichever was asked for."""


class TableIntervals(Protocol):
    """The intervals of all shares of a table, however they are made."""

    def ends(self, level: float) -> tuple[Array, Array]:
        """The lower and the upper ends of all cells."""

    def cell_ends(self, cell: tuple[int, ...], level: float) -> tuple[float, float]:
        """The lower and the upper end of one cell."""

    def accept(self, share: float, level: float) -> NDArray[np.bool_]:
        """Whether each cell's interval holds a share."""

    def at(self, cell: tuple[int, ...]) -> CellInterval:
        """The interval of one cell."""


@dataclass(frozen=True, eq=False)
class ShareIntervals:
    """The score intervals of the shares of a table.

    Parameters
    ----------
    test : ScoreTest
        The test that is inverted.
    values : array, optional
        Estimates that the intervals must hold, where they are not the ones of the test itself.
    """

    test: ScoreTest
    values: Array | None = None
    _known: dict[float, tuple[Array, Array]] = field(default_factory=dict, repr=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the table."""
        return self.test.mean(1, 0).shape

    def ends(self, level: float) -> tuple[Array, Array]:
        """The lower and the upper ends of all cells."""
        if level not in self._known:
            low, high = self.test.ends(level)
            if self.values is not None:
                low, high = np.minimum(low, self.values), np.maximum(high, self.values)
            self._known[level] = low, high
        return self._known[level]

    def accept(self, share: float, level: float) -> NDArray[np.bool_]:
        """Whether each cell's interval holds a share."""
        if self.values is None:
            return self.test.accepts(np.asarray(share), level)
        low, high = self.ends(level)
        return np.asarray((low <= share) & (share <= high))

    def at(self, cell: tuple[int, ...]) -> CellInterval:
        """The interval of one cell."""
        return CellInterval(self, cell)

    def cell_ends(self, cell: tuple[int, ...], level: float) -> tuple[float, float]:
        """The lower and the upper end of one cell."""
        if prod(self.shape) <= _FEW_CELLS:
            low, high = self.ends(level)
            return float(low[cell]), float(high[cell])
        low, high = self.of_one_cell(cell).ends(level)
        return float(low), float(high)

    def of_one_cell(self, cell: tuple[int, ...]) -> ShareIntervals:
        """The intervals of a table of this cell alone."""
        samples = [
            replace(
                sample,
                observed=_CellMoments(sample.observed, self.shape, cell),
                made_up=_CellMoments(sample.made_up, self.shape, cell),
                n=float(np.broadcast_to(sample.n, self.shape)[cell]),
            )
            for sample in self.test.samples
        ]
        value = None if self.values is None else np.asarray(self.values[cell])
        return ShareIntervals(ScoreTest(samples, self.test.weights), value)


@dataclass(frozen=True, eq=False)
class CellInterval:
    """The interval of one cell of a table.

    Parameters
    ----------
    intervals : TableIntervals
        Those of the table.
    cell : tuple of int
        The cell.
    """

    intervals: TableIntervals
    cell: tuple[int, ...]

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end."""
        return self.intervals.cell_ends(self.cell, level)


class _CellMoments(WeightMoments):
    """The moments of one cell of a table."""

    def __init__(self, table: WeightMoments, shape: tuple[int, ...], cell: tuple[int, ...]) -> None:
        super().__init__()
        self._table, self._shape, self._cell = table, shape, cell

    def _compute(self, i: int, j: int) -> Array | float:
        return float(np.broadcast_to(self._table.moment(i, j), self._shape)[self._cell])
