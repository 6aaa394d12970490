"""How numbers are written for people."""

from __future__ import annotations

from math import floor, inf, isinf, isnan, log10

_DECIMALS = 3
_TOLD = 5e-4  # of this three decimals show one digit
_ROUNDING = 1e-12  # a standard error that floating point makes


def choose_decimals(standard_error: float) -> int:
    """Choose how many decimals tell something of a number: three, and fewer or more where not.

    >>> [choose_decimals(error) for error in (2500.0, 43.0, 0.3, 5e-6, 0.0)]
    [0, 1, 3, 7, 3]
    """
    if not _ROUNDING < standard_error < inf or _TOLD < standard_error < 10:
        return _DECIMALS
    first = -floor(log10(float(f"{standard_error:.9g}")))  # its first digit behind the point
    return first + 1 if first > 0 else max(first + 2, 0)


def format_decimals(number: float, decimals: int = _DECIMALS) -> str:
    """Write a number with so many decimals, the same on every processor.

    Its last bits may differ between processors; they must not decide how a number halfway between
    two others is rounded, so they are rounded away first.

    >>> from math import inf, nan
    >>> format_decimals(0.5), format_decimals(inf), format_decimals(nan)
    ('0.500', '∞', 'not known')
    >>> format_decimals(101633.4, 0)
    '101,633'
    """
    if isnan(number):
        return "not known"
    if isinf(number):
        return "∞" if number > 0 else "-∞"
    thousands = "," if decimals < _DECIMALS else ""
    return f"{round(number, decimals + 9):{thousands}.{decimals}f}"
