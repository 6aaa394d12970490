"""Latent classes fitted through the disguise: the crowd as a capable adversary would model it.

A joint table of many questions learns its own noise from a few thousand reports; a handful of
classes within which answers are independent (naive Bayes with a hidden class) does not, and tells
the coins of real data better by far. Fitted by expectation–maximisation: what is hidden is the
class, the coin and the answers. The number of classes doubles while Akaike's criterion improves: it
asks what predicts best, and an adversary modelled too simply would make a report look safer than
it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix

from confide.counts import Counts
from confide.privacy.prior import Array
from confide.privacy.starts import Shares, Starts
from confide.privacy.view import Codes, View, ratio

_SEED = 20_000  # the same reports give the same classes
_LARGEST_SAMPLE = 10_000  # more reports change the classes little and cost much
_MOST_CLASSES = 8
_SCATTERS = (0.0, 0.5, 0.5, 1.0, 1.0)  # of the starts, in log odds
_TRIAL = 20  # steps of each start, before only the best goes on
_STEPS = 200
_TOLERANCE = 3e-6  # of the mean log-likelihood
_DOUBT = 0.5  # answers added to every class, so that no option is ruled out for lack of reports


def fitted(batches: Sequence[Counts]) -> tuple[Array, Shares]:
    """Fit classes to counted reports: their weights, and each answer's shares in each class."""
    generator = np.random.default_rng(_SEED)
    total = sum(batch.n for batch in batches)
    seen = [_Batch.of(batch, total, generator) for batch in batches]
    starts = Starts(batches)
    best = _of_classes(seen, starts, 1, generator)
    while 2 * len(best.weights) <= _MOST_CLASSES:
        more = _of_classes(seen, starts, 2 * len(best.weights), generator)
        if more.score <= best.score:
            break
        best = more
    return best.weights, best.shares


def _of_classes(
    batches: Sequence[_Batch], starts: Starts, classes: int, generator: np.random.Generator
) -> _Fit:
    """Fit a number of classes, from the most promising of several starts."""
    scatters = _SCATTERS if classes > 1 else (0.0,)
    even = np.full(classes, 1 / classes)
    trials = [
        _improved(batches, even, starts.start(classes, scatter, generator), _TRIAL)
        for scatter in scatters
    ]
    best = max(trials, key=lambda trial: trial.likelihood)
    return _improved(batches, best.weights, best.shares, _STEPS)


@dataclass(frozen=True, eq=False)
class _Fit:
    """Classes with the log-likelihood of the reports."""

    weights: Array
    shares: Shares
    likelihood: float

    @property
    def score(self) -> float:
        """Akaike's information criterion, the larger the better."""
        free = sum(each.size - len(each) for each in self.shares.values()) + len(self.weights) - 1
        return self.likelihood - free


def _improved(batches: Sequence[_Batch], weights: Array, shares: Shares, steps: int) -> _Fit:
    """Expectation–maximisation until the likelihood stands still."""
    n = sum(batch.n for batch in batches)
    likelihood = before = -np.inf
    for _ in range(steps):
        expected = [batch.step(weights, shares) for batch in batches]
        likelihood = sum(each.likelihood for each in expected)
        weights = np.sum([each.classes for each in expected], axis=0) + _DOUBT
        weights = weights / weights.sum()
        shares = {name: _shares([each.answers[name] for each in expected]) for name in shares}
        if likelihood - before < _TOLERANCE * n:
            break
        before = likelihood
    return _Fit(weights, shares, float(likelihood))


def _shares(expected: Sequence[Array]) -> Array:
    total = sum(expected) + _DOUBT / expected[0].shape[1]
    return np.asarray(total / total.sum(axis=1, keepdims=True))


@dataclass(frozen=True)
class _Step:
    """What a batch's reports say of the hidden parts, under one guess at the crowd."""

    likelihood: float
    classes: Array
    answers: Shares
    """The expected number of each class, and of each answer within it."""


@dataclass(frozen=True, eq=False)
class _Batch:
    """Reports under one design, seen block by block."""

    views: list[View]
    reports: Codes

    @classmethod
    def of(cls, counts: Counts, total: int, generator: np.random.Generator) -> _Batch:
        reports = counts.reports
        if total > _LARGEST_SAMPLE:
            share = max(1, round(counts.n * _LARGEST_SAMPLE / total))
            reports = generator.multivariate_hypergeometric(reports, share, method="marginals")
        kept = reports > 0
        patterns = counts.patterns[kept]
        return cls([View.of(block, patterns) for block in counts.design.blocks], reports[kept])

    @cached_property
    def n(self) -> int:
        return int(self.reports.sum())

    @cached_property
    def _gathering(self) -> list[Any]:
        """For each block the matrix that adds up patterns by the block's report."""
        return [
            csr_matrix(
                (np.ones(len(view.index)), (view.index, np.arange(len(view.index)))),
                shape=(len(view.reports), len(view.index)),
            )
            for view in self.views
        ]

    def step(self, weights: Array, shares: Shares) -> _Step:
        chances = [view.chances(shares) for view in self.views]
        seen = [view.branches(each) for view, each in zip(self.views, chances, strict=True)]
        joint = np.tile(weights, (len(self.reports), 1))
        scale = np.zeros(len(self.reports))
        for view, (branches, scales) in zip(self.views, seen, strict=True):
            joint *= branches.sum(axis=1)[view.index]
            scale += scales[view.index]
        total = joint.sum(axis=1)
        hidden = joint * (self.reports / total)[:, None]
        answers: Shares = {}
        for i, view in enumerate(self.views):
            branches = seen[i][0]
            each = ratio(self._gathering[i] @ hidden, branches.sum(axis=1))
            answers |= _answers(view, branches * each[:, None], chances[i], shares)
        return _Step(float(self.reports @ (np.log(total) + scale)), hidden.sum(axis=0), answers)


def _answers(view: View, hidden: Array, chances: Array, shares: Shares) -> Shares:
    """The expected answers to a block's questions in each class, from its branches' expectations.

    Given class and branch, P(answer | report) = F[report, answer]·share/(F·share)[report].
    """
    shown = view.indicator.T @ hidden.reshape(len(hidden), -1)
    shown = ratio(shown.reshape(chances.shape), chances)
    expected = {}
    for place, question in enumerate(view.block.questions):
        values = shown[view.starts[place] : view.starts[place + 1]]
        back = np.einsum("vbk,bva->ka", values, view.block.mixture.factors[place])
        expected[question.name] = back * shares[question.name]
    return expected
