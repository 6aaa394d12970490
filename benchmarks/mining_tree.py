"""A literal tree from a million disguised reports beside scikit-learn's on the clear answers."""

from __future__ import annotations

import numpy as np
from campus import DESIGN
from measuring import Result, Size, best_seconds, duration
from sklearn.tree import DecisionTreeClassifier

import confide as cf

DEPTH = 10
TARGET = DESIGN.names[0]
AT_LEAST = {"literal": 30, "auto": 5}


def measure(size: Size) -> list[Result]:
    """Both grow to the same depth; confide counts the reports and undoes the disguise as well."""
    answers = _answers(size.answers)
    reports = DESIGN.disguise(answers, seed=1)
    X, y = answers[:, 1:].astype(np.float32), answers[:, 0]

    def ours(method: str) -> cf.DisguisedTreeClassifier:
        return cf.DisguisedTreeClassifier(DESIGN, TARGET, method=method, max_depth=DEPTH).fit(
            reports
        )

    def theirs() -> DecisionTreeClassifier:
        return DecisionTreeClassifier(criterion="entropy", max_depth=DEPTH).fit(X, y)

    rounds = min(size.rounds, 3)
    *times, beside = best_seconds(rounds, *(lambda m=m: ours(m) for m in AT_LEAST), theirs)
    return [
        Result(
            what=f"a tree of depth {DEPTH} from {size.answers:,} reports, {method}",
            confide=duration(time),
            beside=f"scikit-learn on the clear answers: {duration(beside)}",
            found=beside / time,
            shown=f"{beside / time:.0f} × as fast",
            target=f"≥ {AT_LEAST[method]} ×",
            met=beside / time >= AT_LEAST[method],
        )
        for method, time in zip(AT_LEAST, times, strict=True)
    ]


def _answers(rows: int) -> np.ndarray:
    generator = np.random.default_rng(3)
    leaning = generator.random((rows, 1), dtype=np.float32)
    return (generator.random((rows, len(DESIGN.names)), dtype=np.float32) < leaning).view(np.uint8)
