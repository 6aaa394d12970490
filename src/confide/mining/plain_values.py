"""What model files and predictors are made of: values that JSON can hold."""

from __future__ import annotations

from typing import Any

from confide.crowd import Estimate

PlainValues = dict[str, Any]
"""A JSON object: texts, numbers, truth values, None, and lists and objects of them."""


def to_values(estimate: Estimate) -> PlainValues:
    """Give an estimate's value, standard error and number of reports by their keys in a file."""
    return {
        "value": estimate.value,
        "standard_error": estimate.standard_error,
        "n": estimate.n,
    }


def from_values(values: PlainValues) -> Estimate:
    """Read what `to_values` gave."""
    return Estimate(float(values["value"]), float(values["standard_error"]), int(values["n"]))
