"""Exact probabilities: what a browser can sample with integers and a person can read as odds."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TypeAlias

from confide.errors import DesignError, shown

Probability: TypeAlias = Fraction | float | int | str

LARGEST_DENOMINATOR = 2**32
"""Browsers draw from 32-bit words, so no table of weights may sum to more than this."""

_TEXT = re.compile(r"[0-9]+([/.][0-9]+)?|\.[0-9]+")


def probability(value: Probability, what: str) -> Fraction:
    """Read a probability exactly: ``0.75`` is 3/4, not its binary neighbour.

    >>> probability(0.1, "truth"), probability("3/4", "truth")
    (Fraction(1, 10), Fraction(3, 4))
    >>> probability(1.2, "truth of RelatedQuestion")
    Traceback (most recent call last):
        ...
    confide.errors.DesignError: truth of RelatedQuestion must be between 0 and 1. Got 1.2.
    """
    try:
        # not 1e999999999: Python would write its billion digits out before refusing it
        if isinstance(value, bool) or (isinstance(value, str) and not _TEXT.fullmatch(value)):
            raise ValueError
        exact = Fraction(str(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        raise DesignError(
            f'{what} must be a probability such as 0.75 or "3/4". Got {shown(value)}.'
        ) from None
    if not 0 <= exact <= 1:
        raise DesignError(f"{what} must be between 0 and 1. Got {shown(value)}.")
    if exact.denominator > LARGEST_DENOMINATOR:
        raise DesignError(
            f"{what} must have a denominator of at most 2^32, so that a browser can draw it "
            f"exactly. Got {shown(value)}."
        )
    return exact


def written(exact: Fraction) -> str:
    """Write a probability as survey files do.

    >>> written(Fraction(3, 4)), written(Fraction(1))
    ('3/4', '1')
    """
    return str(exact)
