"""What learners are given, checked: one line says what is wrong and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from numbers import Integral, Real

import numpy as np

from confide.arrays import Array
from confide.design import Design
from confide.errors import ModelError


def check_design(design: object) -> None:
    """Refuse what is no design."""
    if not isinstance(design, Design):
        raise ModelError(
            f"design must be a confide.Design; Design.load reads one from a survey file. "
            f"Got {type(design).__name__}."
        )


def check_numbers_given(design: Design) -> None:
    """Refuse numbers that may be missing: a model would take what stands in for an answer."""
    for name in design.declines:
        raise ModelError(
            f"a model learns from numbers that everybody gave, and {name} may be missing. Learn "
            f"from a part of the design without it: design.only([…])."
        )


def check_whole_number(name: str, value: object, least: int) -> None:
    """Refuse what is no whole number, or too small a one."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        raise ModelError(f"{name} must be a whole number of at least {least}. Got {value!r}.")


def check_number(name: str, value: object, allowed: str, fits: Callable[[float], bool]) -> None:
    """Refuse what is no finite number that fits."""
    if not isinstance(value, Real) or not isfinite(value) or not fits(float(value)):
        raise ModelError(f"{name} must be {allowed}. Got {value!r}.")


def check_two_classes(target: str, shares: Array) -> None:
    """Refuse a target of which fewer than two values occur."""
    if np.count_nonzero(shares > 0) < 2:
        raise ModelError(
            f"the reports show fewer than two classes of {target}: there is nothing to tell apart."
        )
