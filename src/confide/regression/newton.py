"""Newton's method with a damped step, carried to its end."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Protocol

import numpy as np

from confide.arrays import Array
from confide.regression.regression_likelihood import EvaluatedLikelihood

_STEPS = 200
HALVINGS = 40
_TOLERANCE = 1e-20
_ROUNDING = 1e-9
"""A step that would raise it by less need not rise, only not fall by more: that is rounding."""


class Objective(Protocol):
    """A log-likelihood of so many reports that can be climbed."""

    @property
    def n(self) -> float:
        """The number of reports."""

    def start(self) -> Array:
        """Parameters from which to set out."""

    def value(self, params: Array) -> float:
        """The log-likelihood."""

    def evaluate(self, params: Array) -> EvaluatedLikelihood:
        """The log-likelihood with its derivatives."""


@dataclass(frozen=True)
class Peak:
    """Where a log-likelihood is highest, and whether the climb came to its end."""

    params: Array
    converged: bool
    steps: int


def climb(objective: Objective, start: Array | None = None, tolerance: float = _TOLERANCE) -> Peak:
    """Climb a log-likelihood to its peak.

    It is at its end when a step would raise the log-likelihood by less than the tolerance a report,
    or when what the last steps would raise is rounding, and no longer falls from step to step.
    Where it is not concave the Hessian's eigenvalues are turned to point uphill, so that every step
    rises; a step is halved until it does. Along a coefficient that runs away nothing bends in the
    end, and a step would lead anywhere: if all of its halves fall, the climb ends before it.
    """
    params = objective.start() if start is None else start
    height, n = objective.value(params), objective.n
    last = inf
    for step in range(_STEPS):
        here = objective.evaluate(params)
        move = point_uphill(here.gradient, here.hessian)
        rise = float(here.gradient @ move)
        unseen = rise <= _ROUNDING * n
        if rise <= tolerance * n or (unseen and rise > last / 2):
            return Peak(params, True, step)
        last = rise
        floor = height - _ROUNDING * n if unseen else height
        higher = _shorten(objective, params, move, floor)
        if higher is None:
            return Peak(params, unseen, step)
        params, height = higher
    return Peak(params, False, _STEPS)


def _shorten(
    objective: Objective, params: Array, move: Array, floor: float
) -> tuple[Array, float] | None:
    """Where the step leads, halved until that is above the floor, and how high; None if nowhere."""
    for _ in range(HALVINGS):
        if (reached := objective.value(params + move)) > floor:
            return params + move, reached
        move = move / 2
    return None


def point_uphill(gradient: Array, hessian: Array) -> Array:
    """Give the Newton step in scaled coordinates, every direction turned uphill."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(hessian)), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(hessian / np.outer(scale, scale))
    bend = np.maximum(np.abs(values), 1e-10)
    return (vectors @ ((vectors.T @ (gradient / scale)) / bend)) / scale
