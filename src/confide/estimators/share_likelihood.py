"""The likelihood of shares through a channel: Σ_r π_r log (M p)_r, a concave function of p.

Several batches add up, each with its own channel M and its reports π as shares of all reports.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array

Operator = Callable[[Array], Array]
"""A linear operator on a table, or one step of a fit."""


@dataclass(frozen=True, eq=False)
class ObservedShares:
    """The reports of one batch, and the channel that they came through.

    Parameters
    ----------
    apply, apply_transpose : callables
        The channel M and its transpose.
    shares : array
        The share of each combination of reports among the reports of all batches.
    """

    apply: Operator
    apply_transpose: Operator
    shares: Array


def em_factor(apply: Operator, apply_transpose: Operator, shares: Array, truth: Array) -> Array:
    """Mᵀ(π / M p): by how much a step of expectation–maximisation multiplies each truth.

    Parameters
    ----------
    apply, apply_transpose : callables
        The channel M and its transpose.
    shares : array
        π, the shares of the reports.
    truth : array
        p, the present estimate.
    """
    return apply_transpose(divide_positive(shares, apply(truth)))


def add_factors(observed: Sequence[ObservedShares], truth: Array) -> Array:
    """Add up `em_factor` over batches: the gradient of the likelihood by each share."""
    return np.asarray(
        sum(em_factor(each.apply, each.apply_transpose, each.shares, truth) for each in observed)
    )


def divide_positive(upper: Array, lower: Array) -> Array:
    """Divide where the divisor is positive; elsewhere the quotient is 0."""
    return np.divide(upper, lower, out=np.zeros_like(lower), where=lower > 0)
