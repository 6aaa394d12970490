"""Models and privacy statements from the reports so far, in a process of their own.

They are hard work, and reports come in meanwhile.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from typing import TYPE_CHECKING

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.design import Number
from confide.errors import ConfideError, QueryError
from confide.files import Json
from confide.web.admin.bars import cut_into_bars

if TYPE_CHECKING:
    from confide.crowd import Crowd
    from confide.mining.classifier import DisguisedClassifier


def learn_model(counts: Counts, kind: str, target: str) -> Json:
    """Learn to predict a question: the model, and its text, picture and table where it has any."""
    counts.design.position(target)
    return _run_elsewhere(_learn, counts, kind, target)


def describe_disclosure(counts: Counts) -> list[str]:
    """Say what a report gives away to someone who knows the crowd as the reports show it."""
    sentences: list[str] = _run_elsewhere(_describe_disclosure, counts)["sentences"]
    return sentences


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
    """Start the other process when it is first needed; not forked, for the server has threads."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def _restore_crowd(design_text: str, patterns: Codes, reports: Array) -> Crowd:
    from confide.crowd import Crowd
    from confide.design.plain_values import from_dict

    design = from_dict(json.loads(design_text))
    return Crowd(design, Counts(design, np.asarray(patterns), np.asarray(reports)))


def _learn(design_text: str, patterns: Codes, reports: Array, kind: str, target: str) -> Json:
    from confide.mining.learners import find_learner

    crowd = _restore_crowd(design_text, patterns, reports)
    try:
        model = find_learner(kind).for_a_page(crowd.design, target).fit(crowd)
        shown = {
            "text": model.text(),
            "picture": model.picture_svg(),
            "table": _list_likelihoods(model),
        }
        return {"model": model.predictor(), **{key: part for key, part in shown.items() if part}}
    except ConfideError as error:  # as text: it must cross between processes
        return {"error": str(error)}


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
        return {"sentences": privacy.of(crowd.design, crowd).sentences()}
    except ConfideError as error:
        return {"error": str(error)}
