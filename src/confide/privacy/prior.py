"""What an adversary believes about one answer before the report comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from confide.errors import QueryError

Array = NDArray[np.float64]
Prior: TypeAlias = float | Mapping[Any, float] | Sequence[float] | Array | None
"""A probability of yes, shares by option, shares in the options' order, or None: all equal."""

_SLACK = 1e-6  # shares written in decimals seldom sum to one exactly


def read_prior(question: Any, given: Prior) -> Array:
    """Read the shares of a question's options, or of a number's intervals.

    >>> from confide import Choice, YesNo
    >>> read_prior(YesNo("cheated"), 0.1)
    array([0.9, 0.1])
    >>> read_prior(Choice("faculty", ["arts", "law", "science"]), {"law": 0.25, "arts": 0.75})
    array([0.75, 0.25, 0.  ])
    """
    what = f"the prior of {question.name}"
    if given is None:
        return np.full(question.size, 1 / question.size)
    if isinstance(given, Mapping):
        shares = np.zeros(question.size)
        for option, share in given.items():
            shares[question.code(option)] += _number(share, what)
        return read_shares(shares, what)
    if isinstance(given, Real):
        if question.size != 2:
            raise QueryError(
                f"{what} must give a share to each of {question.size} values: a list, or a mapping "
                "from options to shares. Got one number."
            )
        yes = _number(given, what)
        return read_shares([1 - yes, yes], what)
    shares = read_shares(given, what)
    if shares.shape != (question.size,):
        raise QueryError(
            f"{what} must have {question.size} shares, one an option or interval. Its shape is "
            f"{shares.shape}."
        )
    return shares


def read_shares(given: Any, what: str) -> Array:
    """Read an array of shares that sum to one."""
    try:
        shares = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        raise QueryError(f"{what} must be made of numbers.") from None
    if not np.isfinite(shares).all() or (shares < 0).any():
        raise QueryError(f"{what} must have no share below 0 or above 1.")
    if abs(shares.sum() - 1) > _SLACK:
        raise QueryError(f"{what} must sum to 1. It sums to {shares.sum():.6g}.")
    return np.asarray(shares / shares.sum())


def _number(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise QueryError(f"{what} must be made of numbers.") from None
