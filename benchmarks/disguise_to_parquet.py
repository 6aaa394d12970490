"""Disguising answers to twenty questions into a Parquet file, with the secure source."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from measuring import Result, Size, format_duration, measure_best_seconds

import confide as cf

_NAMES = [f"q{i:02}" for i in range(20)]
DESIGN = cf.Design(
    [cf.YesNo(name) for name in _NAMES],
    [cf.Group(_NAMES[g::4], cf.RelatedQuestion("3/4")) for g in range(4)],
)
LEAST = 20_000_000  # values a second


def measure(size: Size) -> list[Result]:
    """Two ways to hold a yes-no answer, 0 and 1 and words in categories; and very many people."""
    yes = np.random.default_rng(1).integers(0, 2, (size.answers, len(_NAMES)), dtype=np.int8)
    numbers = pa.table(dict(zip(_NAMES, yes.T.copy(), strict=True)))
    words = pa.table(
        [pa.DictionaryArray.from_arrays(column, ["no", "yes"]) for column in yes.T.copy()],
        names=_NAMES,
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "reports.parquet"
        held = {"0 and 1": numbers, "words": words}
        times = measure_best_seconds(
            min(size.rounds, 3),
            *(lambda t=table: _write(path, t, 1) for table in held.values()),
            clock=process_time,
        )
        parts = max(size.people // size.answers, 1)
        times += measure_best_seconds(1, lambda: _write(path, numbers, parts), clock=process_time)
    rows = [(size.answers, kind) for kind in held] + [(parts * size.answers, "0 and 1, in parts")]
    return [_describe(*row, time) for row, time in zip(rows, times, strict=True)]


def _write(path: Path, answers: pa.Table, parts: int) -> None:
    """Disguise the same answers as often as there are parts, each time anew."""
    with pq.ParquetWriter(path, answers.schema) as writer:
        for _ in range(parts):
            writer.write_table(DESIGN.disguise(answers).cast(answers.schema))


def _describe(people: int, kind: str, time: float) -> Result:
    values = people * len(_NAMES)
    return Result(
        what=f"disguise {people:,} × {len(_NAMES)} answers to Parquet, as {kind}",
        confide=format_duration(time),
        beside="the operating system's secure source",
        found=values / time,
        shown=f"{values / time / 1e6:.0f} million values/s",
        target=f"≥ {LEAST / 1e6:.0f} million/s",
        met=values / time >= LEAST,
    )
