"""Probabilities that were fitted by likelihood, as estimates whose intervals stay in 0 to 1."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from statistics import NormalDist

from confide.crowd import Estimate
from confide.crowd.estimate import Approximation, Interval

_LARGEST = 700.0  # e^710 is too large for a floating-point number


@dataclass(frozen=True)
class LogOddsInterval(Interval):
    """An interval that is symmetric in log odds, where a fitted probability is nearly normal.

    Parameters
    ----------
    value, standard_error : float
        The probability, strictly between 0 and 1.
    """

    value: float
    standard_error: float

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end.

        >>> [round(end, 3) for end in LogOddsInterval(0.1, 0.05).ends(0.95)]
        [0.036, 0.248]
        """
        odds = log(self.value / (1 - self.value))
        error = self.standard_error / (self.value * (1 - self.value))
        reach = min(NormalDist().inv_cdf((1 + level) / 2) * error, _LARGEST / 2)
        low, high = (1 / (1 + exp(-(odds + side * reach))) for side in (-1, 1))
        return low, high


def estimate_chance(value: float, error: float, n: int, total: int | None = None) -> Estimate:
    """Make a fitted probability into an estimate; one that is certain has no interval of its own.

    Parameters
    ----------
    value, error : float
        The probability and its standard error.
    n, total : int
        The number of people it is about, and of the reports behind it where those are more.
    """
    how = LogOddsInterval(value, error) if 0 < value < 1 else None
    return Estimate(float(value), float(error), n, total, how=how)


def approximate_chance(value: float, error: float, n: int, total: int | None = None) -> Estimate:
    """Make a fitted probability into an estimate of which no interval was shown to cover."""
    return Approximation(float(value), float(error), n, total)
