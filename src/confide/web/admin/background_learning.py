"""Models and privacy statements from the reports so far, in a process of their own.

They are hard work, and reports come in meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.design import Number
from confide.design.without_missing import leave_out_missing
from confide.errors import ConfideError, QueryError
from confide.files import Json
from confide.privacy.rounding import of_hundred, write_epsilon, write_odds_ratio
from confide.web.admin.bars import cut_into_bars
from confide.web.admin.results import describe_estimate
from confide.worker_processes import open_pool

if TYPE_CHECKING:
    from confide.crowd import Crowd
    from confide.mining.classifier import DisguisedClassifier
    from confide.privacy.statement import PrivacyStatement

FOLDS = 4
"""A model is learned from so many parts of the reports but one, and tried on that one, in turn."""


def learn_model(counts: Counts, kind: str, target: str) -> Json:
    """Learn to predict a question: the model, how often it is right, and what it looks like.

    Numbers that may be missing take no part.
    """
    counts.design.position(target)
    part = leave_out_missing(counts.design)
    learned = counts if part is counts.design else counts.only(part)
    return _run_elsewhere(_learn, learned, kind, target)


def describe_disclosure(counts: Counts) -> Json:
    """Say what a report gives away to someone who knows the crowd as the reports show it."""
    return _run_elsewhere(_describe_disclosure, counts)


def _run_elsewhere(work: Callable[..., Json], counts: Counts, *given: str) -> Json:
    """Run some work on counts in the other process, and give what it returns."""
    held = (counts.design.canonical_json(), counts.patterns, counts.reports)
    try:
        found = _start_pool().submit(work, *held, *given).result()
    except BrokenProcessPool:
        _start_pool.cache_clear()
        raise QueryError("learning was interrupted. Try again.") from None
    if "error" in found:
        raise QueryError(found["error"])
    return found


@cache
def _start_pool() -> ProcessPoolExecutor:
    """Start the other process when it is first needed; it ends with the server."""
    return open_pool(1)


def stop_learning() -> None:
    """End the other process, if it was started, when it has done what it does."""
    if _start_pool.cache_info().currsize:
        _start_pool().shutdown(wait=True, cancel_futures=True)
        _start_pool.cache_clear()


def _restore_crowd(design_text: str, patterns: Codes, reports: Array) -> Crowd:
    from confide.crowd import Crowd
    from confide.design.plain_values import from_dict

    design = from_dict(json.loads(design_text))
    return Crowd(design, Counts(design, np.asarray(patterns), np.asarray(reports)))


def _learn(design_text: str, patterns: Codes, reports: Array, kind: str, target: str) -> Json:
    from confide.mining.learners import find_learner

    crowd = _restore_crowd(design_text, patterns, reports)
    try:
        learner = find_learner(kind).for_a_page(crowd.design, target)
        scored = _score(learner, crowd)
        model = learner.fit(crowd)
        shown = {"outline": model.outline(), "table": _list_likelihoods(model)}
        learned = {"model": model.predictor(), "folds": FOLDS, **scored}
        return learned | {key: part for key, part in shown.items() if part}
    except ConfideError as error:  # as text: it must cross between processes
        return {"error": str(error)}


def _score(learner: DisguisedClassifier, crowd: Crowd) -> Json:
    """How often such a model is right about people it has not seen; else why that is unknown."""
    from confide.mining.model_selection import cross_validate_disguised

    try:
        found = cross_validate_disguised(learner, crowd, folds=FOLDS).accuracy
        return {"accuracy": describe_estimate(found), "unscored": ""}
    except ConfideError as error:
        return {"accuracy": None, "unscored": str(error)}


def _list_likelihoods(model: DisguisedClassifier) -> list[Json]:
    """List how often each answer is given in each class, numbers in bars."""
    rows = []
    for name, table in model.answer_tables():
        question = model.design_.question(name)
        labels = list(question.labels)
        if isinstance(question, Number):
            starts, labels = cut_into_bars(question, question.grid)
            table = np.add.reduceat(table, starts, axis=1)
        for label, chances in zip(labels, table.T.tolist(), strict=True):
            rows.append({"question": name, "answer": label, "chances": chances})
    return rows


def _describe_disclosure(design_text: str, patterns: Codes, reports: Array) -> Json:
    from confide import privacy

    crowd = _restore_crowd(design_text, patterns, reports)
    try:
        return summarize_privacy(privacy.of(crowd.design, crowd))
    except ConfideError as error:
        return {"error": str(error)}


def summarize_privacy(statement: PrivacyStatement) -> Json:
    """Say what a report gives away: which answers are known, and which are guessed, worst first."""
    hidden = [each.name for each in statement.questions if not each.clear]
    pairs = [
        (name, statement.guess_from_report(name), statement.guess_without_report(name))
        for name in hidden
    ]
    bounded = statement.epsilon < inf
    return {
        "sentences": statement.sentences(),
        "clear": list(statement.clear),
        "guesses": [
            (name, of_hundred(guessed), of_hundred(before, guessed))
            for name, guessed, before in sorted(pairs, key=lambda pair: -pair[1])
        ],
        "epsilon": write_epsilon(statement.epsilon) if bounded else None,
        "times": write_odds_ratio(statement.epsilon) if bounded else None,
    }
