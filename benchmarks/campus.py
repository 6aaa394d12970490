"""A survey of fifteen yes-no questions in three groups, and a file of its reports."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import confide as cf

_ASKED = [cf.YesNo(f"q{i:02}") for i in range(15)]
DESIGN = cf.Design(
    _ASKED,
    [cf.Group([q.name for q in _ASKED[g::3]], cf.RelatedQuestion("3/4")) for g in range(3)],
)
_AT_ONCE = 500_000


def write_reports(path: Path, reports: int) -> None:
    """Disguise simulated answers, in words, a part at a time."""
    generator = np.random.default_rng(2)
    words = np.array(["no", "yes"], dtype=object)
    writer = None
    for start in range(0, reports, _AT_ONCE):
        rows = min(_AT_ONCE, reports - start)
        leaning = generator.random((rows, 1), dtype=np.float32)
        yes = generator.random((rows, len(_ASKED)), dtype=np.float32) < leaning**2
        answers = pa.table({q.name: words[yes[:, i].view("u1")] for i, q in enumerate(_ASKED)})
        part = DESIGN.disguise(answers)
        writer = writer or pq.ParquetWriter(path, part.schema)
        writer.write_table(part)
    assert writer is not None
    writer.close()
