"""The shares at which a likelihood is largest, found to the last digits that floats allow.

Expectation–maximisation creeps where answers are rare: each step takes away a part of a share that
is truly none. Newton's method arrives. It maximises Σ_r π_r log (M p)_r − Σ_t p_t, whose maximum
over all p ≥ 0 sums to one, so that only p ≥ 0 is left to mind: a step that would leave it is cut
off at 0, share by share (Bertsekas, 1982), and a share that is 0 stays so until the slope there is
uphill. The curvature is never written out: each step is solved by conjugate gradients, with the
shares as the preconditioner, as they are the step lengths of expectation–maximisation, and a little
damped (Levenberg and Marquardt), since few reports do not curve it in every direction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.estimators.share_likelihood import ObservedShares, divide_positive

_STEPS = 60  # some twenty are needed
_DIRECTIONS = 100  # of conjugate gradients in each step
_UNSOLVED = 0.1  # of a step, as a squared length, may be left unsolved; less near the maximum
_DAMPING = 1e-6  # at most; with 1 a step would be one of expectation–maximisation
_ARRIVED = 1e-10  # a residual as small as this is rounding
_NEGLIGIBLE = 1e-6  # of an equal share: a share as small as this may be none
_LEAST_SCALE = 1e-4  # of an equal share: no step length is taken for smaller
_ROUNDING = 1e-14  # heights closer than this are alike
_SHORTEST = 1e-12  # of a step; if it does not lead uphill, nothing does


@dataclass(frozen=True, eq=False)
class _Position:
    """Shares, with the likelihood there.

    Parameters
    ----------
    truth : array
        The shares p of all combinations of answers.
    expected : one array per batch
        The expected shares of its reports: M p.
    height : float
        What is maximised.
    """

    truth: Array
    expected: list[Array]
    height: float


def climb_to_maximum(observed: Sequence[ObservedShares], start: Array) -> Array:
    """Climb from some shares, under which every report is possible, to the most likely ones."""
    equal = 1 / start.size
    here = _evaluate(observed, start)
    for _ in range(_STEPS):
        here, slope = _drop_negligible(observed, here)
        residual = max(slope.max(), np.abs(slope[here.truth > 0]).max())
        if residual < _ARRIVED:
            break
        free = (here.truth > 0) | (slope > 0)
        scale = np.where(free, np.maximum(here.truth, _LEAST_SCALE * equal), 0.0)
        step = _newton_step(observed, here, slope, scale, min(_DAMPING, residual**2))
        there = _search_uphill(observed, here, step, free)
        if there is None:
            break
        here = there
    return np.asarray(here.truth / here.truth.sum())


def _drop_negligible(
    observed: Sequence[ObservedShares], here: _Position
) -> tuple[_Position, Array]:
    """Take shares that are next to none, and should be smaller still, for none; give the slope."""
    slope = _slope(observed, here)
    none = (slope < 0) & (here.truth <= _NEGLIGIBLE / here.truth.size)
    if not here.truth[none].any():
        return here, slope
    here = _evaluate(observed, np.where(none, 0.0, here.truth))
    return here, _slope(observed, here)


def _evaluate(observed: Sequence[ObservedShares], truth: Array) -> _Position:
    """Find the likelihood of some shares; it is −∞ where a report that came in is impossible."""
    expected = [each.apply(truth) for each in observed]
    height = -float(truth.sum())
    for each, chances in zip(observed, expected, strict=True):
        seen = each.shares > 0
        if chances[seen].min() <= 0:
            return _Position(truth, expected, -np.inf)
        height += float(each.shares[seen] @ np.log(chances[seen]))
    return _Position(truth, expected, height)


def _slope(observed: Sequence[ObservedShares], here: _Position) -> Array:
    """Give the gradient of what is maximised: Mᵀ(π / M p) − 1."""
    pairs = zip(observed, here.expected, strict=True)
    ratios = (each.apply_transpose(divide_positive(each.shares, q)) for each, q in pairs)
    return np.asarray(sum(ratios) - 1.0)


def _newton_step(
    observed: Sequence[ObservedShares], here: _Position, slope: Array, scale: Array, damping: float
) -> Array:
    """Solve (curvature + damping / scale) · step = slope by conjugate gradients.

    The damping leads along directions that no report tells apart, where there is no curvature.
    """
    inverse_scale = divide_positive(np.ones_like(scale), scale)
    weights = [
        divide_positive(divide_positive(each.shares, q), q)
        for each, q in zip(observed, here.expected, strict=True)
    ]

    def multiply_by_curvature(direction: Array) -> Array:
        pairs = zip(observed, weights, strict=True)
        bent = sum(o.apply_transpose(w * o.apply(direction)) for o, w in pairs)
        return np.asarray(bent + damping * inverse_scale * direction)

    step, rest = np.zeros_like(slope), np.where(scale > 0, slope, 0.0)
    direction = scale * rest
    length = first = float(np.vdot(rest, direction))
    for _ in range(_DIRECTIONS):
        bend = multiply_by_curvature(direction)
        curvature = float(np.vdot(direction, bend))
        if curvature <= 0:  # by rounding
            break
        step += length / curvature * direction
        rest -= length / curvature * bend
        scaled = scale * rest
        before, length = length, float(np.vdot(rest, scaled))
        if length <= min(_UNSOLVED, first) * first:
            break
        direction = scaled + length / before * direction
    return step


def _search_uphill(
    observed: Sequence[ObservedShares], here: _Position, step: Array, free: NDArray[np.bool_]
) -> _Position | None:
    """Follow a step as far as it leads uphill, shares cut off at 0; None if it never does."""
    length = 1.0
    while length > _SHORTEST:
        truth = np.where(free, np.maximum(here.truth + length * step, 0.0), 0.0)
        there = _evaluate(observed, truth)
        if there.height >= here.height - _ROUNDING:
            return there
        length /= 2
    return None
