"""How people answer one question, from its reports alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import xlogy

from confide.arrays import Array
from confide.crowd import Crowd
from confide.estimators.expectation_maximisation import ReportedTable, maximise_likelihood

_DOUBT = 4.0
"""So many times the deviance that chance brings on average is taken for chance: two standard
errors."""


def estimate_margin(crowd: Crowd, name: str) -> Array:
    """Estimate how people answer one question: as unevenly as its reports bear out.

    The most likely distribution is drawn towards even answers, by the part that chance may have of
    its deviance from them (James and Stein, 1961). Where reports hold little truth hardly anything
    but even answers is left; where they hold much, the most likely distribution is.
    """
    batches = [ReportedTable.of(batch, [name]) for batch in crowd.batches]
    likely = maximise_likelihood(batches)
    even: Array = np.full(likely.shape, 1 / likely.size)
    by_chance = _DOUBT * (likely.size - 1)
    deviance = _measure_deviance(batches, likely, even)
    if deviance <= by_chance:
        return even
    return even + (1 - by_chance / deviance) * (likely - even)


def _measure_deviance(batches: Sequence[ReportedTable], likely: Array, even: Array) -> float:
    """Measure twice the log-likelihood that the likely distribution gains over the even one."""
    reported = [(batch.n * batch.shares, batch.channel) for batch in batches]
    gains = [
        xlogy(reports, channel.apply(likely)) - xlogy(reports, channel.apply(even))
        for reports, channel in reported
    ]
    return float(2 * sum(gain.sum() for gain in gains))
