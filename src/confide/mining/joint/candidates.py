"""The shapes of joints that are tried, and how each is fitted and judged.

Every candidate is fitted several times side by side, each time without one fold of the reports, and
judged by the likelihood of that fold *through the channel*: no true answer is needed.

The constants were chosen on simulated populations: docs/research/mining-ablation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.crowd import Crowd
from confide.estimators.latent_classes import (
    HalvedReports,
    ProductMixtures,
    TrainingReports,
    run_accelerated_em,
)
from confide.mining.joint.held_out import HeldOut, Watch
from confide.mining.joint.margins import estimate_margin
from confide.progress import track

MEMBERS = 10
"""So many fits are made of each candidate."""
_LEAPS = 500
"""So many leaps, of three steps each (`run_accelerated_em`), are made at most; mostly some twenty
suffice."""
_SPREADS = (0.02, 0.8)
"""How far the members' starts lie from a table without a pattern, at least and at most. Near starts
let the data choose the direction; only far ones find interactions such as a XOR b, where no two
answers hang together."""


@dataclass(frozen=True, eq=False)
class Task:
    """The reports, with the part that each member is fitted to and the part that judges it.

    Parameters
    ----------
    sizes : list of int
        How many answers each question has.
    members : int
        How many fits are made of each candidate, each without another fold of the reports.
    leaps : int
        How many leaps a fit takes at most.
    patterns, chances : arrays
        The distinct reports of all batches, and the share of each, from which starts are drawn.
    margins : one array per question
        The distribution of its answers, estimated by itself (`estimate_margin`).
    target : int
        The place of the question to predict.
    counts : one Counts per batch
        The reports, without how their people were drawn.
    folds : one array of shape (members, patterns) per batch
        How many reports of each pattern each member is not fitted to.
    training, held_out : TrainingReports, HeldOut
        The reports that each member is fitted to, and those that judge it, by their weights.
    without_target : one HalvedReports per batch
        The reports to all questions but the target.
    """

    sizes: list[int]
    members: int
    leaps: int
    patterns: Codes
    chances: Array
    margins: list[Array]
    target: int
    counts: list[Counts]
    folds: list[Codes]
    training: TrainingReports
    held_out: HeldOut
    without_target: list[HalvedReports]

    @classmethod
    def of(
        cls, crowd: Crowd, target: str, generator: np.random.Generator, members: int = MEMBERS
    ) -> Task:
        """Deal the reports of a crowd into ten folds, one a member.

        Fewer members are those that start farthest from a table without a pattern.
        """
        place = crowd.design.position(target)
        margins = [estimate_margin(crowd, name) for name in crowd.design.names]
        merged = [counts.merge_sample() for counts in crowd.batches]
        folds = [_deal_folds(counts.reports, members, generator) for counts, _ in merged]
        weights = [counts.reports * factors for counts, factors in merged]
        batches = [HalvedReports(counts) for counts, _ in merged]
        left_out = [fold * factors for fold, (_, factors) in zip(folds, merged, strict=True)]
        chances = np.concatenate(weights)
        learnt = [weight - fold for weight, fold in zip(weights, left_out, strict=True)]
        return cls(
            sizes=[crowd.design.question(name).size for name in crowd.design.names],
            members=members,
            leaps=_LEAPS,
            patterns=np.concatenate([counts.patterns for counts, _ in merged]),
            chances=chances / chances.sum(),
            margins=margins,
            target=place,
            counts=[counts for counts, _ in merged],
            folds=folds,
            training=TrainingReports(batches, learnt, margins),
            held_out=HeldOut(left_out),
            without_target=[HalvedReports(counts, without=place) for counts, _ in merged],
        )

    def list_training(self) -> list[list[Counts]]:
        """List by member the reports, without weights, that it is fitted to, batch by batch."""
        pairs = list(zip(self.counts, self.folds, strict=True))
        return [
            [counts.subset(counts.reports - fold[member]) for counts, fold in pairs]
            for member in range(self.members)
        ]

    def all_reports(self) -> TrainingReports:
        """Give all reports, by their weights, to a single member."""
        pairs = zip(self.training.counts, self.held_out.folds, strict=True)
        counts = [learnt[:1] + left_out[:1] for learnt, left_out in pairs]
        return TrainingReports(self.training.batches, counts, self.margins)


@dataclass(frozen=True, eq=False)
class FittedCandidate:
    """A candidate with what the reports say of it.

    Parameters
    ----------
    name : str
        Its shape, such as "12 latent classes".
    model : ProductMixtures
        Its members.
    log_chances : one array of shape (members, patterns) per batch
        The logarithm of each pattern's probability under each member.
    score : float
        The mean log-likelihood of the reports that a member was not fitted to.
    fixed : sequence of int
        The places of questions whose tables are given, not fitted.
    whole : ProductMixtures, optional
        A fit to all reports; the members then only serve to judge it.
    """

    name: str
    model: ProductMixtures
    log_chances: list[Array]
    score: float
    fixed: Sequence[int] = ()
    whole: ProductMixtures | None = None

    @property
    def mixed(self) -> ProductMixtures:
        """The members that are mixed with those of other candidates."""
        return self.model if self.whole is None else self.whole

    def log_chances_of_target(self, task: Task) -> list[Array]:
        """The log-chance of the target's report given the other reports of each pattern."""
        batches = zip(self.log_chances, task.without_target, strict=True)
        return [logs - rest.log_chances(self.model) for logs, rest in batches]


