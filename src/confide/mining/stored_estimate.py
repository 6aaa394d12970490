"""An estimate read back from a model file."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from confide.crowd import Estimate
from confide.crowd.estimate import Approximation, Interval
from confide.files import Json
from confide.mining.likely_accuracy import Accuracy


@dataclass(frozen=True)
class StoredInterval(Interval):
    """An interval of which the ends at 95 % were kept; at other levels it is stretched to fit.

    Parameters
    ----------
    value, low, high : float
        The estimate, and the ends at 95 %.
    """

    value: float
    low: float
    high: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end."""
        reach = Estimate(0.0, 1.0, 1).interval(level)[1] / Estimate(0.0, 1.0, 1).interval()[1]
        inside = min(max(self.value, self.low), self.high)
        return inside - reach * (inside - self.low), inside + reach * (self.high - inside)


def write_estimate(estimate: Estimate) -> Json:
    """Give an estimate as plain values, with the most likely one beside it where there is one."""
    beside = {"likely": estimate.likely} if isinstance(estimate, Accuracy) else {}
    return {**estimate.to_dict(), **beside}


def read_estimate(values: Json) -> Estimate:
    """Read what `write_estimate` gave."""
    value, error, n = float(values["value"]), float(values["standard_error"]), int(values["n"])
    low, high = values.get("low"), values.get("high")
    if low is None or high is None:
        return Approximation(value, error, n)
    how = StoredInterval(value, float(low), float(high))
    if values.get("likely") is None:
        return Estimate(value, error, n, how=how)
    return Accuracy(value, error, n, how=how, find_likely=partial(float, values["likely"]))
