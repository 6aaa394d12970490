"""Choosing a joint distribution from the reports alone.

Every candidate is fitted several times side by side, each time without one fold of the reports, and
judged by the likelihood of that fold *through the channel*: no true answer is needed. The chosen
joint is the mixture of all members of all candidates whose shares make the reports that each was
not fitted to most likely (stacking). Averaging is half of the gain: with little truth in a report
the likelihood has many modes that differ in how groups are turned against each other, and their
mean says of it what the reports say, which may be nothing.

The constants were chosen on simulated populations: latent classes, trees, logistic classes and
symptom scales with 500 to 8,000 reports; none on the data sets of the papers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.crowd import Crowd
from confide.crowd.algebra import size
from confide.mining.joint.joint import Candidate, Joint
from confide.mining.joint.latent import LatentClasses
from confide.mining.joint.reported import Array, Reported

_MEMBERS, _STEPS = 10, 30
_MANY = 100_000
_MEMBERS_OF_MANY, _STEPS_OF_MANY = 3, 20
"""With so many reports the fits agree: there is less to average, and time is worth more."""
_COMPONENTS = (4, 12, 32)
_SPREADS = (0.02, 0.4)
"""How far the members' starts lie from the uniform table, at least and at most. Near starts let the
data choose the direction; only far ones find interactions such as a XOR b, where no two answers
hang together."""
_REACH = 1.7
"""How far each step is followed; beyond 2 they would not settle."""
_STACKING_STEPS = 50
_NEGLIGIBLE = 0.01
"""A candidate with a smaller share is left out."""


def choose_joint(crowd: Crowd, target: str, seed: int = 0) -> Joint:
    """Choose the joint distribution of the true answers from which to learn a target.

    Parameters
    ----------
    crowd : Crowd
        The disguised reports.
    target : str
        The question to predict.
    seed : int
        Where the fits start and how the reports fall into folds; the same seed gives the same
        joint.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> names = ["cheated", "drugs", "failed"]
    >>> design = cf.Design(
    ...     [cf.YesNo(name) for name in names], [cf.Group(names, cf.RelatedQuestion(0.6))]
    ... )
    >>> drugs = np.random.default_rng(1).integers(0, 2, 4000)
    >>> answers = np.stack([drugs, drugs, np.roll(drugs, 1)], axis=1)
    >>> joint = choose_joint(cf.Crowd(design, design.disguise(answers, seed=2)), "cheated")
    >>> joint.proba("cheated", np.array([[0, 1, 0], [0, 0, 1]])).argmax(axis=1)
    array([1, 0])
    """
    generator = np.random.default_rng(seed)
    task = _Task.of(crowd, generator)
    few, more, many = _COMPONENTS
    fits = [
        _independent(task),
        _naive_bayes(task, crowd.design.position(target)),
        _latent_classes(task, few, generator),
        _latent_classes(task, more, generator),
    ]
    if fits[-1].score > fits[-2].score:
        fits.append(_latent_classes(task, many, generator))
    shares = _stacked(task, fits)
    return _joint(crowd, fits, shares)


@dataclass(frozen=True, eq=False)
class _Task:
    """The reports, with the part that each member is fitted to and the part that judges it."""

    sizes: list[int]
    members: int
    steps: int
    patterns: Array
    chances: Array
    batches: list[Reported]
    training: list[Array]
    held_out: list[Array]

    @classmethod
    def of(cls, crowd: Crowd, generator: np.random.Generator) -> _Task:
        many = crowd.n >= _MANY
        members = _MEMBERS_OF_MANY if many else _MEMBERS
        folds = [_folds(counts.reports, members, generator) for counts in crowd.counts]
        reports = np.concatenate([counts.reports for counts in crowd.counts])
        return cls(
            [size(crowd.design, name) for name in crowd.design.names],
            members,
            _STEPS_OF_MANY if many else _STEPS,
            np.concatenate([counts.patterns for counts in crowd.counts]),
            reports / reports.sum(),
            [Reported(counts) for counts in crowd.counts],
            [c.reports - fold for c, fold in zip(crowd.counts, folds, strict=True)],
            folds,
        )


@dataclass(frozen=True, eq=False)
class _Fit:
    """A candidate with the log-chances of all patterns and its held-out score."""

    name: str
    model: LatentClasses
    logs: list[Array]
    score: float


def _independent(task: _Task) -> _Fit:
    return _fitted("independent", task, _uniform(task, 1))


def _naive_bayes(task: _Task, target: int) -> _Fit:
    """One component a class; from the uniform table, so that only the class tells them apart."""
    classes = task.sizes[target]
    model = _uniform(task, classes)
    tables = list(model.tables)
    tables[target] = np.tile(np.eye(classes), (task.members, 1))
    return _fitted("naive Bayes", task, LatentClasses(model.weights, tables), (target,))


def _uniform(task: _Task, components: int) -> LatentClasses:
    weights = np.full((task.members, components), 1 / components)
    return LatentClasses(weights, [np.full((weights.size, k), 1 / k) for k in task.sizes])


def _latent_classes(task: _Task, components: int, generator: np.random.Generator) -> _Fit:
    """Components that start at the uniform table, each a little towards one report."""
    model = _uniform(task, components)
    picked = task.patterns[generator.choice(len(task.chances), model.weights.size, p=task.chances)]
    spread = np.repeat(np.geomspace(*_SPREADS, task.members), components)[:, None]
    tables = [
        (1 - spread) / k + spread * np.eye(k)[np.minimum(picked[:, i], k - 1)]
        for i, k in enumerate(task.sizes)
    ]
    return _fitted(f"{components} latent classes", task, LatentClasses(model.weights, tables))


def _fitted(name: str, task: _Task, model: LatentClasses, fixed: Sequence[int] = ()) -> _Fit:
    """Improve a candidate, and keep the step that made the held-out reports most likely."""
    best = None
    total = sum(fold.sum() for fold in task.held_out)
    for _ in range(task.steps):
        improved, logs = model.improved(task.batches, task.training, fixed)
        pairs = zip(task.held_out, logs, strict=True)
        score = float(sum((fold * log).sum() for fold, log in pairs) / total)
        if best is None or score > best.score:
            best = _Fit(name, model, logs, score)
        model = model.beyond(improved, _REACH)
    assert best is not None
    return best


def _folds(reports: Array, members: int, generator: np.random.Generator) -> Array:
    """Deal the reports of each pattern to the members at random: (members, patterns)."""
    return generator.multinomial(reports, np.full(members, 1 / members)).T


def _stacked(task: _Task, fits: Sequence[_Fit]) -> Array:
    """The shares of the candidates whose mixture makes the held-out reports most likely."""
    held = np.concatenate([fold.ravel() for fold in task.held_out])
    logs = np.stack([np.concatenate([log.ravel() for log in fit.logs]) for fit in fits])
    logs, held = logs[:, held > 0], held[held > 0]
    chances = np.exp(logs - logs.max(axis=0))
    shares = np.full(len(fits), 1 / len(fits))
    for _ in range(_STACKING_STEPS):
        shares = shares * (chances @ (held / (shares @ chances))) / held.sum()
    shares[shares < _NEGLIGIBLE] = 0
    return np.asarray(shares / shares.sum())


def _joint(crowd: Crowd, fits: Sequence[_Fit], shares: Array) -> Joint:
    kept = [(share, fit.model) for share, fit in zip(shares, fits, strict=True) if share > 0]
    tried = [Candidate(f.name, f.score, float(s)) for s, f in zip(shares, fits, strict=True)]
    return Joint(
        crowd.design,
        crowd.n,
        np.concatenate(
            [share / len(model.weights) * model.weights.ravel() for share, model in kept]
        ),
        tuple(
            np.concatenate([model.tables[i] for _, model in kept])
            for i in range(len(crowd.design.names))
        ),
        tuple(sorted(tried, key=lambda candidate: -candidate.score)),
    )
