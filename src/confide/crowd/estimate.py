"""An inferred number with its uncertainty."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import erf, erfc, isinf, sqrt
from numbers import Real
from statistics import NormalDist
from typing import Protocol, runtime_checkable

import pyarrow as pa

from confide.crowd._influence import Influence
from confide.crowd._root import find_beginning, find_root
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.decimals import choose_decimals
from confide.crowd.decimals import format_decimals as format_decimals
from confide.errors import QueryError

_LOPSIDED = 0.1  # of half an interval's width
_WIDE = 0.5
_REACHES = (1e-6, 8.0)  # standard deviations of a normal distribution: nearly none to nearly all


class Interval(Protocol):
    """How an interval is made."""

    def ends(self, level: float) -> tuple[float, float]:
        """The lower and the upper end of the interval with this confidence."""


@runtime_checkable
class JudgingInterval(Interval, Protocol):
    """An interval of the values that a test does not reject; the test is quicker than its ends."""

    def p_value(self, value: float) -> float:
        """How well the reports agree with a value."""


@dataclass(frozen=True)
class Estimate(ArrowRows):
    """An inferred number: value, standard error, n, interval.

    An unbiased estimate of a proportion may fall outside [0, 1]; it is never clipped. `possible`
    says whether it did not. Its interval holds the shares that the reports do not contradict, which
    all lie in [0, 1]. It prints as ± half its width, or by its ends where the value is not near its
    middle, and is called wide where it is more than half of 0 to 1.

    Parameters
    ----------
    value : float
        The estimate.
    standard_error : float
        The standard deviation of its sampling distribution.
    n : int
        The number of people it is about: of reports, or of estimated people in a sub-population.
    total : int, optional
        The number of reports behind it, where they are not all about these people.
    how : Interval, optional
        How its interval is made; left out, it reaches as many standard errors either way as a
        normal distribution takes.
    source : callable, optional
        Tells how much each report moved the value: what a comparison with others needs.

    Examples
    --------
    >>> estimate = Estimate(0.231, 0.0092, 4000)
    >>> estimate
    0.231 ± 0.018 (95 %, n = 4,000)
    >>> tuple(round(end, 3) for end in estimate.interval(level=0.5))
    (0.225, 0.237)
    >>> Estimate(-0.02, 0.03, 100)
    -0.020 ± 0.059 (95 %, n = 100; outside 0 to 1)
    >>> Estimate(0.4, 0.2, 30)
    0.400 ± 0.392 (95 %, n = 30; wide)
    """

    value: float
    standard_error: float
    n: int
    total: int | None = None
    how: Interval | None = field(default=None, compare=False)
    source: Callable[[], Influence] | None = field(default=None, compare=False)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The interval that covers the truth with the given confidence."""
        if not is_share(level) or level in (0, 1):
            raise QueryError(f"level must be between 0 and 1, such as 0.95. Got {level!r}.")
        if self.how is not None:
            return self.how.ends(level)
        reach = NormalDist().inv_cdf((1 + level) / 2) * self.standard_error
        return self.value - reach, self.value + reach

    def known_interval(self, level: float = 0.95) -> tuple[float, float] | None:
        """The interval, where it has been shown to cover as often as it says; else None."""
        return self.interval(level)

    @property
    def possible(self) -> bool:
        """Whether the value is one that a proportion can have."""
        return 0 <= self.value <= 1

    @property
    def wide(self) -> bool:
        """Whether the 95 % interval is more than half of 0 to 1: the reports hardly tell.

        Such an interval covers more often than in 95 of 100 surveys.
        """
        low, high = self.interval()
        return high - low > _WIDE

    def to_dict(self, level: float = 0.95) -> dict[str, float | None]:
        """The estimate as plain values, with the ends of its interval where that is known.

        >>> Estimate(0.5, 0.0, 100).to_dict()
        {'value': 0.5, 'standard_error': 0.0, 'n': 100, 'low': 0.5, 'high': 0.5}
        """
        low, high = self.known_interval(level) or (None, None)
        return {
            "value": self.value,
            "standard_error": self.standard_error,
            "n": self.n,
            "low": low,
            "high": high,
        }

    def to_arrow(self) -> pa.Table:
        """The estimate as a table of one row, with the number of reports behind it as total.

        >>> Estimate(0.5, 0.1, 312, 1000).to_arrow().select(["n", "total"]).to_pylist()
        [{'n': 312, 'total': 1000}]
        """
        row = self.to_dict()
        ends = {name: row.pop(name) for name in ("low", "high")}
        total = self.n if self.total is None else self.total
        return pa.Table.from_pylist([{**row, "total": total, **ends}])

    def p_value(self, value: float) -> float:
        """How well the reports agree with a value: 1 minus the level of the interval ending there.

        >>> round(Estimate(0.231, 0.0092, 4000).p_value(0.25), 3)
        0.039
        """

        if isinstance(self.how, JudgingInterval):
            return self.how.p_value(value)

        def clearance(reach: float) -> float:
            low, high = self.interval(erf(reach / sqrt(2)))
            return min(value - low, high - value)

        if clearance(_REACHES[1]) == 0:  # the end of what is possible, where wide intervals end
            reach = find_beginning(lambda each: clearance(each) >= 0, *_REACHES)
        else:
            reach = find_root(clearance, *_REACHES)
        return erfc(reach / sqrt(2))

    def __sub__(self, other: Estimate) -> Quantity:
        """The difference to another estimate, of the same crowd or of another.

        Estimates of one crowd move together, and that is counted; those of two crowds are
        independent. Its interval is made from the intervals of both (`comparison`).
        """
        if not isinstance(other, Estimate):
            return NotImplemented
        from confide.crowd.comparison import subtract

        return subtract(self, other)

    def __truediv__(self, other: Estimate) -> Quantity:
        """The ratio to another estimate, as for a difference."""
        if not isinstance(other, Estimate):
            return NotImplemented
        from confide.crowd.comparison import divide

        return divide(self, other)

    def __float__(self) -> float:
        return self.value

    @property
    def note(self) -> str:
        """What a reader must know of a share: that it is outside 0 to 1, or its interval wide.

        >>> Estimate(-0.02, 0.2, 30).note
        'outside 0 to 1; wide'
        """
        facts = {"outside 0 to 1": not self.possible, "wide": self.wide}
        return "; ".join(fact for fact, holds in facts.items() if holds)

    def _notes(self) -> Iterable[str]:
        return [self.note]

    def __repr__(self) -> str:
        size = "; ".join(filter(None, [format_size(self.n, self.total), self.note]))
        return f"{self.format_value()} {self.format_margin()} (95 %, {size})"

    @property
    def decimals(self) -> int:
        """With how many decimals it is written."""
        return 3

    def format_value(self) -> str:
        """Write the value."""
        return format_decimals(self.value, self.decimals)

    def format_margin(self, level: float = 0.95) -> str:
        """Write an interval as what is added and taken away, or by its ends where it is lopsided.

        >>> Estimate(0.231, 0.0092, 4000).format_margin()
        '± 0.018'
        """
        low, high = self.interval(level)
        half = (high - low) / 2
        if isinf(half) or not abs((low + high) / 2 - self.value) <= _LOPSIDED * half:
            ends = (format_decimals(end, self.decimals) for end in (low, high))
            return f"[{', '.join(ends)}]"
        return f"± {format_decimals(half, self.decimals)}"


