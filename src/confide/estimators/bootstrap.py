"""Reports and surveys drawn anew: parts of the reports, and standard errors without a formula."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.expectation_maximisation import ReportedTable

_SEED = 20_000  # the same reports give the same standard errors


def draw_replicates(
    batches: Sequence[ReportedTable],
    truth: Array,
    fit: Callable[[Sequence[ReportedTable]], Array],
    surveys: int = 100,
) -> Array:
    """Fit a table to each of some surveys drawn from a fitted table (parametric bootstrap)."""
    generator = np.random.default_rng(_SEED)
    expected = [batch.channel.apply(truth).clip(0) for batch in batches]
    found = []
    for _ in range(surveys):
        drawn = [
            replace(batch, shares=_draw_shares(generator, batch.n, shares))
            for batch, shares in zip(batches, expected, strict=True)
        ]
        found.append(fit(drawn))
    return np.array(found)


def draw_reports(batch: Counts, size: int, generator: np.random.Generator) -> Counts:
    """Draw so many of a batch's reports, each once at most."""
    return batch.subset(
        generator.multivariate_hypergeometric(batch.reports, size, method="marginals")
    )


def draw_reports_again(batches: Sequence[Counts], generator: np.random.Generator) -> list[Counts]:
    """Draw as many reports of each batch with replacement, as another survey might have.

    Where people have weights, as many of equal weight are drawn as would tell as much, each with
    a chance in proportion to its weight.
    """
    drawn = []
    for batch in batches:
        merged, factors = batch.merge_sample()
        weights = merged.reports * factors
        shares = weights / weights.sum()
        drawn.append(merged.subset(generator.multinomial(round(batch.effective_n), shares)))
    return drawn


def _draw_shares(generator: np.random.Generator, n: int, shares: Array) -> Array:
    """The shares found in one survey of n reports."""
    counts = generator.multinomial(n, (shares / shares.sum()).ravel())
    return counts.reshape(shares.shape) / n
