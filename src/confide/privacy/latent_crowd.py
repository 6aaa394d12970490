"""Latent classes fitted through the disguise: the crowd as a capable adversary would model it.

A joint table of many questions learns its own noise from a few thousand reports; a handful of
classes within which answers are independent (naive Bayes with a hidden class) does not, and tells
the coins of real data better by far. The number of classes doubles while Akaike's criterion
improves: it asks what predicts best, and an adversary modelled too simply would make a report look
safer than it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.latent_classes import HalvedReports, LatentClasses
from confide.privacy.latent_class_starts import LatentClassStarts, Shares

_SEED = 20_000  # the same reports give the same classes
_LARGEST_SAMPLE = 10_000  # more reports change the classes little and cost much
_MOST_CLASSES = 8
_SCATTERS = (0.01, 0.5, 0.5, 1.0, 1.0)  # of the starts, in log odds; none leaves classes alike
_TRIAL = 10  # leaps from each start, before only the best goes on
_LEAPS = 3_000
_TOLERANCE = 1e-9  # a step that moves no share by more has arrived
_NEAR = 0.01  # a leap that gains less log-likelihood does not decide between numbers of classes
_EQUAL = 1e-6  # log-likelihoods closer than this are a tie, and the earlier fit wins


def fit_latent_crowd(batches: Sequence[Counts]) -> tuple[Array, Shares]:
    """Fit classes to counted reports: their weights, and each answer's shares in each class."""
    generator = np.random.default_rng(_SEED)
    # The matrices are small: threads would wait for each other longer than they work.
    with threadpool_limits(1, "blas"):
        reports, starts = _Reports(_sampled(batches, generator)), LatentClassStarts(batches)
        best = _of_classes(reports, starts, 1, generator)
        while 2 * best.classes <= _MOST_CLASSES:
            more = _of_classes(reports, starts, 2 * best.classes, generator)
            if more.score <= best.score + _EQUAL:
                break
            best = more
        model = _climbed(reports, best.model).improved
    return model.weights[0], dict(zip(batches[0].design.names, model.tables, strict=True))


def _of_classes(
    reports: _Reports, starts: LatentClassStarts, classes: int, generator: np.random.Generator
) -> _Fit:
    """Fit a number of classes, from the most promising of several starts, nearly to the end."""
    scatters = _SCATTERS if classes > 1 else (0.0,)
    tried = [starts.start(classes, scatter, generator) for scatter in scatters]
    weights = np.full((1, classes), 1 / classes)
    best, *others = (
        _climbed(reports, LatentClasses(weights, list(shares.values())), leaps=_TRIAL)
        for shares in tried
    )
    for trial in others:
        if trial.height > best.height + _EQUAL:
            best = trial
    return _climbed(reports, best.model, least=_NEAR)


@dataclass(frozen=True, eq=False)
class _Fit:
    """Classes with the log-likelihood of the reports, and the step that leads on from there."""

    model: LatentClasses
    likelihood: float
    improved: LatentClasses

    @property
    def classes(self) -> int:
        return self.model.weights.size

    @property
    def height(self) -> float:
        """What no step lowers: the log-likelihood, of the people that the prior adds too."""
        return self.likelihood + self.model.prior

    @property
    def score(self) -> float:
        """Akaike's information criterion, the larger the better."""
        free = sum(each.size - len(each) for each in self.model.tables) + self.classes - 1
        return self.likelihood - free

    @property
    def arrived(self) -> bool:
        """Whether a step changes nothing any more."""
        pairs = zip(self.model.arrays, self.improved.arrays, strict=True)
        return all(np.abs(new - old).max() < _TOLERANCE for old, new in pairs)


class _Reports:
    """Batches of reports, laid out for the fit."""

    def __init__(self, batches: Sequence[Counts]) -> None:
        self._batches = [HalvedReports(batch) for batch in batches]
        pairs = zip(self._batches, batches, strict=True)
        self._counts = [laid.pairs.laid(batch.reports[None]) for laid, batch in pairs]

    def fit(self, model: LatentClasses) -> _Fit:
        """What the reports say of some classes, and where a step leads."""
        improved, logs = model.improved(self._batches, self._counts)
        pairs = zip(logs, self._counts, strict=True)
        return _Fit(model, float(sum(np.vdot(log, count) for log, count in pairs)), improved)


def _climbed(
    reports: _Reports, start: LatentClasses, leaps: int = _LEAPS, least: float = -np.inf
) -> _Fit:
    """Expectation–maximisation, accelerated: for so many leaps, while each gains the least."""
    here, reach = reports.fit(start), 1.0
    for _ in range(leaps):
        if here.arrived:
            break
        step = reports.fit(here.improved)
        leap = reports.fit(here.model.leapt(here.improved, step.improved, reach))
        before, rises = here.height, leap.height >= step.height
        here = leap if rises else reports.fit(step.improved)
        reach = 2 * reach if rises else max(reach / 8, 1.0)  # a leap that is too long costs a step
        if here.height - before < least:
            break
    return here


def _sampled(batches: Sequence[Counts], generator: np.random.Generator) -> list[Counts]:
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
