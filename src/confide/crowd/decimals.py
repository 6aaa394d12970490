"""How numbers are written for people."""

from __future__ import annotations

from math import isinf, isnan


def format_decimals(number: float) -> str:
    """Write a number with three decimals, the same on every processor.

    Its last bits may differ between processors; they must not decide how a number halfway between
    two others is rounded, so they are rounded away first.

    >>> from math import inf, nan
    >>> format_decimals(0.5), format_decimals(inf), format_decimals(nan)
    ('0.500', '∞', 'not known')
    """
    if isnan(number):
        return "not known"
    if isinf(number):
        return "∞" if number > 0 else "-∞"
    return f"{round(number, 12):.3f}"
