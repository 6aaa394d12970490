"""Reports that stay where they are and are read in passes, each of which brings small tables.

Where hardly two reports are alike, counting their patterns would collect all of them in one place.
A pass reads Arrow batches, in DuckDB's or Spark's own processes, and adds up what they bring.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, TypeAlias

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Codes
from confide.counts.counts import Counts, report_sizes
from confide.counts.crossed_counts import CrossedCounts, count_cells, cross_rows
from confide.counts.headings import find_columns
from confide.counts.report_codes import encode_reports, refuse_reports
from confide.counts.report_frames import locate_columns, open_frame
from confide.design.coding import MISSING, UNKNOWN
from confide.design.column_kinds import Kind, common_kind, find_kind
from confide.design.design import Design
from confide.errors import ReportsError

Batches: TypeAlias = Iterable[pa.RecordBatch]
_ROWS = 1 << 16
"""So many reports are read at a time."""
_MOST_NUMBERS = 1 << 25
"""So many numbers a pass brings at most: a quarter of a gibibyte."""
_FOUND = pa.schema({"tables": pa.binary(), "kinds": pa.string()})
"""What a process of Spark sends back."""


class ReportPasses:
    """Reports in files or in an engine, crossed in passes over them.

    Parameters
    ----------
    design : Design
        The design under which they were made.
    reports : path, relation or dataframe
        Where they are. They are read once to see that all of them fit.
    """

    def __init__(self, design: Design, reports: object) -> None:
        if isinstance(reports, Counts | np.ndarray):
            raise ReportsError("reports in memory are no reports in place: use Crowd for them.")
        if isinstance(reports, str) and "://" in reports:
            raise ReportsError("a store's reports are not read in place: use Crowd for them.")
        self.design, self._reports = design, reports
        found = self._read([[]])
        if not found.n:
            raise ReportsError("there are no reports.")
        _refuse_wrong(design, found)
        self.n, self._kinds = found.n, found.kinds

    def kind(self, question: str) -> Kind | None:
        """The kind in which a question's reports are held; None where that differs."""
        return self._kinds[self.design.position(question)]

    def cross(self, given: Sequence[Sequence[str]]) -> list[CrossedCounts]:
        """Take the reports of some questions together and cross them with every question.

        It is one pass over the reports, whatever is asked.
        """
        places = [[self.design.position(name) for name in names] for names in given]
        sizes = report_sizes(self.design)
        if sum(count_cells(sizes, asked) for asked in places) * sum(sizes) > _MOST_NUMBERS:
            raise ReportsError(
                f"a pass over reports in place cannot cross {len(given):,} sets of up to "
                f"{max(map(len, given))} questions with all others. Set a smaller max_depth."
            )
        found = self._read(places)
        if found.n != self.n or found.wrong.any():
            raise ReportsError(
                f"the reports changed while they were read: {self.n:,} before, {found.n:,} now. "
                "Begin again."
            )
        pairs = zip(places, found.tables, strict=True)
        return [CrossedCounts(sizes, tuple(asked), table) for asked, table in pairs]

    def _read(self, given: Sequence[Sequence[int]]) -> _Found:
        """Read all reports once."""
        cross = partial(_cross_batches, self.design, given)
        with open_frame(self.design, self._reports, "or an engine's table") as (frame, _):
            names = frame.collect_schema().names()
            held = find_columns(self.design, names, "the table of reports")
            lazy = frame.lazy()
            keys = [f"question{i}" for i in range(len(held))]
            columns = zip(locate_columns(lazy, held), keys, strict=True)
            table = lazy.select(*(column.alias(key) for column, key in columns))
            if table.implementation.is_pyspark() or table.implementation.is_pyspark_connect():
                return _read_in_spark(table.to_native(), self.design, given, cross)
            return cross(_list_batches(table))


