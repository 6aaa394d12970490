"""True answers of people whose outcome is to be predicted."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np

from confide.design.coding import series_values
from confide.errors import ModelError
from confide.extras import PandasFrame
from confide.regression.model import RegressionModel
from confide.regression.variables import Variables


def read_answers(model: RegressionModel, answers: Any) -> PandasFrame:
    """Read the predictors of a fitted model from a dataframe, none of them empty."""
    try:
        frame = nw.from_native(answers, eager_only=True)
    except TypeError:
        raise ModelError(
            "answers must be a dataframe in memory (pandas, Polars, PyArrow, …). "
            f"Got {type(answers).__name__}."
        ) from None
    names = list(model.frame.columns)
    if absent := [name for name in names if name not in frame.columns]:
        raise ModelError(f"the answers have no column {', '.join(map(repr, absent))}.")
    columns = {name: series_values(frame[name]) for name in names}
    variables = Variables(model.design, columns, np.ones(len(frame)))
    for name in names:
        if (empty := variables.empty(name)).any():
            raise ModelError(
                f"column {name!r} is empty in {empty.sum():,} of {len(frame):,} answers."
            )
    return model.match_levels(variables.frame(names, np.ones(len(frame), bool)))
