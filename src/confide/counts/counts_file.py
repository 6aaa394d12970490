"""Counts in a Parquet file, named by the design they were made under."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from confide.counts.counts import FINGERPRINT, Counts, check_fingerprint, report_sizes
from confide.design.column_kinds import KINDS, Kind
from confide.design.design import Design
from confide.errors import ReportsError
from confide.files import write_atomically

_KINDS = b"confide.kinds"
"""Under this key a file's metadata says in which kind each question's reports were held."""
_N = ""  # the column of the number of reports: no question has that name


def save_counts(counts: Counts, path: Path) -> None:
    """Write the patterns, one column of codes per question, and how many reports show each."""
    if path.suffix.lower() != ".parquet":
        raise ReportsError(
            f"counts are written as Parquet: the file's name must end in .parquet. Got {path.name}."
        )
    columns = [*counts.patterns.T, counts.reports]
    table = pa.table(columns, names=[*counts.design.names, _N])
    metadata = {
        FINGERPRINT: counts.design.fingerprint.encode(),
        _KINDS: json.dumps(counts.kinds).encode(),
    }
    with write_atomically(path) as temporary:
        pq.write_table(table.replace_schema_metadata(metadata), temporary)


def load_counts(design: Design, path: Path) -> Counts:
    """Read counts, refusing those of another design and codes that it does not have."""
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowException):
        raise ReportsError(f"cannot read counts from {path.name}.") from None
    check_fingerprint(design, table.schema.metadata, path.name)
    columns = [column.to_numpy() for column in table.columns]
    limits = [*report_sizes(design), np.inf]
    if (
        table.column_names != [*design.names, _N]
        or not all(
            column.dtype.kind == "i" and column.size and column.min() >= 0 and column.max() < limit
            for column, limit in zip(columns, limits, strict=True)
        )
        or not columns[-1].all()
    ):
        raise ReportsError(f"{path.name} holds no counts of this design.")
    return Counts.gather(design, columns[:-1], columns[-1], _read_kinds(table))


def _read_kinds(table: pa.Table) -> tuple[Kind | None, ...]:
    """Read in which kind each question's reports were held; none where that cannot be read.

    Files of older versions do not say.
    """
    try:
        written = json.loads((table.schema.metadata or {}).get(_KINDS, b"[]"))
    except ValueError:
        return ()
    if not isinstance(written, list) or len(written) != table.num_columns - 1:
        return ()
    return tuple(kind if kind in KINDS else None for kind in written)


def holds_counts(path: Path) -> bool:
    """Whether `save_counts` wrote this file."""
    try:
        return path.is_file() and pq.read_schema(path).names[-1:] == [_N]
    except (OSError, pa.ArrowException):
        return False
