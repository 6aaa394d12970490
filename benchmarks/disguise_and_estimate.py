"""Disguising a column of answers and estimating its shares: confide, numpy by hand, two peers."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
import peers
from measuring import Result, Size, format_duration, measure_best_seconds

import confide as cf

TRUTH = 0.75
LEAST_PEER_RATIO = 30
MOST_NUMPY_RATIO = 2


def measure(size: Size) -> list[Result]:
    """A yes-no question, then a choice of sixteen options."""
    return [
        *_measure_question(size, "yes-no answers", cf.YesNo("q"), cf.RelatedQuestion(TRUTH)),
        *_measure_question(
            size, "answers of 16", cf.Choice("q", range(16)), cf.RandomizedChoice(TRUTH)
        ),
    ]


def _measure_question(size: Size, words: str, question: Any, mechanism: Any) -> list[Result]:
    design = cf.Design([question], [cf.Group(["q"], mechanism)])
    generator = np.random.default_rng(1)
    shares = generator.dirichlet(np.full(question.size, 10.0))
    answers = generator.choice(question.size, size=size.answers, p=shares)
    few = answers[: size.peer_answers].tolist()

    def run_confide() -> Any:
        return cf.Crowd(design, design.disguise(answers)).table(["q"]).values

    def run_by_hand() -> Any:
        return _estimate_by_hand(answers, question.size, generator)

    others: dict[str, Callable[[], Any]] = {}
    if size.with_peers:
        others["pure-ldp"] = peers.prepare_pure_ldp(few, question.size, TRUTH)
        others["multi-freq-ldpy"] = peers.prepare_multi_freq_ldpy(few, question.size, TRUTH)
    for run in (run_confide, run_by_hand, *others.values()):  # everyone does the same work
        np.testing.assert_allclose(run(), shares, atol=8 / np.sqrt(len(few)))

    confide, numpy = measure_best_seconds(
        3 * size.rounds, run_confide, run_by_hand, clock=process_time
    )
    ratio = confide / numpy
    what = f"disguise and estimate {size.answers:,} {words}"
    lines = [
        Result(
            what=what,
            confide=format_duration(confide),
            beside=f"numpy by hand, not secure: {format_duration(numpy)}",
            found=ratio,
            shown=f"{ratio:.2f} × its time",
            target=f"≤ {MOST_NUMPY_RATIO} ×",
            met=ratio <= MOST_NUMPY_RATIO,
        )
    ]
    times = measure_best_seconds(3, *others.values(), clock=process_time)
    for name, seconds in zip(others, times, strict=True):
        scaled = seconds * size.answers / len(few)
        ratio = scaled / confide
        lines.append(
            Result(
                what=what,
                confide=format_duration(confide),
                beside=f"{name}: {format_duration(scaled)}",
                found=ratio,
                shown=f"{ratio:.0f} × as fast",
                target=f"≥ {LEAST_PEER_RATIO} ×",
                met=ratio >= LEAST_PEER_RATIO,
            )
        )
    return lines


def _estimate_by_hand(answers: Any, options: int, generator: np.random.Generator) -> Any:
    """What one would write by hand for this mechanism alone, without a loop."""
    told = generator.random(len(answers)) < TRUTH
    if options == 2:  # leaner than np.where(told, answers, 1 - answers)
        reports = answers == told
        yes = (reports.mean() - (1 - TRUTH)) / (2 * TRUTH - 1)
        return np.array([1 - yes, yes])
    other = (answers + generator.integers(1, options, len(answers))) % options
    reports = np.where(told, answers, other)
    chance = (1 - TRUTH) / (options - 1)
    shares = np.bincount(reports, minlength=options) / len(answers)
    return (shares - chance) / (TRUTH - chance)