def fit_independent(task: Task) -> FittedCandidate:
    """Fit independent answers, each estimated by itself: what predicts the majority class."""
    tables = [np.tile(margin, (task.members, 1)) for margin in task.margins]
    return judge("independent", task, ProductMixtures(np.ones((task.members, 1)), tables))


def fit_naive_bayes(task: Task) -> FittedCandidate:
    """Fit one component per class, all else even at first: only the class tells them apart."""
    classes = task.sizes[task.target]
    weights = np.tile(task.margins[task.target], (task.members, 1))
    tables = _start_alike(task, weights.size)
    tables[task.target] = np.tile(np.eye(classes), (task.members, 1))
    return _fit("naive Bayes", task, ProductMixtures(weights, tables), (task.target,))


def _start_alike(task: Task, components: int) -> list[Array]:
    """Give so many components that are alike: the target as people have it, all else even."""
    tables = [np.full((components, k), 1 / k) for k in task.sizes]
    tables[task.target] = np.tile(task.margins[task.target], (components, 1))
    return tables


def fit_latent_classes(
    task: Task, components: int, generator: np.random.Generator
) -> FittedCandidate:
    """Fit components that are alike at first but for a move, of each, towards one report."""
    weights = np.full((task.members, components), 1 / components)
    picked = task.patterns[generator.choice(len(task.chances), weights.size, p=task.chances)]
    spreads = np.geomspace(*_SPREADS, MEMBERS)[-task.members :]
    spread = np.repeat(spreads, components)[:, None]
    tables = [
        (1 - spread) * table + spread * np.eye(k)[np.minimum(picked[:, i], k - 1)]
        for i, (table, k) in enumerate(
            zip(_start_alike(task, weights.size), task.sizes, strict=True)
        )
    ]
    return _fit(f"{components} latent classes", task, ProductMixtures(weights, tables))


def _fit(
    name: str, task: Task, model: ProductMixtures, fixed: Sequence[int] = ()
) -> FittedCandidate:
    """Fit a candidate by expectation–maximisation."""
    watch = Watch(task.held_out)
    last = run_accelerated_em(model, task.training, track(range(task.leaps)), fixed, watch.is_over)
    return judge(name, task, watch.best or last, fixed)


def judge(
    name: str, task: Task, model: ProductMixtures, fixed: Sequence[int] = ()
) -> FittedCandidate:
    """Judge a candidate by the likelihood of the reports that it was not fitted to."""
    logs = [batch.log_chances(model) for batch in task.training.batches]
    return FittedCandidate(name, model, logs, task.held_out.score(logs), fixed)


def _deal_folds(reports: Codes, members: int, generator: np.random.Generator) -> Codes:
    """Deal the reports of each pattern at random, and give the last members' folds."""
    return generator.multinomial(reports, np.full(MEMBERS, 1 / MEMBERS)).T[-members:]
