"""Reports in any dataframe, engine, file or store → the distinct rows that a regression needs.

Unlike counts, which hold numbers by their intervals, rows keep each value as it is. Only the
columns that are named are read, by one GROUP BY.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from confide.arrays import Array
from confide.counts import Counts
from confide.counts.counting import count_reports
from confide.counts.counts_file import holds_counts
from confide.counts.headings import export_heading
from confide.counts.report_frames import LazyFrame, open_frame
from confide.counts.summed_weights import read_weights, sum_weights, weigh_columns
from confide.design import Design
from confide.design.coding import Frame
from confide.design.column_kinds import labels_of
from confide.design.questions import Finite, Number
from confide.errors import ReportsError

_REPORTS = "reports"


@dataclass(frozen=True, eq=False)
class Rows:
    """The distinct rows of some columns, each with how many reports it stands for.

    Parameters
    ----------
    columns : dict of arrow columns
        By the names under which a formula knows them.
    counts : array
        How many reports each row stands for.
    weights, squares : arrays
        The sums of the reports' weights and of the weights' squares.
    typed : bool
        Whether the columns have types; a CSV file's are all texts.
    """

    columns: dict[str, pa.ChunkedArray]
    counts: Array
    weights: Array
    squares: Array
    typed: bool = True


def read_rows(
    design: Design,
    reports: Any,
    needed: Sequence[str],
    perhaps: Sequence[str] = (),
    weights: str | None = None,
) -> Rows:
    """Read the named columns of reports, whatever holds them, and add up equal rows.

    Those that are needed must be there; those that perhaps are columns are read where they are.
    ``weights`` names the column of the reports' weights.
    """
    if isinstance(reports, Counts) or (isinstance(reports, str) and "://" in reports):
        return _rows_of_counts(count_reports(design, reports), needed, weights)
    if isinstance(reports, str | Path) and holds_counts(path := Path(reports)):
        return _rows_of_counts(count_reports(design, path), needed, weights)
    with open_frame(design, reports, "or Counts; a regression takes no array") as (frame, typed):
        return _group_rows(design, frame, needed, perhaps, weights, typed)


def _group_rows(
    design: Design,
    frame: LazyFrame | Frame,
    needed: Sequence[str],
    perhaps: Sequence[str],
    weights: str | None,
    typed: bool,
) -> Rows:
    schema = frame.collect_schema()
    held = schema.names()
    wanted = list(dict.fromkeys([*needed, *(name for name in perhaps if name in held)]))
    names = [_find_column(design, name, held) for name in wanted]
    keys = [f"column{i}" for i in range(len(names))]  # engines differ in how they read dots
    columns = [nw.col(name).alias(key) for name, key in zip(names, keys, strict=True)]
    weighed, sums = [], []
    if weights is not None:
        column = _find_column(design, weights, held)
        weighed, sums = weigh_columns(nw.col(column), schema[column]), sum_weights()
    chosen = frame.select(*columns, *weighed)
    try:
        grouped = chosen.group_by(*keys).agg(nw.len().alias(_REPORTS), *sums)
        whole = grouped.collect() if isinstance(grouped, nw.LazyFrame) else grouped
        table = whole.to_arrow()
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError):  # whose words may hold an answer
        kinds = chosen.collect_schema()
        mixed = [name for name, key in zip(names, keys, strict=True) if kinds[key] == nw.Object]
        raise ReportsError(
            "a column for a regression must hold values of one kind, such as numbers or texts. "
            f"See {', '.join(map(repr, mixed or names))}."
        ) from None
    if table.num_rows == 0:
        raise ReportsError("there are no reports.")
    found = {name: table.column(key) for name, key in zip(wanted, keys, strict=True)}
    counts = table.column(_REPORTS).to_numpy().astype(float)
    summed, squares = (counts, counts)
    if weights is not None:
        summed, squares = read_weights(weights, table, counts)
    return Rows(found, counts, summed, squares, typed)


def _find_column(design: Design, name: str, held: Sequence[str]) -> str:
    """A column as the reports call it: by its name, or as an export names a question."""
    called = [name, export_heading(design, name)] if name in design.names else [name]
    column = next((each for each in called if each in held), None)
    if column is None:
        raise ReportsError(
            f"the reports have no column {name!r}. They have {', '.join(map(repr, held[:30]))}."
        )
    return column


def _rows_of_counts(counts: Counts, wanted: Sequence[str], weights: str | None) -> Rows:
    """Rows of counted reports: options as they are, numbers where each interval holds one."""
    if weights is not None or counts.drawn is not None:
        raise ReportsError(
            "a regression takes no weights from counts. Give it the reports themselves, a "
            "dataframe or a file, and name their column: weights=."
        )
    columns = {}
    for name in wanted:
        if name not in counts.design.names:
            raise ReportsError(f"counts hold the questions alone, and {name!r} is none.")
        codes = counts.patterns[:, counts.design.position(name)]
        question = counts.design.question(name)
        if isinstance(question, Finite):
            values = labels_of(question, counts.kind(name))
        else:
            values = _single_numbers(counts.design, name)
        columns[name] = pa.chunked_array([pa.array(values[codes])])
    reports = counts.reports.astype(float)
    return Rows(columns, reports, reports, reports)


def _single_numbers(design: Design, name: str) -> Array:
    """The numbers by their code, refused where an interval holds more than one."""
    question = design.question(name)
    assert isinstance(question, Number)
    grid = design.block(name).report_grid()
    assert grid is not None
    widths = np.diff(grid.array)
    if question.step is None or not np.allclose(widths, question.step):
        raise ReportsError(
            f"counts hold {name!r} by its intervals, not by its numbers. Give a regression the "
            "reports themselves: a dataframe or a file."
        )
    return grid.middles
