"""How much of the scores' variance the disguise makes: what is left if everybody was asked.

A report's score varies because another person might have been asked, and because the same person
might have reported something else. In a finite population of which much was asked the first is
less; the second stays. Given the truth the score varies by the channel,

    Var(s | truth) = Σ_r M[r, truth] · (s_r − s̄)(s_r − s̄)ᵀ,    s̄ = Σ_r M[r, truth] · s_r,

and the truth behind each report is weighted by P(truth | report).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from confide.arrays import Array
from confide.counts.drawn_sample import DrawnSample
from confide.regression.regression_likelihood import Likelihood


def disguise_variance(
    rows: Likelihood, channels: Iterable[Array], params: Array, drawn: DrawnSample
) -> Array | float:
    """What the disguise adds to the variance of the scores' mean in a finite population.

    Parameters
    ----------
    rows : Likelihood
        The reports that came in.
    channels : iterable of arrays of shape (rows, outcomes × cells)
        M[report, truth] of every report that could have come in.
    params : array
        Where the scores are taken.
    drawn : DrawnSample
        How the people behind the rows were drawn, and which part of all people that is.
    """
    if not drawn.fractions.any():
        return 0.0
    parts = drawn.fractions[drawn.strata] * drawn.squares / drawn.weights.sum() ** 2
    truths = rows.posterior(params).reshape(len(parts), -1)
    chances, scores = [], []
    for channel in channels:
        chance = channel.reshape(truths.shape)
        possible = chance.sum(axis=1)[:, None, None] > 0
        told = np.where(possible, channel.reshape(rows.channel.shape), rows.channel)
        scores.append(replace(rows, channel=told).evaluate(params).scores)
        chances.append(chance)
    total = np.zeros((len(params), len(params)))
    for truth, weight in enumerate(truths.T):
        held = [chance[:, truth] for chance in chances]
        mean = sum(chance[:, None] * score for chance, score in zip(held, scores, strict=True))
        for chance, score in zip(held, scores, strict=True):
            apart = score - mean
            total += (apart * (weight * chance * parts)[:, None]).T @ apart
    return total
