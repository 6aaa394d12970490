"""Weights of reports, added up by the engine that groups the reports."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array
from confide.errors import ReportsError

Numbers = Array | NDArray[np.int64]


_LEAST, _MOST = 1e-50, 1e50  # their squares and cubes are numbers still
_NUMBER = r"^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$"


def weigh_columns(column: nw.Expr, kind: nw.dtypes.DType) -> list[nw.Expr]:
    """Give the columns of the weights and of their squares, and whether each is a fit weight."""
    if kind == nw.String:  # as in a CSV file; engines stop at a text that is no number
        column = nw.when(column.str.contains(_NUMBER)).then(column)
    weight = column.cast(nw.Float64)
    fit = (weight >= _LEAST) & (weight <= _MOST)
    return [
        weight.alias("weight"),
        (weight * weight).alias("square"),
        nw.when(fit).then(nw.lit(1)).alias("fit"),
    ]


def sum_weights() -> list[nw.Expr]:
    """Give what is added up of those columns in each group."""
    return [nw.col("weight").sum(), nw.col("square").sum(), nw.col("fit").count()]


def read_weights(name: str, table: pa.Table, reports: Numbers) -> tuple[Array, Array]:
    """Read the sums of each group, where no weight is missing or not positive."""
    weight, square, fit = (
        table.column(column).to_numpy() for column in ("weight", "square", "fit")
    )
    _refuse_unfit(name, reports.sum() - fit.sum(), reports.sum())
    return weight, square


def check_weights(name: str | None, weights: Array, reports: Numbers) -> None:
    """Refuse sums of so many reports' weights that are missing, not positive or out of range."""
    fits = (weights >= reports * _LEAST) & (weights <= reports * _MOST)
    _refuse_unfit(name, reports[~fits].sum(), reports.sum())


def _refuse_unfit(name: str | None, unfit: float, total: float) -> None:
    if unfit:
        raise ReportsError(
            f"column {name!r} of weights must hold positive numbers, from {_LEAST:g} to {_MOST:g}; "
            f"it does not in {unfit:,.0f} of {total:,.0f} reports. Leave out reports that stand "
            "for nobody."
        )
