"""Values and standard errors from the moments of per-report weights.

An estimate is a mean of per-report weights. For the share of an event within a sub-population it
is a ratio of two such means, v/s; its error is that of the mean of (a − p·b)/s, with a and b the
weights of both and p the ratio (delta method).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import ROUNDING, Array
from confide.crowd._score_test import Sample, ScoreTest
from confide.errors import QueryError

_ALIKE = 1e-12  # of the weights' second moment: reports that are all alike, but for rounding


def weigh_samples(samples: Sequence[Sample], by: str) -> ScoreTest:
    """Decide how much each batch counts.

    By "size" every report counts the same. By "precision" each batch counts in inverse proportion
    to the mean variance of its own cells, one weight for the whole table so that it still adds up.
    Each variance is the one that the pool's own share implies under the batch's design: few reports
    that happen to be alike are not exact.
    """
    sizes = [sample.n if sample.size is None else sample.size for sample in samples]
    test = _weigh(samples, np.array(sizes, dtype=float))
    if by == "precision" and len(samples) > 1:
        pool = np.asarray(test.mean(1, 0) / test.mean(0, 1)).clip(0, 1)
        noise = [np.mean(sample.imply_moments(pool)[0] / sample.n) for sample in samples]
        test = _weigh(samples, 1 / np.array(noise))
    return test


def _weigh(samples: Sequence[Sample], weights: Array) -> ScoreTest:
    test = ScoreTest(tuple(samples), weights / weights.sum())
    require_somebody(float(np.min(test.mean(0, 1))))
    return test


def require_somebody(share: float) -> None:
    """Refuse to say anything about people whom, by their share, the reports do not know of."""
    if share <= ROUNDING:
        raise QueryError(
            "as far as the reports tell, nobody has the true answers that are given, so nothing is "
            "known about such people. Give other answers, or collect more reports."
        )


def estimate_shares(test: ScoreTest) -> tuple[Array, Array]:
    """The ratio of each cell and its standard error.

    Where the value lies outside [0, 1], or all reports are alike, the error is at least the one
    that the nearest possible share implies: it is never 0. Rounding alone brings no value outside.
    """
    share = test.mean(0, 1)
    value = _settle(np.asarray(test.mean(1, 0) / share))
    variance, size = np.zeros_like(value), np.zeros_like(value)
    for weight, sample in zip(test.weights, test.samples, strict=True):
        second, first = sample.power(2, value), sample.power(1, value)
        variance += weight**2 * (second - first**2).clip(0) / sample.n
        size += weight**2 * second / sample.n
    wanting = (value < 0) | (value > 1) | (variance <= _ALIKE * size)
    if wanting.any():
        implied = test.variance(value.clip(0, 1))[0]
        variance = np.where(wanting, np.maximum(variance, implied), variance)
    return value, np.sqrt(variance) / abs(share)


def _settle(value: Array) -> Array:
    """The same values, those exact that differ from a whole number by rounding alone."""
    whole = np.round(value) + 0.0  # and 0 in place of −0
    return np.where(np.abs(value - whole) <= ROUNDING, whole, value)