@dataclass(frozen=True, eq=False)
class _Found:
    """What a pass, or a part of it, brings.

    Parameters
    ----------
    tables : list of integer arrays
        Those of `CrossedCounts`.
    wrong : integer array of shape (questions, 2)
        How many reports of each question are missing, and how many have no code.
    n : int
        How many reports were read.
    kinds : tuple of str
        The kind in which each question's reports are held.
    """

    tables: list[Codes]
    wrong: NDArray[np.int64]
    n: int
    kinds: tuple[Kind | None, ...]

    def __add__(self, other: _Found) -> _Found:
        if not self.n or not other.n:
            return self if self.n else other
        tables = [ours + theirs for ours, theirs in zip(self.tables, other.tables, strict=True)]
        kinds = tuple(common_kind(pair) for pair in zip(self.kinds, other.kinds, strict=True))
        return _Found(tables, self.wrong + other.wrong, self.n + other.n, kinds)

    def write(self) -> pa.RecordBatch:
        """As a row that Spark carries."""
        numbers = [np.array([self.n]), self.wrong.ravel(), *(t.ravel() for t in self.tables)]
        row = {"tables": np.concatenate(numbers).tobytes(), "kinds": json.dumps(self.kinds)}
        return pa.RecordBatch.from_pylist([row], schema=_FOUND)

    @classmethod
    def read(cls, row: Any, like: _Found) -> _Found:
        """What `write` wrote, of the same shapes as another."""
        numbers = np.frombuffer(row["tables"], np.int64)
        parts = np.split(numbers[1:], np.cumsum([like.wrong.size, *(t.size for t in like.tables)]))
        tables = [part.reshape(t.shape) for part, t in zip(parts[1:], like.tables, strict=False)]
        kinds = tuple(json.loads(row["kinds"]))
        return cls(tables, parts[0].reshape(like.wrong.shape), int(numbers[0]), kinds)


def _cross_batches(design: Design, given: Sequence[Sequence[int]], batches: Batches) -> _Found:
    """Cross the reports of some batches."""
    parts = (_cross_batch(design, given, batch) for batch in batches if batch.num_rows)
    return reduce(_Found.__add__, parts, _find_nothing(design, given))


def _find_nothing(design: Design, given: Sequence[Sequence[int]]) -> _Found:
    sizes, rows = report_sizes(design), np.zeros((0, len(design.names)), np.int16)
    tables = [each.tables for each in cross_rows(sizes, given, rows, np.ones(0, np.int64))]
    wrong = np.zeros((len(design.names), 2), np.int64)
    return _Found(tables, wrong, 0, (None,) * len(design.names))


def _cross_batch(design: Design, given: Sequence[Sequence[int]], batch: pa.RecordBatch) -> _Found:
    columns = zip(design.questions, batch.columns, strict=True)
    coded = [encode_reports(design, question, column) for question, column in columns]
    wrong = np.array([[each.count(MISSING), each.count(UNKNOWN)] for each in coded])
    rows = np.stack([each.codes.astype(np.int16, copy=False) for each in coded], axis=1)
    crossed = cross_rows(report_sizes(design), given, rows.clip(0), np.ones(len(rows), np.int64))
    kinds = tuple(find_kind(each.dtype) for each in coded)
    return _Found([each.tables for each in crossed], wrong, len(rows), kinds)


def _refuse_wrong(design: Design, found: _Found) -> None:
    """Refuse reports some of which are missing or have no code."""
    for question, (missing, unknown) in zip(design.questions, found.wrong, strict=True):
        if missing or unknown:
            held = np.array([missing, unknown, found.n - missing - unknown])
            kept = held > 0
            refuse_reports(design, question, np.array([MISSING, UNKNOWN, 0])[kept], held[kept])


def _list_batches(table: nw.LazyFrame[Any]) -> Batches:
    """The rows of a table as Arrow batches, a few at a time where its engine can."""
    if table.implementation.is_duckdb():
        return iter(table.to_native().to_arrow_reader(_ROWS))
    collected = table.collect(backend="pyarrow")
    return collected.to_arrow().combine_chunks().to_batches(_ROWS)


def _read_in_spark(
    table: Any, design: Design, given: Sequence[Sequence[int]], cross: Callable[[Batches], _Found]
) -> _Found:
    """Cross every part of a table where Spark holds it, and add up what comes back."""

    def cross_part(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        yield cross(batches).write()

    nothing = _find_nothing(design, given)
    rows = table.mapInArrow(cross_part, "tables binary, kinds string").collect()
    return reduce(_Found.__add__, (_Found.read(row, nothing) for row in rows), nothing)
