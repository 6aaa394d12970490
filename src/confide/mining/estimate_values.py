"""An estimate as plain values, as model files and predictors have it."""

from __future__ import annotations

from typing import Any

from confide.crowd import Estimate


def to_values(estimate: Estimate) -> dict[str, Any]:
    """Give an estimate's value, standard error and number of reports by their keys in a file."""
    return {
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        "n": estimate.n,
    }


def from_values(values: dict[str, Any]) -> Estimate:
    """Read what `to_values` gave."""
    return Estimate(float(values["value"]), float(values["standard_error"]), int(values["n"]))
