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
    LatentClassStarts,
    TrainingReports,
    climb_to_peak,
    draw_sample,
    find_better,
    start_fits,
)
from confide.estimators.product_mixture import ProductMixture

_SEED = 20_000  # the same reports give the same classes
_LARGEST_SAMPLE = 10_000  # more reports change the classes little and cost much
_MOST_CLASSES = 8


def fit_latent_crowd(batches: Sequence[Counts]) -> ProductMixture:
    """Fit latent classes to counted reports; its tables are in the order of the design."""
    generator = np.random.default_rng(_SEED)
    # The matrices are small: threads would wait for each other longer than they work.
    with threadpool_limits(1, "blas"):
        reports = TrainingReports.of(draw_sample(batches, _LARGEST_SAMPLE, generator))
        starts = LatentClassStarts(batches)
        (start,) = start_fits(reports, starts, 1, generator)
        best, classes = climb_to_peak(reports, start), 2
        while classes <= _MOST_CLASSES:
            more = find_better(reports, best, start_fits(reports, starts, classes, generator))
            if more is best:
                break
            best, classes = more, 2 * classes
    return best.mixture
