"""A tree from a million disguised reports beside scikit-learn's on the clear answers."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
from campus import DESIGN, write_reports
from measuring import Result, Size, format_duration, measure_best_seconds, measure_peak_memory
from sklearn.tree import DecisionTreeClassifier

import confide as cf

DEPTH = 10
TARGET = DESIGN.names[0]
AT_LEAST = {"literal": 30, "auto": 5}
MOST_MEMORY = 500 * 10**6


def measure(size: Size) -> list[Result]:
    """Both grow to the same depth; confide counts the reports and undoes the disguise as well."""
    answers = _draw_answers(size.answers)
    reports = DESIGN.disguise(answers, seed=1)
    X, y = answers[:, 1:].astype(np.float32), answers[:, 0]

    def grow_ours(method: str) -> cf.DisguisedTreeClassifier:
        return cf.DisguisedTreeClassifier(DESIGN, TARGET, method=method, max_depth=DEPTH).fit(
            reports
        )

    def grow_theirs() -> DecisionTreeClassifier:
        return DecisionTreeClassifier(criterion="entropy", max_depth=DEPTH).fit(X, y)

    rounds = min(size.rounds, 3)
    *times, beside = measure_best_seconds(
        rounds, *(lambda m=m: grow_ours(m) for m in AT_LEAST), grow_theirs, clock=process_time
    )
    ratios = [
        Result(
            what=f"a tree of depth {DEPTH} from {size.answers:,} reports, {method}",
            confide=format_duration(time),
            beside=f"scikit-learn on the clear answers: {format_duration(beside)}",
            found=beside / time,
            shown=f"{beside / time:.2g} × as fast",
            target=f"≥ {AT_LEAST[method]} ×",
            met=beside / time >= AT_LEAST[method],
        )
        for method, time in zip(AT_LEAST, times, strict=True)
    ]
    return [*ratios, _measure_memory(size)]


def _measure_memory(size: Size) -> Result:
    with TemporaryDirectory() as folder:
        survey, reports = Path(folder) / "survey.toml", Path(folder) / "reports.parquet"
        DESIGN.save(survey)
        write_reports(reports, size.answers)
        memory = measure_peak_memory("tree", str(survey), str(reports), "--target", TARGET)
        weight = reports.stat().st_size
    return Result(
        what=f"peak memory of `confide tree` on {size.answers:,} reports, default",
        confide=f"{memory / 1e6:.0f} MB",
        beside=f"a file of {weight / 1e6:.1f} MB",
        found=memory,
        shown=f"{memory / 1e6:.0f} MB",
        target=f"< {MOST_MEMORY / 1e6:.0f} MB",
        met=memory < MOST_MEMORY,
    )


def _draw_answers(rows: int) -> np.ndarray:
    generator = np.random.default_rng(3)
    leaning = generator.random((rows, 1), dtype=np.float32)
    return (generator.random((rows, len(DESIGN.names)), dtype=np.float32) < leaning).view(np.uint8)
