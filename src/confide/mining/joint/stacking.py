"""Choosing a joint distribution from the reports alone.

The chosen joint is the mixture of all members of all candidates (stacking; Yao, Vehtari, Simpson
and Gelman, 2018). Their shares are those with which the mixture best tells the target's report from
a record's other reports, among the reports that each member was not fitted to. Averaging is half of
the gain: with little truth in a report the likelihood has many modes that differ in how groups are
turned against each other, and their mean says of it what the reports say, which may be nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from threadpoolctl import threadpool_limits

from confide.arrays import Array
from confide.crowd import Crowd
from confide.estimators.product_mixture import ProductMixture
from confide.estimators.share_likelihood import em_factor
from confide.mining.joint.candidates import (
    MEMBERS,
    FittedCandidate,
    Task,
    fit_independent,
    fit_latent_classes,
    fit_naive_bayes,
)
from confide.mining.joint.joint_population import Candidate, JointPopulation
from confide.mining.joint.leaf_candidates import fit_inverse_leaves, fit_reported_leaves
from confide.mining.joint.wide_surveys import count_members, draw_some, finish_on_all
from confide.progress import track

_FEW, _SOME, _MANY = 4, 12, 32
"""Hidden classes; many only where some did better than naive Bayes."""
_FEWEST_STEPS, _MOST_STEPS, _NATS = 50, 1_000, 0.1
"""How many steps find the shares, at least and at most; between, as many as gain so much each, in
the log-likelihood of all left-out reports."""
_NEGLIGIBLE = 0.01
"""A candidate with a smaller share is left out."""
_PARTS, _DOUBT = 20, 2.0
"""In so many parts it is told how much of a mixture left-out reports bear out, and they bear a part
out that tells them no more than so many nats worse than the best one: two standard errors."""
_SEED = 0  # the same reports give the same folds, the same starts and the same joint


def choose_joint(crowd: Crowd, target: str) -> JointPopulation:
    """Choose the joint distribution of the true answers from which to learn a target.

    Parameters
    ----------
    crowd : Crowd
        The disguised reports.
    target : str
        The question to predict.

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
    generator = np.random.default_rng(_SEED)
    # The matrices are small: threads would wait for each other longer than they work.
    with threadpool_limits(1, "blas"):
        some = draw_some(crowd, generator)
        task = Task.of(some, target, generator, count_members(crowd))
        fits = fit_candidates(task, generator)
        logs, held = list_left_out(task, fits)
        shares = find_best_shares(logs, held)
        if some is not crowd:
            fits = finish_on_all(crowd, fits, shares, task.margins)
        joint = mix_candidates(crowd, fits, shares)
        return replace(joint, borne_out=find_borne_out(logs, held, shares))


def fit_candidates(task: Task, generator: np.random.Generator) -> list[FittedCandidate]:
    """Fit the candidates, the simple ones first; many classes only if some beat naive Bayes."""
    shapes: dict[str, Callable[[], FittedCandidate | None]] = {
        "independent": lambda: fit_independent(task),
        "naive Bayes": lambda: fit_naive_bayes(task),
        "few classes": lambda: fit_latent_classes(task, _FEW, generator),
        "some classes": lambda: fit_latent_classes(task, _SOME, generator),
        "many classes": lambda: fit_latent_classes(task, _MANY, generator),
    }
    if task.members == MEMBERS:  # else there is no time to spare
        shapes["leaves of the inverse"] = lambda: fit_inverse_leaves(task)
        shapes["leaves of the reports"] = lambda: fit_reported_leaves(task)
    fits: dict[str, FittedCandidate] = {}
    costs = [1, task.sizes[task.target], _FEW, _SOME, _MANY, _SOME, _SOME]
    for shape in track(list(shapes), costs=costs[: len(shapes)]):
        if shape == "many classes" and fits["some classes"].score <= fits["naive Bayes"].score:
            continue
        fit = shapes[shape]()
        if fit is not None:
            fits[shape] = fit
    return list(fits.values())


def list_left_out(task: Task, fits: Sequence[FittedCandidate]) -> tuple[Array, Array]:
    """List the log-chances of the target in left-out reports, and how many these are.

    The log-chances are (candidates, reports).
    """
    held = np.concatenate([fold.ravel() for fold in task.held_out.folds])
    logs = [fit.log_chances_of_target(task) for fit in fits]
    return np.stack([np.concatenate([t.ravel() for t in each]) for each in logs]), held


def find_best_shares(logs: Array, held: Array) -> Array:
    """Find the shares that maximise Σ held · log Σ_m share_m exp(logs_m), without negligible ones.

    By expectation–maximisation from equal shares. Few reports cannot tell much about shares, which
    then stay nearly equal; many carry them to their end. ``logs`` is (candidates, reports).
    """
    logs, held = logs[:, held > 0], held[held > 0]
    chances, weights = np.exp(logs - logs.max(axis=0)), held / held.sum()
    shares, told = np.full(len(logs), 1 / len(logs)), -np.inf
    for step in range(_MOST_STEPS):
        shares = shares * em_factor(chances.T.dot, chances.dot, weights, shares)
        before, told = told, float(held @ np.log(shares @ chances))
        if step >= _FEWEST_STEPS and told - before < _NATS:
            break
    shares[shares < _NEGLIGIBLE] = 0
    return np.asarray(shares / shares.sum())


def find_borne_out(logs: Array, held: Array, shares: Array) -> float:
    """Find the least part of a mixture, from 0 to 1, that left-out reports bear out.

    The other part is the first candidate, whose answers have nothing to do with each other.
    """
    logs, held = logs[:, held > 0], held[held > 0]
    alone, mixed = np.exp(logs[0]), shares @ np.exp(logs)
    parts = np.arange(_PARTS + 1) / _PARTS
    told = np.array([held @ np.log(alone + part * (mixed - alone)) for part in parts])
    return float(parts[np.argmax(told >= told.max() - _DOUBT)])


def mix_candidates(crowd: Crowd, fits: Sequence[FittedCandidate], shares: Array) -> JointPopulation:
    """Mix all members of the candidates by the candidates' shares."""
    candidates = [Candidate(f.name, f.score, float(s)) for s, f in zip(shares, fits, strict=True)]
    members = [
        (share / len(fit.mixed), member)
        for share, fit in zip(shares, fits, strict=True)
        if share > 0
        for member in fit.mixed.members
    ]
    return JointPopulation(
        crowd.design,
        crowd.n,
        ProductMixture.mix(*zip(*members, strict=True)),
        tuple(sorted(candidates, key=lambda candidate: -candidate.score)),
    )
