"""What drawing people by weights, strata or clusters adds to the covariance of fitted log odds.

Weighted reports are fitted by Σ weight · log P(report), which is no likelihood of the sample: its
curvature tells how far the fit gives way, not how far chance moves it. The estimate solves
Σ weight · score = 0, where a report's score is the derivative of its log P by each log odds. So its
covariance is C V C: C is the inverse of the curvature, V the variance that the sum of the scores
has as the people were drawn (Binder 1983).

In directions of which the reports tell next to nothing C is enormous and V is nothing, and their
product rounding. So no direction is taken to be known better than C alone says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.log_odds import Rows, add_to_log_odds

_APART = 1e-4  # by which log odds are moved to see what follows


def widen_by_sample(
    covariance: Array,
    batches: Sequence[Counts],
    rows: Rows,
    log_chances: Callable[[Rows], Sequence[Array]],
) -> Array:
    """Widen the covariance of log odds by how the people were drawn.

    Parameters
    ----------
    covariance : array
        The inverse of the curvature, if as many reports of equal weight count as would tell as
        much. It is given back where all batches are plain counts.
    batches : sequence of Counts
        The reports.
    rows : sequence of arrays
        The distributions at the peak.
    log_chances : callable
        From distributions to the log P of each row of each batch.
    """
    if all(batch.drawn is None for batch in batches):
        return covariance
    scores = _find_scores(covariance.shape[0], rows, log_chances)
    variance = sum(
        batch.effective_n**2 * _vary_mean(batch, score)
        for batch, score in zip(batches, scores, strict=True)
    )
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(values.clip(0))
    effects, directions = np.linalg.eigh(root.T @ variance @ root)
    widened = (root @ directions) * np.sqrt(effects.clip(1))
    return np.asarray(widened @ widened.T)


def _find_scores(
    free: int, rows: Rows, log_chances: Callable[[Rows], Sequence[Array]]
) -> list[Array]:
    """Give the score of each row of each batch: (log odds, rows)."""
    slopes = []
    for unit in np.eye(free):
        ahead, behind = (log_chances(add_to_log_odds(rows, way * _APART * unit)) for way in (1, -1))
        slopes.append([(a - b) / (2 * _APART) for a, b in zip(ahead, behind, strict=True)])
    return [np.stack(each) for each in zip(*slopes, strict=True)]


def _vary_mean(batch: Counts, numbers: Array) -> Array:
    """Give the covariance of the means of per-report numbers, as the people were drawn."""
    if batch.drawn is not None:
        return batch.drawn.covariance(numbers)
    apart = numbers - (numbers @ batch.shares)[:, None]
    return np.asarray((apart * batch.shares) @ apart.T / batch.n)
