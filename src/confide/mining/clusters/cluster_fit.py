"""Clusters fitted to reports: the best peak, in an order that does not depend on the processor."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.latent_classes import (
    FittedMixture,
    HalvedReports,
    LatentClassStarts,
    ProductMixtures,
    TrainingReports,
    climb_to_peak,
    draw_sample,
    evaluate_fit,
    find_better,
    start_fits,
)
from confide.estimators.latent_classes.peak import distributions, from_distributions
from confide.estimators.log_odds import Rows, find_covariance, find_standard_errors
from confide.estimators.product_mixture import ProductMixture
from confide.estimators.sample_covariance import widen_by_sample

SEED = 20_000  # the same reports give the same clusters
LARGEST_SAMPLE = 20_000  # reports from which starts and their number are found; the rest then count
_SMALL_SAMPLE = 5_000  # reports that tell which starts lead to high peaks
_DRAWN = 20  # starts beside those that are not drawn
_CLIMBED = 2  # of the starts, those that came furthest
_DIGITS = 6  # of shares that are compared to put clusters in order


class ClusterFits:
    """Fits of any number of clusters to the same reports.

    Parameters
    ----------
    batches : sequence of Counts
        The reports.
    """

    def __init__(self, batches: Sequence[Counts]) -> None:
        self._batches, self._generator = batches, np.random.default_rng(SEED)
        self._some = draw_sample(batches, LARGEST_SAMPLE, self._generator)
        self._reports = TrainingReports.of(self._some)
        few = draw_sample(self._some, _SMALL_SAMPLE, self._generator)
        self._few = TrainingReports.of(few)
        self._starts = LatentClassStarts(self._some)

    def fit(self, clusters: int) -> FittedMixture:
        """Fit so many clusters, the largest first."""
        generator = deepcopy(self._generator)  # a number's starts do not depend on those before it
        started = start_fits(self._few, self._starts, clusters, generator, drawn=_DRAWN)
        started.sort(key=lambda each: -evaluate_fit(self._few, each).log_likelihood)
        first, *others = started[:_CLIMBED]
        best = find_better(self._reports, climb_to_peak(self._reports, first), others)
        everyone = self._reports
        if _count(self._some) < _count(self._batches):
            everyone = TrainingReports.of(self._batches)
            best = climb_to_peak(everyone, best.mixture)
        return evaluate_fit(everyone, _put_in_order(best.mixture))


def fit_clusters(batches: Sequence[Counts], clusters: int) -> FittedMixture:
    """Fit so many clusters to reports, the largest first."""
    return ClusterFits(batches).fit(clusters)


def measure_errors(batches: Sequence[Counts], fitted: FittedMixture) -> tuple[Array, list[Array]]:
    """Give the standard errors of the clusters' shares, and of their answers by question.

    They come from the curvature of the likelihood at its peak (observed information), which
    counts what the disguise and the unknown cluster hide. The number of clusters is taken as given.
    Where reports are very many the curvature is that of a sample, which grows with their number.
    Where people were drawn by weights, strata or clusters, what that adds is counted.
    """
    some = draw_sample(batches, LARGEST_SAMPLE, np.random.default_rng(SEED))
    reports = TrainingReports.of(some)

    def gradient(rows: Rows) -> Array:
        return evaluate_fit(reports, from_distributions(rows)).gradient

    rows = distributions(fitted.mixture)
    part = _count(some) / _count(batches)
    covariance = part * find_covariance(rows, gradient, fitted.scale * np.sqrt(part))
    halved = [HalvedReports(batch) for batch in batches]
    covariance = widen_by_sample(
        covariance, batches, rows, lambda rows: find_log_chances(from_distributions(rows), halved)
    )
    weights, *tables = find_standard_errors(rows, covariance)
    return weights[0], tables


def find_log_chances(mixture: ProductMixture, batches: Sequence[HalvedReports]) -> list[Array]:
    """Give the log-likelihood of each row of reports."""
    member = ProductMixtures.stack([mixture])
    return [batch.log_chances(member)[0] for batch in batches]


def _count(batches: Sequence[Counts]) -> float:
    return sum(batch.effective_n for batch in batches)


def _put_in_order(mixture: ProductMixture) -> ProductMixture:
    """Put the largest cluster first; clusters of one size by their answers."""
    keys = np.column_stack([mixture.weights, *mixture.tables]).round(_DIGITS)
    order = np.lexsort(-keys.T[::-1])
    return ProductMixture(
        mixture.weights[order], tuple(np.asarray(table[order]) for table in mixture.tables)
    )
