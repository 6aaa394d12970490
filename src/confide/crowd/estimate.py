"""An inferred number with its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist

from confide.errors import QueryError


@dataclass(frozen=True)
class Estimate:
    """An inferred number: value, standard error, n, interval.

    An unbiased estimate of a proportion may fall outside [0, 1]; it is never clipped. `possible`
    says whether it did not.

    Parameters
    ----------
    value : float
        The estimate.
    standard_error : float
        The standard deviation of its sampling distribution.
    n : int
        The number of reports behind it.

    Examples
    --------
    >>> estimate = Estimate(0.231, 0.0092, 4000)
    >>> estimate
    0.231 ± 0.018 (95 %, n = 4,000)
    >>> tuple(round(end, 3) for end in estimate.interval(level=0.5))
    (0.225, 0.237)
    >>> Estimate(-0.02, 0.03, 100)
    -0.020 ± 0.059 (95 %, n = 100; outside 0 to 1)
    """

    value: float
    standard_error: float
    n: int

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that covers the truth with the given confidence."""
        if not 0 < level < 1:
            raise QueryError(f"level must be between 0 and 1, such as 0.95. Got {level}.")
        reach = NormalDist().inv_cdf((1 + level) / 2) * self.standard_error
        return self.value - reach, self.value + reach

    @property
    def possible(self) -> bool:
        """Whether the value is one that a proportion can have."""
        return 0 <= self.value <= 1

    def to_dict(self) -> dict[str, float]:
        """The estimate as plain values, with the ends of its 95 % interval.

        >>> Estimate(0.5, 0.0, 100).to_dict()
        {'value': 0.5, 'standard_error': 0.0, 'n': 100, 'low': 0.5, 'high': 0.5}
        """
        low, high = self.interval()
        return {
            "value": self.value,
            "standard_error": self.standard_error,
            "n": self.n,
            "low": low,
            "high": high,
        }

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        half = (self.interval()[1] - self.interval()[0]) / 2
        note = "" if self.possible else "; outside 0 to 1"
        return (
            f"{format_decimals(self.value)} ± {format_decimals(half)} (95 %, n = {self.n:,}{note})"
        )


@dataclass(frozen=True, repr=False)
class Quantity(Estimate):
    """An inferred number that is no proportion, such as a mean.

    Examples
    --------
    >>> Quantity(43.25, 0.3, 4000)
    43.250 ± 0.588 (95 %, n = 4,000)
    """

    @property
    def possible(self) -> bool:
        """Every value is possible."""
        return True


def format_decimals(number: float) -> str:
    """Write a number with three decimals, the same on every processor.

    Its last bits may differ between processors; they must not decide how a number halfway between
    two others is rounded, so they are rounded away first.
    """
    return f"{round(number, 12):.3f}"
