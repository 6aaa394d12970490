"""How many reports drawn alike would tell as much as those that were drawn with a plan.

An interval of a share is that of the score test with so many reports in place of their number
(Korn and Graubard 1998): the variance that linearisation finds, and the few degrees of freedom that
few clusters leave, make it wider.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Z95, Array
from confide.counts import Counts
from confide.counts.drawn_sample import DrawnSample
from confide.estimators.event_weights import Where, event_weights

_LEAST_LEFT = 1e-9  # of a variance: everybody was asked
_MANY = 30  # people of equal weight: with fewer it has not been shown that variances hold
_ALIKE = 1e-12  # of the weights' second moment: reports that are all alike, but for rounding


def count_effective(counts: Counts, within: Where, events: Sequence[Where]) -> Array:
    """Count how many reports drawn alike would tell as much about each event of some people."""
    if counts.drawn is None:
        return np.full(len(events), float(counts.n))
    b = event_weights(counts, within)
    having = (event_weights(counts, {**within, **event}) for event in events)
    return np.array([count_effective_for(counts, a, b) for a in having])


def count_effective_for(counts: Counts, a: Array, b: Array) -> float:
    """Count how many reports drawn alike would tell as much about a ratio of two means."""
    drawn = counts.drawn
    if drawn is None:
        return float(counts.n)
    share = float(counts.shares @ b)
    value = float(counts.shares @ a) / share if share > 0 else 0.0
    apart = (a - value * b)[None]
    square = float(counts.shares @ apart[0] ** 2)
    if square <= _ALIKE * float(counts.shares @ b**2):
        return drawn.effective_size
    possible = min(max(value, 0.0), 1.0)
    known = find_known_part(share * possible * (1 - possible), square)
    variance = float(drawn.covariance_of_estimates(apart, known)[0, 0])
    told = square / max(variance, _LEAST_LEFT * square / counts.n)
    return told / distrust_weights(drawn, apart[0], square)


def distrust_weights(drawn: DrawnSample, apart: Array, square: float) -> float:
    """By how much a variance must be larger where a few people carry most of the weight.

    They pull the mean to themselves, and so seem to lie near it. How far weights that differ make a
    mean less sure is then not read off these people, but off the weights alone (Kish 1965).

    Parameters
    ----------
    drawn : DrawnSample
        How the people were drawn.
    apart : array
        How far each row of reports is from the mean.
    square : float
        The mean square of that.
    """
    alone = float(drawn.squares @ apart**2) / drawn.weights.sum() ** 2
    if drawn.effective_size >= _MANY or alone <= 0:
        return 1.0
    return max(1.0, square / (alone * drawn.effective_size))


def find_known_part(truths: float, square: float) -> float:
    """The part of a variance that comes from who was asked, not from the disguise.

    Parameters
    ----------
    truths, square : float
        The mean square of what the people's own answers count for, and of what their reports do.
    """
    return min(max(truths / square, 0.0), 1.0) if square > 0 else 0.0


def stretch_variance(counts: Counts) -> float:
    """(t/z)² at 95 %: by how much few clusters make an interval's variance larger."""
    if counts.drawn is None:
        return 1.0
    from scipy.special import stdtrit

    return float((stdtrit(counts.drawn.freedom_of_means, 0.975) / Z95) ** 2)
