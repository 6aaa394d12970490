"""The shapes of joints that are tried, and how each is fitted and judged.

Every candidate is fitted several times side by side, each time without one fold of the reports, and
judged by the likelihood of that fold *through the channel*: no true answer is needed.

The constants were chosen on simulated populations: docs/research/mining-ablation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.crowd import Crowd
from confide.estimators.latent_classes import HalvedReports, LatentClasses
from confide.estimators.latent_classes.pairs import Array
from confide.estimators.table_channel import TableChannel
from confide.mining.progress import track

_MEMBERS, _STEPS = 10, 60
_MANY = 100_000
_MEMBERS_OF_MANY, _STEPS_OF_MANY = 3, 20
"""With so many reports the fits agree: there is less to average, and time is worth more."""
_SPREADS = (0.02, 0.8)
"""How far the members' starts lie from the uniform table, at least and at most. Near starts let the
data choose the direction; only far ones find interactions such as a XOR b, where no two answers
hang together."""
_TINY = 1e-300
_REACH = 1.7
"""How far each step is followed; beyond 2 they would not settle."""


@dataclass(frozen=True, eq=False)
class Task:
    """The reports, with the part that each member is fitted to and the part that judges it."""

    sizes: list[int]
    members: int
    steps: int
    patterns: Array
    chances: Array
    margins: list[Array]
    target: int
    batches: list[HalvedReports]
    without_target: list[HalvedReports]
    training: list[Array]
    held_out: list[Array]

    @classmethod
    def of(cls, crowd: Crowd, target: str, generator: np.random.Generator) -> Task:
        """Deal the reports of a crowd into folds."""
        place = crowd.design.position(target)
        many = crowd.n >= _MANY
        members = _MEMBERS_OF_MANY if many else _MEMBERS
        taken = _STEPS_OF_MANY if many else _STEPS
        folds = [_deal_folds(counts.reports, members, generator) for counts in crowd.counts]
        batches = [HalvedReports(counts) for counts in crowd.counts]
        dealt = list(zip(batches, crowd.counts, folds, strict=True))
        reports = np.concatenate([counts.reports for counts in crowd.counts])
        return cls(
            [crowd.design.question(name).size for name in crowd.design.names],
            members,
            taken,
            np.concatenate([counts.patterns for counts in crowd.counts]),
            reports / reports.sum(),
            [_estimate_margin(crowd, name, taken) for name in crowd.design.names],
            place,
            batches,
            [HalvedReports(counts, without=place) for counts in crowd.counts],
            [batch.pairs.laid(counts.reports - fold) for batch, counts, fold in dealt],
            [batch.pairs.laid(fold) for batch, _, fold in dealt],
        )


@dataclass(frozen=True, eq=False)
class Fit:
    """A candidate with the log-chances of all patterns and its held-out score."""

    name: str
    model: LatentClasses
    logs: list[Array]
    score: float

    def log_chances_of_target(self, task: Task) -> list[Array]:
        """The log-chance of the target's report given the other reports of each pattern."""
        rest = [b.likelihood(self.model.weights, self.model.tables) for b in task.without_target]
        laid = zip(task.batches, self.logs, task.without_target, rest, strict=True)
        return [a.pairs.by_pattern(log) - b.pairs.by_pattern(other) for a, log, b, other in laid]


def fit_independent(task: Task) -> Fit:
    """Every answer on its own, estimated by itself: what predicts the majority class."""
    tables = [np.tile(margin, (task.members, 1)) for margin in task.margins]
    return _judge("independent", task, LatentClasses(np.ones((task.members, 1)), tables))


def fit_naive_bayes(task: Task) -> Fit:
    """One component a class; from the uniform table, so that only the class tells them apart."""
    classes = task.sizes[task.target]
    model = _uniform(task, classes)
    tables = list(model.tables)
    tables[task.target] = np.tile(np.eye(classes), (task.members, 1))
    return _fit("naive Bayes", task, LatentClasses(model.weights, tables), (task.target,))


def _uniform(task: Task, components: int) -> LatentClasses:
    weights = np.full((task.members, components), 1 / components)
    return LatentClasses(weights, [np.full((weights.size, k), 1 / k) for k in task.sizes])


def fit_latent_classes(task: Task, components: int, generator: np.random.Generator) -> Fit:
    """Components that start at the uniform table, each a little towards one report."""
    model = _uniform(task, components)
    picked = task.patterns[generator.choice(len(task.chances), model.weights.size, p=task.chances)]
    spread = np.repeat(np.geomspace(*_SPREADS, task.members), components)[:, None]
    tables = [
        (1 - spread) / k + spread * np.eye(k)[np.minimum(picked[:, i], k - 1)]
        for i, k in enumerate(task.sizes)
    ]
    return _fit(f"{components} latent classes", task, LatentClasses(model.weights, tables))


def _fit(name: str, task: Task, model: LatentClasses, fixed: Sequence[int] = ()) -> Fit:
    """Improve a candidate step by step."""
    for _ in track(range(task.steps)):
        improved, _ = model.improved(task.batches, task.training, fixed)
        model = model.beyond(improved, _REACH)
    return _judge(name, task, model)


def _judge(name: str, task: Task, model: LatentClasses) -> Fit:
    """A candidate with the likelihood of the reports that it was not fitted to."""
    logs = [batch.likelihood(model.weights, model.tables) for batch in task.batches]
    pairs = zip(task.held_out, logs, strict=True)
    total = sum(fold.sum() for fold in task.held_out)
    return Fit(name, model, logs, float(sum(np.vdot(fold, log) for fold, log in pairs) / total))


def _estimate_margin(crowd: Crowd, name: str, steps: int) -> Array:
    """The distribution of one answer: some steps from the uniform one to the most likely."""
    batches = [
        (TableChannel(batch.design, [name]).channel_matrix(), batch.table([name]) / crowd.n)
        for batch in crowd.counts
    ]
    answers = batches[0][0].shape[1]
    margin = np.full(answers, 1 / answers)
    for _ in range(steps):
        margin = margin * sum(m.T @ (seen / np.maximum(m @ margin, _TINY)) for m, seen in batches)
    return np.asarray(margin)


def _deal_folds(reports: Array, members: int, generator: np.random.Generator) -> Array:
    """Deal the reports of each pattern to the members at random: (members, patterns)."""
    return generator.multinomial(reports, np.full(members, 1 / members)).T
