"""Models learned from the reports so far, in a process of their own.

Learning is hard work, and reports come in meanwhile.
"""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np

from confide.counts import Counts
from confide.errors import ConfideError, QueryError

KINDS = ("tree", "bayes")
"""What can be learned: a decision tree or naive Bayes."""

_DEPTH = 4


def learned(counts: Counts, kind: str, target: str) -> dict[str, Any]:
    """Learn to predict a question: the model, and for a tree its text and picture."""
    if kind not in KINDS:
        raise QueryError(f"a model is one of {', '.join(KINDS)}. Got {kind[:20]!r}.")
    counts.design.position(target)
    work = (counts.design.canonical_json(), counts.patterns, counts.reports, kind, target)
    try:
        found = _pool().submit(_learned, *work).result()
    except BrokenProcessPool:
        _pool.cache_clear()
        raise QueryError("learning was interrupted. Try again.") from None
    if "error" in found:
        raise QueryError(found["error"])
    return found


@cache
def _pool() -> ProcessPoolExecutor:
    """One process, made when first needed; not forked, because the server has threads."""
    return ProcessPoolExecutor(1, mp_context=get_context("spawn"))


def _learned(
    design_text: str, patterns: Any, reports: Any, kind: str, target: str
) -> dict[str, Any]:
    from confide.crowd import Crowd
    from confide.design.files import from_dict
    from confide.mining import DisguisedNaiveBayes, DisguisedTreeClassifier
    from confide.mining.exports.picture import svg

    design = from_dict(json.loads(design_text))
    crowd = Crowd(design, Counts(design, np.asarray(patterns), np.asarray(reports)))
    try:
        if kind == "bayes":
            return {"model": DisguisedNaiveBayes(design, target=target).fit(crowd).predictor()}
        tree = DisguisedTreeClassifier(design, target=target, max_depth=_DEPTH).fit(crowd)
        picture = svg(tree, _DEPTH)
        return {"model": tree.predictor(), "text": tree.text(), "picture": picture}
    except ConfideError as error:  # as text: it must cross between processes
        return {"error": str(error)}
