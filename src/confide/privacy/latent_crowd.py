"""Latent classes fitted through the disguise: the crowd as a capable adversary would model it.

A joint table of many questions learns its own noise from a few thousand reports; a handful of
classes within which answers are independent (naive Bayes with a hidden class) does not, and tells
the coins of real data better by far. The number of classes doubles while Akaike's criterion
improves: it asks what predicts best, and an adversary modelled too simply would make a report look
safer than it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from threadpoolctl import threadpool_limits

from confide.counts import Counts
from confide.estimators.latent_classes import (
    FittedMixture,
    ProductMixtures,
    TrainingReports,
    climb_to_peak,
    run_em,
)
from confide.estimators.product_mixture import ProductMixture
from confide.privacy.latent_class_starts import LatentClassStarts

_SEED = 20_000  # the same reports give the same classes
_LARGEST_SAMPLE = 10_000  # more reports change the classes little and cost much
_MOST_CLASSES = 8
_SCATTERS = (0.01, 0.5, 0.5, 1.0, 1.0)  # of the starts, in log odds; none leaves classes alike
_EARLY = 60  # steps of expectation–maximisation from each start, all side by side
_MARGIN = 0.1  # by which a fit must be better than an earlier one


def fit_latent_crowd(batches: Sequence[Counts]) -> ProductMixture:
    """Fit latent classes to counted reports; its tables are in the order of the design."""
    generator = np.random.default_rng(_SEED)
    # The matrices are small: threads would wait for each other longer than they work.
    with threadpool_limits(1, "blas"):
        reports = TrainingReports.of(_sample(batches, generator))
        starts = LatentClassStarts(batches)
        (start,) = _start_fits(reports, starts, 1, generator)
        best, classes = climb_to_peak(reports, start), 2
        while classes <= _MOST_CLASSES:
            more = _find_better(reports, best, _start_fits(reports, starts, classes, generator))
            if more is best:
                break
            best, classes = more, 2 * classes
    return best.mixture


def _find_better(
    reports: TrainingReports, best: FittedMixture, starts: Sequence[ProductMixture]
) -> FittedMixture:
    """Give the best peak that is reached from some starts, or the one known before."""
    for start in starts:
        wanted = best.score + _MARGIN
        found = climb_to_peak(reports, start, wanted)
        best = found if found.score > wanted else best
    return best


def _start_fits(
    reports: TrainingReports,
    starts: LatentClassStarts,
    classes: int,
    generator: np.random.Generator,
) -> list[ProductMixture]:
    """Take a few steps of expectation–maximisation from each of several starts."""
    scatters = _SCATTERS if classes > 1 else (0.0,)
    tried = [starts.start(classes, scatter, generator) for scatter in scatters]
    return run_em(ProductMixtures.stack(tried), reports, range(_EARLY)).members


def _sample(batches: Sequence[Counts], generator: np.random.Generator) -> list[Counts]:
    """Draw as many of the reports as are worth their time; all where they are few."""
    total = sum(batch.n for batch in batches)
    if total <= _LARGEST_SAMPLE:
        return list(batches)
    found = []
    for batch in batches:
        share = max(1, round(batch.n * _LARGEST_SAMPLE / total))
        reports = generator.multivariate_hypergeometric(batch.reports, share, method="marginals")
        found.append(batch.subset(reports))
    return found
