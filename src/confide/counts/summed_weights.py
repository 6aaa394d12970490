"""Weights of reports, added up by the engine that groups the reports."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array
from confide.errors import ReportsError

Numbers = Array | NDArray[np.int64]


def weigh_columns(column: nw.Expr) -> list[nw.Expr]:
    """Give the columns of the weights and of their squares, from that of the weights."""
    weight = column.cast(nw.Float64)
    return [weight.alias("weight"), (weight * weight).alias("square")]


def sum_weights() -> list[nw.Expr]:
    """Give what is added up of those columns in each group."""
    held = nw.col("weight")
    return [
        held.sum(),
        nw.col("square").sum(),
        held.min().alias("least"),
        held.count().alias("known"),
    ]


def read_weights(table: pa.Table, reports: Numbers) -> tuple[Array, Array]:
    """Read the sums of each group; NaN where one weight is missing or not positive."""
    weight, square, least, known = (
        table.column(name).to_numpy() for name in ("weight", "square", "least", "known")
    )
    return np.where((least > 0) & (known == reports), weight, np.nan), square


def check_weights(name: str | None, weights: Array, reports: Numbers) -> None:
    """Refuse weights that are missing or not positive."""
    fits = np.isfinite(weights) & (weights > 0)
    if not fits.all():
        raise ReportsError(
            f"column {name!r} of weights must hold positive numbers; it does not in "
            f"{reports[~fits].sum():,.0f} of {reports.sum():,.0f} reports."
        )
