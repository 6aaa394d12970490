"""The interval of a number, found by the engine that holds it."""

from __future__ import annotations

from math import isinf

import narwhals as nw
import numpy as np

from confide.design.coding import MISSING, UNKNOWN
from confide.mechanisms import Grid


def find_interval(column: nw.Expr, grid: Grid) -> nw.Expr:
    """`Grid.code` as an expression for the engine."""
    value = column.cast(nw.Float64)
    low, high = grid.ends
    inside = (value >= low) & (value <= high) & ~value.is_nan()
    value = nw.when(inside).then(value)  # no engine meets a number that it cannot round
    if grid.even_spacing is None:
        above = [(value >= edge).cast(nw.Int64) for edge in grid.edges[1:-1]]
        cell = nw.sum_horizontal(nw.lit(0), *above)
    else:
        cell = _equal_interval(value, grid, *grid.even_spacing)
    known = nw.when(inside).then(cell).otherwise(nw.lit(UNKNOWN))
    absent = column.is_null() | column.cast(nw.Float64).is_nan()
    return nw.when(absent).then(nw.lit(MISSING)).otherwise(known).cast(nw.Int64)


def _equal_interval(value: nw.Expr, grid: Grid, start: float, width: float) -> nw.Expr:
    """The interval of a value among intervals of equal width.

    It follows from the nearest edge and whether that is above, so that no rounding can miss it.
    """
    finite = grid.array[np.isfinite(grid.array)]
    first, step = nw.lit(start, nw.Float64), nw.lit(width, nw.Float64)
    edge = ((value.clip(start, float(finite[-2])) - first) / step + 0.5).floor().cast(nw.Float64)
    cell = edge - (value < first + edge * step).cast(nw.Float64)
    if isinf(grid.edges[-1]):
        top = float(len(finite) - 1)
        cell = nw.when(value >= float(finite[-1])).then(nw.lit(top)).otherwise(cell)
    return cell + float(isinf(grid.edges[0]))
