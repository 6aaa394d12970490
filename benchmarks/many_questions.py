"""Sixty questions, learned by default: a tree with a coin each, naive Bayes with three coins."""

from __future__ import annotations

from time import process_time

import numpy as np
from measuring import Result, Size, format_duration, measure_best_seconds

import confide as cf

MOST_SECONDS = 10.0
_NAMES = [f"q{i:02}" for i in range(60)]
_TRUTH = cf.RelatedQuestion("4/5")


def measure(size: Size) -> list[Result]:
    """In seconds of processor time: nobody else learns from such reports."""
    questions = [cf.YesNo(name) for name in _NAMES]
    alone = cf.Design(questions, [cf.Group([name], _TRUTH) for name in _NAMES])
    joined = cf.Design(questions, [cf.Group(_NAMES[g::3], _TRUTH) for g in range(3)])
    return [
        _measure_learning(
            "a tree by default, a coin each",
            cf.DisguisedTreeClassifier(alone, _NAMES[0]),
            max(size.answers // 50, 500),
        ),
        _measure_learning(
            "naive Bayes by default, three coins",
            cf.DisguisedNaiveBayes(joined, _NAMES[0]),
            max(size.answers // 10, 500),
        ),
    ]


def _measure_learning(
    what: str, learner: cf.DisguisedTreeClassifier | cf.DisguisedNaiveBayes, people: int
) -> Result:
    generator = np.random.default_rng(3)
    answers = generator.random((people, len(_NAMES))) < generator.random((people, 1))
    reports = learner.design.disguise(answers, seed=1)
    (seconds,) = measure_best_seconds(1, lambda: learner.fit(reports), clock=process_time)
    return Result(
        what=f"{what}, from {people:,} reports × {len(_NAMES)} questions",
        confide=format_duration(seconds),
        beside="nothing",
        found=seconds,
        shown=format_duration(seconds),
        target=f"≤ {MOST_SECONDS:g} s",
        met=seconds <= MOST_SECONDS,
    )
