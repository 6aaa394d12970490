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

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.latent_classes import Fit, LatentClasses, ReportsToFit, climb_to_peak
from confide.privacy.latent_class_starts import LatentClassStarts, Shares

_SEED = 20_000  # the same reports give the same classes
_LARGEST_SAMPLE = 10_000  # more reports change the classes little and cost much
_MOST_CLASSES = 8
_SCATTERS = (0.01, 0.5, 0.5, 1.0, 1.0)  # of the starts, in log odds; none leaves classes alike
_EARLY = 60  # steps of expectation–maximisation from each start, all side by side
_MARGIN = 0.1  # by which a fit must be better than an earlier one


def fit_latent_crowd(batches: Sequence[Counts]) -> tuple[Array, Shares]:
    """Fit classes to counted reports: their weights, and each answer's shares in each class."""
    generator = np.random.default_rng(_SEED)
    # The matrices are small: threads would wait for each other longer than they work.
    with threadpool_limits(1, "blas"):
        reports, starts = ReportsToFit(_sample(batches, generator)), LatentClassStarts(batches)
        (start,) = _start_models(reports, starts, 1, generator)
        best, classes = climb_to_peak(reports, start), 2
        while classes <= _MOST_CLASSES:
            more = _find_better(reports, best, _start_models(reports, starts, classes, generator))
            if more is best:
                break
            best, classes = more, 2 * classes
    names = batches[0].design.names
    return best.model.weights[0], dict(zip(names, best.model.tables, strict=True))


def _find_better(reports: ReportsToFit, best: Fit, models: Sequence[LatentClasses]) -> Fit:
    """The best peak that is reached from some models, or the one known before."""
    for model in models:
        wanted = best.score + _MARGIN
        found = climb_to_peak(reports, model, wanted)
        best = found if found.score > wanted else best
    return best


def _start_models(
    reports: ReportsToFit, starts: LatentClassStarts, classes: int, generator: np.random.Generator
) -> list[LatentClasses]:
    """Classes from several starts, after a few steps."""
    scatters = _SCATTERS if classes > 1 else (0.0,)
    tried = [list(starts.start(classes, scatter, generator).values()) for scatter in scatters]
    weights = np.full((len(tried), classes), 1 / classes)
    model = LatentClasses(weights, [np.concatenate(tables) for tables in zip(*tried, strict=True)])
    for _ in range(_EARLY):
        model, _ = reports.improved(model)
    return [model.member(i) for i in range(len(tried))]


def _sample(batches: Sequence[Counts], generator: np.random.Generator) -> list[Counts]:
    """So many of the reports as are worth their time."""
    total = sum(batch.n for batch in batches)
    if total <= _LARGEST_SAMPLE:
        return list(batches)
    found = []
    for batch in batches:
        share = max(1, round(batch.n * _LARGEST_SAMPLE / total))
        reports = generator.multivariate_hypergeometric(batch.reports, share, method="marginals")
        found.append(batch.subset(reports))
    return found
