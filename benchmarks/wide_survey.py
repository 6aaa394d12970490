"""Sixty-one yes-no questions in three groups: hardly two reports are alike."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np
from measuring import Result, Size, format_duration, measure_best_seconds
from sklearn.tree import DecisionTreeClassifier

import confide as cf

DEPTH = 6
_NAMES = [f"q{i:02}" for i in range(61)]
DESIGN = cf.Design(
    [cf.YesNo(name) for name in _NAMES],
    [cf.Group(_NAMES[g::3], cf.RelatedQuestion("4/5")) for g in range(3)],
)
TARGET = _NAMES[0]


def measure(size: Size) -> list[Result]:
    """Counting and learning, beside scikit-learn's tree on the clear answers."""
    answers = _draw_answers(size.answers)
    reports = DESIGN.disguise(answers, seed=1)
    X, y = answers[:, 1:].astype(np.float32), answers[:, 0]
    ours: dict[str, tuple[Callable[[], object], float]] = {
        f"a tree of depth {DEPTH}, literal": (
            lambda: cf.DisguisedTreeClassifier(
                DESIGN, TARGET, method="literal", max_depth=DEPTH
            ).fit(reports),
            2.0,
        ),
        "naive Bayes, literal": (
            lambda: cf.DisguisedNaiveBayes(DESIGN, TARGET, method="literal").fit(reports),
            1.0,
        ),
        "naive Bayes, auto": (lambda: cf.DisguisedNaiveBayes(DESIGN, TARGET).fit(reports), 8.0),
    }

    def grow_theirs() -> object:
        return DecisionTreeClassifier(criterion="entropy", max_depth=DEPTH).fit(X, y)

    *times, beside = measure_best_seconds(
        1, *(learn for learn, _ in ours.values()), grow_theirs, clock=process_time
    )
    return [
        Result(
            what=f"{what} from {size.answers:,} reports × {len(_NAMES)} questions",
            confide=format_duration(time),
            beside=f"scikit-learn's tree on the clear answers: {format_duration(beside)}",
            found=time / beside,
            shown=f"{time / beside:.2f} × its time",
            target=f"≤ {most:g} ×",
            met=time / beside <= most,
        )
        for (what, (_, most)), time in zip(ours.items(), times, strict=True)
    ]


def _draw_answers(rows: int) -> np.ndarray:
    generator = np.random.default_rng(3)
    leaning = generator.random((rows, 1), dtype=np.float32)
    return (generator.random((rows, len(_NAMES)), dtype=np.float32) < leaning).view(np.uint8)
