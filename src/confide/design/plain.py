"""Values as JSON can hold them, the same wherever confide writes JSON.

What is not known, such as a ratio to nobody, is null. What is infinite, such as an unbounded
privacy loss, is known: it is the word "infinite", or "-infinite".
"""

from __future__ import annotations

from math import inf, isnan
from typing import Any


def plain(value: Any) -> Any:
    """A value, and all within it, as JSON can hold it.

    >>> plain({"epsilon": inf, "lift": float("nan"), "low": [-inf, 0.5]})
    {'epsilon': 'infinite', 'lift': None, 'low': ['-infinite', 0.5]}
    """
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if not isinstance(value, float):
        return value
    if isnan(value):
        return None
    return {inf: "infinite", -inf: "-infinite"}.get(value, value)
