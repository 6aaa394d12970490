"""One exact probability: what a browser can draw with integers and a person can read as odds."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor, isqrt, lcm
from numbers import Rational, Real
from typing import TypeAlias

import numpy as np

from confide.errors import DesignError, show
from confide.files import Json

Probability: TypeAlias = Fraction | Decimal | float | int | str

LARGEST_DENOMINATOR = 2**32
"""Browsers draw from 32-bit words, so no table of weights may sum to more than this."""

TRUTH_STEPS = 2**16
"""A truth made for an epsilon is a multiple of one over this."""

TRUTH_KEY: Json = {
    "description": "The probability that the true answers are reported. "
    'An exact fraction such as "3/4", or a decimal.',
    "$ref": "#/$defs/probability",
}
"""The key ``truth`` of survey files, as their JSON Schema describes it."""

BIRTHDAY_KEY: Json = {
    "description": "The share of yes to the harmless question, such as a birthday.",
    "$ref": "#/$defs/probability",
}
"""The key ``birthday`` of survey files, as their JSON Schema describes it."""

_TEXT = re.compile(r"[0-9]+([/.][0-9]+)?|\.[0-9]+")
_LARGEST_RECOGNISED = 10**6
_LARGEST_EPSILON = 8
"""Beyond it a step of 2^-16 would make too great a difference."""


def read_probability(value: Probability, what: str) -> Fraction:
    """Read a probability as a fraction that a browser can draw.

    Texts, whole numbers and `Fraction` are taken exactly, and so are floats and `Decimal` that are
    written as a plain decimal: ``0.75`` is 3/4, not its binary neighbour. Any other float, and a
    decimal of so many digits that no browser could draw it, is read as the fraction that it was
    computed from, if there is one with a denominator of at most a million: ``1 / 12`` is 1/12.
    Where there is none, as for ``exp(1) / (1 + exp(1))``, it is the nearest fraction with a
    denominator of at most 2^16, or as much more as it takes to be right to a millionth of the
    probability and of its opposite.

    >>> [read_probability(each, "truth") for each in (0.1, "3/4", 1 / 12)]
    [Fraction(1, 10), Fraction(3, 4), Fraction(1, 12)]
    >>> read_probability(1.2, "truth of RelatedQuestion")
    Traceback (most recent call last):
        ...
    confide.errors.DesignError: truth of RelatedQuestion must be between 0 and 1. Got 1.2.
    """
    return read_written(value, what)[0]


def read_written(value: Probability, what: str) -> tuple[Fraction, bool]:
    """Read a probability as `read_probability` does, and whether it is just what was written."""
    try:
        # not 1e999999999: Python would write its billion digits out before refusing it
        if isinstance(value, bool) or (isinstance(value, str) and not _TEXT.fullmatch(value)):
            raise ValueError
        if isinstance(value, str) and "." in value and not _can_be_drawn(Fraction(value)):
            value = float(value)  # somebody copied a float that was computed
        written = _read_plain_decimal(value) if _is_float(value) else _read_exact(value)
        exact = _recognise(value) if written is None else written
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise DesignError(
            f'{what} must be a probability such as 0.75 or "3/4". Got {show(value)}.'
        ) from None
    if not 0 <= exact <= 1:
        raise DesignError(f"{what} must be between 0 and 1. Got {show(value)}.")
    if written is None and exact.denominator > _LARGEST_RECOGNISED:
        exact = _shorten(exact)
    if not _can_be_drawn(exact):
        raise DesignError(
            f"{what} must have a denominator of at most 2^32, so that a browser can draw it "
            f'exactly. Got {show(value)}. Write a rounder fraction, such as "1/12".'
        )
    return exact, written is not None


def _can_be_drawn(exact: Fraction) -> bool:
    return exact.denominator <= LARGEST_DENOMINATOR


def _is_float(value: object) -> bool:
    return isinstance(value, Decimal) or (
        isinstance(value, Real) and not isinstance(value, Rational)
    )


def _read_exact(value: Probability) -> Fraction:
    exact = Fraction(value)
    return Fraction(int(exact.numerator), int(exact.denominator))  # numpy's integers overflow


def float_precision(value: object) -> np.finfo[np.floating]:
    """What numpy knows about the kind of a float: its safe decimal digits and its rounding."""
    return np.finfo(type(value) if isinstance(value, np.floating) else np.float64)


def _read_plain_decimal(value: Probability) -> Fraction | None:
    """Read a float as the decimal that a person wrote; None where it was computed or is long."""
    short = str(float(value) if isinstance(value, Decimal) else value)
    digits = "".join(map(str, Decimal(short).as_tuple().digits)).strip("0")
    exact = Fraction(short)
    typed = len(digits) <= float_precision(value).precision
    return exact if typed and exact.denominator <= LARGEST_DENOMINATOR else None


def _recognise(value: Probability) -> Fraction:
    """Find the fraction with a small denominator that a float comes from; else the float."""
    exact, rounding = Fraction(float(value)), Fraction(float(float_precision(value).eps))
    near = exact.limit_denominator(min(_LARGEST_RECOGNISED, isqrt(floor(1 / (100 * rounding)))))
    return near if abs(near - exact) <= 4 * rounding else exact


def _shorten(exact: Fraction) -> Fraction:
    """Find the nearest fraction whose denominator is small, as far as it is near enough."""
    enough = min(exact, 1 - exact) / 10**6
    tried = (exact.limit_denominator(2**bits) for bits in (16, 20, 24, 28, 32))
    return next((near for near in tried if abs(near - exact) <= enough), exact)


def truth_for_epsilon(epsilon: float, options: int, steps: int = TRUTH_STEPS) -> Fraction:
    """The largest multiple of 1/steps that is a truth with which a report costs at most epsilon.

    ε = ln(θ(k − 1)/(1 − θ)) for k options, so θ = e^ε/(e^ε + k − 1).

    >>> truth_for_epsilon(1.0, 2)
    Fraction(23955, 32768)
    """
    if not isinstance(options, int) or options < 2:
        raise DesignError(f"options must be a whole number from 2 up. Got {show(options)}.")
    ratio = ratio_for_epsilon(epsilon)
    return round_down(ratio / (ratio + options - 1), steps)


def ratio_for_epsilon(epsilon: float) -> Fraction:
    """How many times likelier one truth may make a report than another: e^ε, never rounded up.

    >>> float(ratio_for_epsilon(1.0))
    2.718281828459045
    """
    if not 0 < epsilon <= _LARGEST_EPSILON:
        raise DesignError(
            f"epsilon must be above 0 and at most {_LARGEST_EPSILON}. Got {show(epsilon)}."
        )
    with localcontext() as context:
        context.prec = 40
        return Fraction(Decimal(float(epsilon)).exp().next_minus())


def round_down(exact: Fraction, steps: int = TRUTH_STEPS) -> Fraction:
    """The largest multiple of 1/steps that is not above a probability."""
    return Fraction(floor(exact * steps), steps)


def common_denominator(exact: Iterable[Fraction], what: str) -> int:
    """The least common denominator, refused where it is beyond what a browser can draw."""
    common = least_common_denominator(exact, LARGEST_DENOMINATOR)
    if common is None:
        raise DesignError(
            f"{what} must have a common denominator of at most 2^32, so that a browser can draw "
            "it exactly. Use rounder fractions."
        )
    return common


def least_common_denominator(exact: Iterable[Fraction], reach: int, common: int = 1) -> int | None:
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
