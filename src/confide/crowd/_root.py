"""Where a rising function crosses 0, and from where on something holds."""

from __future__ import annotations

from collections.abc import Callable

_STEPS = 30  # few are needed where the function is nearly linear


def find_root(
    rising: Callable[[float], float], low: float, high: float, precision: float = 1e-9
) -> float:
    """Where a rising function crosses 0, by regula falsi (Illinois); an end if it does not.

    >>> round(find_root(lambda x: x**3 - 8, 0, 10), 6)
    2.0
    """
    below, above = rising(low), rising(high)
    if below >= 0 or above <= 0:
        return low if below >= 0 else high
    kept = 0  # the end that stayed in the last step
    for _ in range(_STEPS):
        middle = (low * above - high * below) / (above - below)
        found = rising(middle)
        if min(middle - low, high - middle) < precision or found == 0:
            return middle
        if found < 0:
            low, below, above = middle, found, above / 2 if kept == 1 else above
            kept = 1
        else:
            high, above, below = middle, found, below / 2 if kept == -1 else below
            kept = -1
    return (low + high) / 2


def find_beginning(
    holds: Callable[[float], bool], low: float, high: float, precision: float = 1e-9
) -> float:
    """From where on something holds that holds at the high end, by halving.

    >>> round(find_beginning(lambda x: x**3 >= 8, 0, 10), 6)
    2.0
    """
    if holds(low):
        return low
    while high - low > precision:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
