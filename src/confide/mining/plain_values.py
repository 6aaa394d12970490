"""An estimate as model files and predictors hold it."""

from __future__ import annotations

from confide.crowd import Estimate
from confide.files import Json


def to_values(estimate: Estimate) -> Json:
    """Give an estimate's value, standard error and number of reports by their keys in a file."""
    return {
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        "n": estimate.n,
    }


def from_values(values: Json) -> Estimate:
    """Read what `to_values` gave."""
    return Estimate(float(values["value"]), float(values["standard_error"]), int(values["n"]))
