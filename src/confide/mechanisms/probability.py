"""Exact probabilities: what a browser can sample with integers and a person can read as odds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from math import floor, isqrt, lcm
from numbers import Rational, Real
from typing import Any, TypeAlias

import numpy as np

from confide.errors import DesignError, show

Probability: TypeAlias = Fraction | Decimal | float | int | str

LARGEST_DENOMINATOR = 2**32
"""Browsers draw from 32-bit words, so no table of weights may sum to more than this."""

_TEXT = re.compile(r"[0-9]+([/.][0-9]+)?|\.[0-9]+")
_LARGEST_RECOGNISED = 10**6
_SUM_TOLERANCE = Fraction(1, 10**9)


def read_probability(value: Probability, what: str) -> Fraction:
    """Read a probability as a fraction that a browser can draw.

    Texts, whole numbers and `Fraction` are taken exactly, and so are floats and `Decimal` that are
    written as a plain decimal: ``0.75`` is 3/4, not its binary neighbour. Any other float is read
    as the fraction that it was computed from, if there is one with a denominator of at most a
    million: ``1 / 12`` is 1/12. Where there is none, as for ``exp(1) / (1 + exp(1))``, it is the
    nearest fraction with a denominator of at most 2^16, or as much more as it takes to be right to
    a millionth of the probability and of its opposite.

    >>> [read_probability(each, "truth") for each in (0.1, "3/4", 1 / 12)]
    [Fraction(1, 10), Fraction(3, 4), Fraction(1, 12)]
    >>> read_probability(1.2, "truth of RelatedQuestion")
    Traceback (most recent call last):
        ...
    confide.errors.DesignError: truth of RelatedQuestion must be between 0 and 1. Got 1.2.
    """
    return _read(value, what)[0]


def _read(value: Probability, what: str) -> tuple[Fraction, bool]:
    """A probability, and whether it is just what was written."""
    try:
        # not 1e999999999: Python would write its billion digits out before refusing it
        if isinstance(value, bool) or (isinstance(value, str) and not _TEXT.fullmatch(value)):
            raise ValueError
        written = _plain_decimal(value) if _is_float(value) else _fraction(value)
        exact = _recognised(value) if written is None else written
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise DesignError(
            f'{what} must be a probability such as 0.75 or "3/4". Got {show(value)}.'
        ) from None
    if not 0 <= exact <= 1:
        raise DesignError(f"{what} must be between 0 and 1. Got {show(value)}.")
    if written is None and exact.denominator > _LARGEST_RECOGNISED:
        exact = _within_reach(exact)
    if exact.denominator > LARGEST_DENOMINATOR:
        raise DesignError(
            f"{what} must have a denominator of at most 2^32, so that a browser can draw it "
            f'exactly. Got {show(value)}. Write a rounder fraction, such as "1/12".'
        )
    return exact, written is not None


def _is_float(value: Any) -> bool:
    return isinstance(value, Decimal) or (
        isinstance(value, Real) and not isinstance(value, Rational)
    )


def _fraction(value: Any) -> Fraction:
    exact = Fraction(value)
    return Fraction(int(exact.numerator), int(exact.denominator))  # numpy's integers overflow


def _precision(value: Any) -> Any:
    """What numpy knows about the kind of a float: its safe decimal digits and its rounding."""
    return np.finfo(type(value) if isinstance(value, np.floating) else float)


def _plain_decimal(value: Any) -> Fraction | None:
    """A float as the decimal that a person wrote; None where it was computed, or is too long."""
    short = str(float(value) if isinstance(value, Decimal) else value)
    digits = "".join(map(str, Decimal(short).as_tuple().digits)).strip("0")
    exact = Fraction(short)
    typed = len(digits) <= _precision(value).precision
    return exact if typed and exact.denominator <= LARGEST_DENOMINATOR else None


def _recognised(value: Any) -> Fraction:
    """The fraction with a small denominator that a float was computed from; else the float."""
    exact, rounding = Fraction(float(value)), Fraction(float(_precision(value).eps))
    near = exact.limit_denominator(min(_LARGEST_RECOGNISED, isqrt(floor(1 / (100 * rounding)))))
    return near if abs(near - exact) <= 4 * rounding else exact


def _within_reach(exact: Fraction) -> Fraction:
    """The nearest fraction whose denominator is small, as far as it is near enough."""
    enough = min(exact, 1 - exact) / 10**6
    tried = (exact.limit_denominator(2**bits) for bits in (16, 20, 24, 28, 32))
    return next((near for near in tried if abs(near - exact) <= enough), exact)


def distribution(
    given: Sequence[Probability], what: str, reach: int = LARGEST_DENOMINATOR
) -> list[Fraction]:
    """Read probabilities that sum to one, with a common denominator within reach.

    Each is read as `probability` reads it. Where that does not do, because of floats that were
    rounded, what was written exactly stays, and the floats become whole numbers of equal steps
    that make the sum exactly one: each is less than a step away, and none that is possible
    becomes impossible. A sum that is off by more than rounding is refused.

    >>> distribution([1 / 3, 1 / 3, 1 / 3], "personal")
    [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)]
    >>> sum(distribution([0.12345678901234, 0.87654321098766], "personal"))
    Fraction(1, 1)
    """
    return distributions([given], [what], reach)[0]


def distributions(
    given: Sequence[Sequence[Probability]], what: Sequence[str], reach: int = LARGEST_DENOMINATOR
) -> list[list[Fraction]]:
    """Read several distributions whose probabilities share one denominator within reach."""
    read = [[_read(p, name) for p in row] for row, name in zip(given, what, strict=True)]
    kept = common_denominator((p for row in read for p, written in row if written), what[0])
    rounded = [p for row in read for p, written in row if not written]
    if not rounded or _common(rounded, reach, kept) is not None:
        exact = [[p for p, _ in row] for row in read]
        if all(sum(row) == 1 for row in exact):
            return exact
    steps = kept * max(1, reach // kept)
    return [
        _in_steps(numbers, row, steps, name)
        for numbers, row, name in zip(given, read, what, strict=True)
    ]


def _in_steps(
    given: Sequence[Any], read: Sequence[tuple[Fraction, bool]], steps: int, what: str
) -> list[Fraction]:
    """Make a distribution's rounded floats whole numbers of steps that leave nothing over."""
    free = [i for i, (_, written) in enumerate(read) if not written]
    wanted = {i: max(Fraction(float(given[i])), Fraction()) for i in free}
    rest = 1 - sum(p for p, written in read if written)
    rounding = sum(Fraction(float(_precision(given[i]).eps)) for i in free)
    total = sum(wanted.values(), Fraction())
    if abs(total - rest) > max(_SUM_TOLERANCE if free else 0, 4 * rounding):
        given_sum = total + 1 - rest
        raise DesignError(f"{what} must sum to 1. It sums to {_readable(given_sum)}.")
    if not free:
        return [p for p, _ in read]
    possible = [i for i in free if read[i][0]]
    left = int(rest * steps)
    scaled = {i: wanted[i] / total * left for i in possible}
    whole = {i: max(1, floor(scaled[i])) for i in possible}
    # the steps that rounding down left over go where most was cut off
    for i in sorted(possible, key=lambda i: whole[i] - scaled[i])[: max(0, left - _sum(whole))]:
        whole[i] += 1
    if possible:  # and those that small probabilities were given come from the largest
        whole[max(possible, key=lambda i: whole[i])] += left - _sum(whole)
    if _sum(whole) != left or any(count < 1 for count in whole.values()):
        raise DesignError(
            f"{what} holds probabilities too small for a browser to draw them exactly: the least "
            f"is 1/{steps}. Use larger ones, or write fractions."
        )
    return [Fraction(whole.get(i, 0), steps) if i in wanted else p for i, (p, _) in enumerate(read)]


def _sum(counts: dict[int, int]) -> int:
    return sum(counts.values())


def _readable(total: Fraction) -> str:
    """A sum as people read it: a fraction where that is short, else a decimal."""
    return str(total) if total.denominator <= LARGEST_DENOMINATOR else f"{float(total):.10g}"


def common_denominator(exact: Iterable[Fraction], what: str) -> int:
    """The least common denominator, refused where it is beyond what a browser can draw."""
    common = _common(exact, LARGEST_DENOMINATOR)
    if common is None:
        raise DesignError(
            f"{what} must have a common denominator of at most 2^32, so that a browser can draw "
            "it exactly. Use rounder fractions."
        )
    return common


def _common(exact: Iterable[Fraction], reach: int, common: int = 1) -> int | None:
    """The least common denominator; None as soon as it is beyond reach."""
    for p in exact:
        common = lcm(common, p.denominator)
        if common > reach:
            return None
    return common


def write_probability(exact: Fraction) -> str:
    """Write a probability as survey files do.

    >>> write_probability(Fraction(3, 4)), write_probability(Fraction(1))
    ('3/4', '1')
    """
    return str(exact)
