"""Weights beside the rows that a learner is given, as scikit-learn passes them to ``fit``."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from confide.arrays import Array
from confide.counts.counting import count_weighed_array
from confide.crowd import Crowd
from confide.design import Design
from confide.design.coding import Frame
from confide.errors import ModelError


def read_crowd(design: Design, reports: object, sample_weight: object = None) -> Crowd:
    """Read reports, or a crowd of them; with ``sample_weight`` each row has its weight."""
    if sample_weight is not None:
        return _weigh_rows(design, reports, sample_weight)
    return reports if isinstance(reports, Crowd) else Crowd(design, reports)


def _weigh_rows(design: Design, reports: object, sample_weight: object) -> Crowd:
    """Make a crowd of rows of reports, each with its weight; rows of weight 0 are left out."""
    if isinstance(reports, np.ndarray):
        weights = check_row_weights(sample_weight, len(reports))
        there = weights > 0
        return Crowd(design, count_weighed_array(design, reports[there], weights[there]))
    try:
        frame: Frame = nw.from_native(reports, eager_only=True)
    except TypeError:
        raise ModelError(
            "sample_weight goes with rows of reports: a dataframe or an array. Elsewhere name a "
            "column of weights: Crowd(design, reports, weights=…)."
        ) from None
    weights = check_row_weights(sample_weight, len(frame))
    name = "sample_weight"
    while name in frame.columns:
        name += "_"
    column = nw.new_series(name, weights.tolist(), backend=frame.implementation)
    rows = frame.with_columns(column).filter(nw.col(name) > 0)
    return Crowd(design, rows.to_native(), weights=name)


def check_row_weights(sample_weight: object, rows: int) -> Array:
    """Check that there is one weight per row, none negative and not all 0."""
    given: Any = sample_weight
    allowed = f"sample_weight must be {rows:,} numbers of at least 0, one per row."
    try:
        weights = np.asarray(given, dtype=float)
    except (TypeError, ValueError):  # whose words hold a weight
        raise ModelError(f"{allowed} Some are no numbers.") from None
    if weights.ndim == 0:
        weights = np.full(rows, weights)
    if weights.shape != (rows,):
        raise ModelError(f"{allowed} Its shape is {weights.shape}.")
    wrong = np.count_nonzero(~(np.isfinite(weights) & (weights >= 0)))
    if wrong:
        raise ModelError(f"{allowed} {wrong:,} are negative, infinite or missing.")
    if not weights.any():
        raise ModelError("sample_weight is zero in all rows. Some must be above zero.")
    return weights
