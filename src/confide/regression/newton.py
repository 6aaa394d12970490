"""Newton's method with a damped step, carried to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.arrays import Array
from confide.regression.regression_likelihood import EvaluatedLikelihood

_STEPS = 200
_HALVINGS = 40
_TOLERANCE = 1e-20
_ROUNDING = 1e-9
"""A step that would raise it by less is not compared: the difference could be rounding."""


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

    It is at its end when a step would raise the log-likelihood by less than the tolerance a report.
    Where it is not concave the Hessian's eigenvalues are turned to point uphill, so that every step
    rises; a step is halved until it does.
    """
    params = objective.start() if start is None else start
    height, n = objective.value(params), objective.n
    for step in range(_STEPS):
        here = objective.evaluate(params)
        move = _uphill(here.gradient, here.hessian)
        rise = float(here.gradient @ move)
        if rise <= tolerance * n:
            return Peak(params, True, step)
        if rise > _ROUNDING * n:
            move, height = _shorten(objective, params, move, height)
        params = params + move
    return Peak(params, False, _STEPS)


def _shorten(
    objective: Objective, params: Array, move: Array, height: float
) -> tuple[Array, float]:
    """The step, halved until it rises, and how high it leads."""
    for _ in range(_HALVINGS):
        if (reached := objective.value(params + move)) > height:
            return move, reached
        move = move / 2
    return move, height


def _uphill(gradient: Array, hessian: Array) -> Array:
    """The Newton step in scaled coordinates, every direction turned uphill."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(hessian)), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(hessian / np.outer(scale, scale))
    bend = np.maximum(np.abs(values), 1e-10)
    return (vectors @ ((vectors.T @ (gradient / scale)) / bend)) / scale
