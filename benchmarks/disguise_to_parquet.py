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
    """Two ways to hold a yes-no answer: 0 and 1, and words in categories."""
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
            *(lambda t=table: pq.write_table(DESIGN.disguise(t), path) for table in held.values()),
            clock=process_time,
        )
    values = size.answers * len(_NAMES)
    return [
        Result(
            what=f"disguise {size.answers:,} × {len(_NAMES)} answers to Parquet, as {kind}",
            confide=format_duration(time),
            beside="the operating system's secure source",
            found=values / time,
            shown=f"{values / time / 1e6:.0f} million values/s",
            target=f"≥ {LEAST / 1e6:.0f} million/s",
            met=values / time >= LEAST,
        )
        for kind, time in zip(held, times, strict=True)
    ]