@dataclass(frozen=True, repr=False)
class Quantity(Estimate):
    """An inferred number that is no proportion, such as a mean.

    Examples
    --------
    >>> Quantity(43.25, 0.3, 4000)
    43.250 ± 0.588 (95 %, n = 4,000)
    >>> Quantity(101_633.3, 1_276, 4000)
    101,633 ± 2,501 (95 %, n = 4,000)
    """

    @property
    def decimals(self) -> int:
        """With how many decimals it is written: as many as its standard error lets tell."""
        return choose_decimals(self.standard_error)

    @property
    def possible(self) -> bool:
        """Every value is possible."""
        return True

    @property
    def wide(self) -> bool:
        """What is wide for a proportion is not for other numbers."""
        return False


@dataclass(frozen=True, repr=False)
class Approximation(Quantity):
    """An inferred number without a shown interval, such as a quantile of a number with noise.

    Its standard error tells how much chance moves it. `interval` reaches as many standard errors
    either way as a normal distribution takes, but what the noise has blurred it does not count, so
    it is not printed as 95 %.

    Examples
    --------
    >>> Approximation(43.25, 0.3, 4000)
    43.250, standard error 0.300 (n = 4,000)
    """

    decimals = Estimate.decimals  # shares in cells are such, and may be as good as 0

    def known_interval(self, level: float = 0.95) -> tuple[float, float] | None:  # noqa: ARG002
        """None: no interval is known to cover."""
        return None

    def __repr__(self) -> str:
        error = format_decimals(self.standard_error, self.decimals)
        size = format_size(self.n, self.total)
        return f"{self.format_value()}, standard error {error} ({size})"

    def format_margin(self, level: float = 0.95) -> str:  # noqa: ARG002
        """Write the standard error.

        >>> Approximation(0.231, 0.0092, 4000).format_margin()
        '(0.009)'
        """
        return f"({format_decimals(self.standard_error, self.decimals)})"


def format_size(n: int, total: int | None) -> str:
    """Write how many people something is about, and of how many reports.

    >>> format_size(312, 1000)
    'n = 312 of 1,000'
    """
    return f"n = {n:,}" if total is None or total == n else f"n = {n:,} of {total:,}"


def format_p_value(value: float) -> str:
    """Write a p-value with three decimals.

    >>> format_p_value(0.0312), format_p_value(1e-9)
    ('p = 0.031', 'p < 0.001')
    """
    return f"p = {format_decimals(value)}" if value >= 0.001 else "p < 0.001"


def is_share(value: object) -> bool:
    """Whether a value is a number from 0 to 1."""
    return isinstance(value, Real) and 0 <= float(value) <= 1
