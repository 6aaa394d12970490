"""What an estimate will be like, before anyone is asked: from its spread all else follows.

Whatever is estimated, a share, a difference of two, a coefficient or a mean, n respondents give an
estimate that varies by σ₁/√n around some value, while a null that holds would let it vary by
σ₀/√n around the null. Respondents are taken as a simple random sample of a large population.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import TypedDict

from confide.errors import QueryError

_NORMAL = NormalDist()
_MOST_RESPONDENTS = 10**9
_NOTHING = 1e-6  # a deviation that is rounding


class PowerTest(TypedDict):
    """A test against a null, as `Expectation.power` takes it."""

    two_sided: bool
    level: float


@dataclass(frozen=True)
class Expectation:
    """What to expect of an estimate.

    Parameters
    ----------
    value : float
        What is assumed to be true.
    mean : float
        What the estimate comes to on average: the value, if people follow the instructions.
    null : float
        The value that is to be ruled out.
    deviation : float
        σ₁: n respondents give the standard error σ₁/√n.
    null_deviation : float
        σ₀: the same if the null holds.
    edge : bool
        Whether the null is the least or the largest value there is, as 0 and 1 are of a share.
    """

    value: float
    mean: float
    null: float
    deviation: float
    null_deviation: float
    edge: bool = False

    @property
    def bias(self) -> float:
        """How far off the estimate is on average, because of people who do not comply."""
        return self.mean - self.value

    def standard_error(self, n: int) -> float:
        """The standard error that n respondents give: σ₁/√n."""
        return self.deviation / sqrt(_check_respondents(n))

    def respondents_needed(self, margin: float, level: float = 0.95) -> int:
        """The fewest respondents whose interval reaches at most ``margin`` to either side.

        The interval's half-width is zσ₁/√n with z the normal quantile of (1 + level)/2, so
        n = ⌈(zσ₁/margin)²⌉.
        """
        if not margin > 0:
            raise QueryError(f"margin must be above 0. Got {margin}.")
        return max(1, ceil((half_width(self.deviation, level) / margin) ** 2))

    def power(self, n: int, *, two_sided: bool = True, level: float = 0.95) -> float:
        """The chance that n respondents tell the value from the null.

        The null is rejected when the estimate is farther from it than zσ₀/√n. So with d the
        distance of its mean from the null, on the side where the value lies, the power is,
        one-sided and with z the normal quantile of level,

            Φ((d√n − zσ₀)/σ₁)

        and two-sided, with z that of (1 + level)/2, it is Φ((−d√n − zσ₀)/σ₁) more. Where no value
        lies beyond the null, as none does beyond a share of 0, a test has one side only, as the
        interval of a share has there. Where σ₀ = 0, as for a share of 0 asked in the clear, one
        report that the null does not allow rules it out. Such reports have the share
        q = d²/(d² + σ₁²), so that the power is 1 − (1 − q)ⁿ.
        """
        side = 1 if self.value >= self.null else -1
        distance = side * (self.mean - self.null) * sqrt(_check_respondents(n))
        both = two_sided and not self.edge
        tail = (1 - check_between_0_and_1(level, "level")) / (2 if both else 1)
        if self.null_deviation < _NOTHING:
            return 1 - (1 - self._share_refuting) ** n
        reach = _NORMAL.inv_cdf(1 - tail) * self.null_deviation
        chance = _normal_below(distance - reach, self.deviation)
        return chance + (_normal_below(-distance - reach, self.deviation) if both else 0.0)

    @property
    def _share_refuting(self) -> float:
        """The share of reports that a null without chance does not allow."""
        square = (self.mean - self.null) ** 2
        return square / (square + self.deviation**2) if square > 0 else 0.0

    def respondents_for_power(
        self, wanted: float, *, two_sided: bool = True, level: float = 0.95
    ) -> int:
        """The fewest respondents with whom the value is told from the null with this power."""
        found = self.find_respondents(wanted, two_sided=two_sided, level=level)
        if found is None:
            raise QueryError(
                "no number of respondents gives this power: the assumed value is the null itself, "
                "or too near to it."
            )
        return found

    def find_respondents(
        self, wanted: float, *, two_sided: bool = True, level: float = 0.95
    ) -> int | None:
        """The same; None where no number of respondents would do."""
        check_between_0_and_1(wanted, "the wanted power")

        def enough(n: int) -> bool:
            return self.power(n, two_sided=two_sided, level=level) >= wanted

        high = 1
        while not enough(high):
            high *= 2
            if high > _MOST_RESPONDENTS:
                return None
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle, high)
        return high


def half_width(standard_error: float, level: float = 0.95) -> float:
    """The distance from an estimate to either end of its interval."""
    return _NORMAL.inv_cdf((1 + check_between_0_and_1(level, "level")) / 2) * standard_error


def check_between_0_and_1(value: float, what: str) -> float:
    """Give a number back that is above 0 and below 1, and refuse any other."""
    if not 0 < value < 1:
        raise QueryError(f"{what} must be above 0 and below 1. Got {value}.")
    return value


def _normal_below(distance: float, deviation: float) -> float:
    """The chance that a normal deviate lies below a distance."""
    return _NORMAL.cdf(distance / deviation) if deviation > 0 else float(distance > 0)


def _check_respondents(n: int) -> int:
    if not n >= 1 or n % 1:
        raise QueryError(f"the number of respondents must be a whole number from 1 up. Got {n}.")
    return n
