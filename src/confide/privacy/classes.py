"""Latent classes fitted through the disguise: the crowd as a capable adversary would model it.

A joint table of many questions learns its own noise from a few thousand reports; a handful of
classes within which answers are independent (naive Bayes with a hidden class) does not, and tells
the coins of real data better by far. The number of classes doubles while Akaike's criterion
improves: it asks what predicts best, and an adversary modelled too simply would make a report look
safer than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.counts import Counts
from confide.crowd.latent import LatentClasses, Reported
from confide.privacy.prior import Array
from confide.privacy.starts import Shares, Starts

_SEED = 20_000  # the same reports give the same classes
_LARGEST_SAMPLE = 10_000  # more reports change the classes little and cost much
_MOST_CLASSES = 8
_SCATTERS = (0.0, 0.5, 0.5, 1.0, 1.0)  # of the starts, in log odds
_TRIAL = 20  # steps of each start, before only the best goes on
_STEPS = 200
_TOLERANCE = 3e-6  # of the mean log-likelihood


def fitted(batches: Sequence[Counts]) -> tuple[Array, Shares]:
    """Fit classes to counted reports: their weights, and each answer's shares in each class."""
    generator = np.random.default_rng(_SEED)
    reports, starts = _Reports(_sampled(batches, generator)), Starts(batches)
    best = _of_classes(reports, starts, 1, generator)
    while 2 * best.classes <= _MOST_CLASSES:
        more = _of_classes(reports, starts, 2 * best.classes, generator)
        if more.score <= best.score:
            break
        best = more
    names = batches[0].design.names
    return best.model.weights[0], dict(zip(names, best.model.tables, strict=True))


def _of_classes(
    reports: _Reports, starts: Starts, classes: int, generator: np.random.Generator
) -> _Fit:
    """Fit a number of classes, from the most promising of several starts."""
    scatters = _SCATTERS if classes > 1 else (0.0,)
    tried = [starts.start(classes, scatter, generator) for scatter in scatters]
    weights = np.full((1, classes), 1 / classes)
    trials = [
        _improved(reports, LatentClasses(weights, list(shares.values())), _TRIAL)
        for shares in tried
    ]
    best = max(trials, key=lambda trial: trial.likelihood)
    return _improved(reports, best.model, _STEPS)


@dataclass(frozen=True, eq=False)
class _Fit:
    """Classes with the log-likelihood of the reports."""

    model: LatentClasses
    likelihood: float

    @property
    def classes(self) -> int:
        return self.model.weights.size

    @property
    def score(self) -> float:
        """Akaike's information criterion, the larger the better."""
        free = sum(each.size - len(each) for each in self.model.tables) + self.classes - 1
        return self.likelihood - free


class _Reports:
    """Batches of reports, laid out for the fit."""

    def __init__(self, batches: Sequence[Counts]) -> None:
        self.n = sum(batch.n for batch in batches)
        self.batches = [Reported(batch) for batch in batches]
        pairs = zip(self.batches, batches, strict=True)
        self.counts = [laid.pairs.laid(batch.reports[None]) for laid, batch in pairs]


def _improved(reports: _Reports, model: LatentClasses, steps: int) -> _Fit:
    """Expectation–maximisation until the likelihood stands still."""
    likelihood = before = -np.inf
    for _ in range(steps):
        better, logs = model.improved(reports.batches, reports.counts)
        pairs = zip(logs, reports.counts, strict=True)
        likelihood = float(sum(np.vdot(log, count) for log, count in pairs))
        if likelihood - before < _TOLERANCE * reports.n:
            break
        model, before = better, likelihood
    return _Fit(model, likelihood)


def _sampled(batches: Sequence[Counts], generator: np.random.Generator) -> list[Counts]:
    """So many of the reports as are worth their time."""
    total = sum(batch.n for batch in batches)
    if total <= _LARGEST_SAMPLE:
        return list(batches)
    found = []
    for batch in batches:
        share = max(1, round(batch.n * _LARGEST_SAMPLE / total))
        reports = generator.multivariate_hypergeometric(batch.reports, share, method="marginals")
        kept = reports > 0
        found.append(replace(batch, patterns=batch.patterns[kept], reports=reports[kept]))
    return found
