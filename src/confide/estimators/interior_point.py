"""The most likely shares of many small tables at once.

All tables come through the same channel, which is small enough to be written out. One
interior-point method (Wright, 1997) fits all of them: Newton's steps on the likelihood
Σ_r n_r log (M p)_r, with p·z = μ in place of p ≥ 0 and μ going to 0. As the likelihood is concave,
n·Σ p·z is the most that is left to gain, so it is known when to stop.
"""

from __future__ import annotations

import numpy as np

from confide.arrays import Array

_STEPS = 60  # some ten are needed
_GAP = 1e-6  # of log-likelihood may be left to gain
_NEARER = 0.03  # by so much μ falls in each step
_FIRST_SLACK = 0.1  # of each share to begin with
_SHORT_OF_ZERO = 0.995  # of the way to a bound is gone at most
_ROUNDING = 1e-12  # keeps equations apart that are the same
_LEAST = 1e-18  # no share and no slack falls below


def maximise_together(matrix: Array, counts: Array) -> tuple[Array, Array]:
    """Give the most likely shares behind each row of counts, and their log-likelihoods.

    Parameters
    ----------
    matrix : array, reports × truths
        The channel, or those of several batches one under the other. A column of zeros is a truth
        that nobody has.
    counts : array, surveys × reports
        How many reports of each kind came in.
    """
    own, place = np.unique(counts, axis=0, return_inverse=True)
    totals = own.sum(axis=1, keepdims=True)
    truth = _climb(matrix, own / totals, totals)
    expected = np.maximum(truth @ matrix.T, _LEAST)
    heights = (own * np.log(expected)).sum(axis=1)
    back = place.ravel()
    return truth[back], heights[back]


def _climb(matrix: Array, shares: Array, totals: Array) -> Array:
    """Climb from equal shares to the most likely ones; a survey that is there climbs no more."""
    cells = matrix.shape[1]
    # Σ_r w_r m_r m_rᵀ of all surveys is one product with the reports' m_r m_rᵀ written out
    squares = (matrix[:, :, None] * matrix[:, None, :]).reshape(len(matrix), -1)
    found = np.full((len(shares), cells), 1 / cells)
    truth, slack, place = found, np.full_like(found, _FIRST_SLACK), np.arange(len(shares))
    for _ in range(_STEPS):
        expected = np.maximum(truth @ matrix.T, _LEAST)
        slope = (shares / expected) @ matrix - 1
        gap = (truth * slack).sum(axis=1, keepdims=True)
        left = np.maximum(gap, np.abs(slope + slack).max(axis=1, keepdims=True))
        going = (left * totals >= _GAP)[:, 0]
        if not going.all():
            found[place] = truth
            if not going.any():
                break
            rest = (truth, slack, place, shares, totals, expected, slope, gap)
            truth, slack, place, shares, totals, expected, slope, gap = (a[going] for a in rest)
        target = _NEARER * gap / cells
        curvature = ((shares / expected**2) @ squares).reshape(-1, cells, cells)
        diagonal = np.einsum("btt->bt", curvature)
        diagonal *= 1 + _ROUNDING  # truths that no report tells apart
        diagonal += slack / truth
        step = np.linalg.solve(curvature, (slope + target / truth)[:, :, None])[:, :, 0]
        slack_step = (target - slack * step) / truth - slack
        truth = np.maximum(truth + _reach(truth, step) * step, _LEAST)
        slack = np.maximum(slack + _reach(slack, slack_step) * slack_step, _LEAST)
    found[place] = truth
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def _reach(place: Array, step: Array) -> Array:
    """How far each step may be followed, at most to its end, before something falls to 0."""
    falling = (-step / place).max(axis=1, keepdims=True)
    return np.minimum(1.0, _SHORT_OF_ZERO / np.maximum(falling, _SHORT_OF_ZERO))
