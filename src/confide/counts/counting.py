"""Reports in any dataframe, engine, file or array → Counts, by one GROUP BY."""

from __future__ import annotations

import warnings
from collections.abc import Container, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import narwhals as nw
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array, Codes, Values
from confide.counts.counts import FINGERPRINT, Counts, MissingReports, check_fingerprint
from confide.counts.counts_file import holds_counts, load_counts
from confide.counts.engine_intervals import find_interval
from confide.counts.headings import find_columns
from confide.counts.report_codes import encode_reports, refuse_reports
from confide.counts.report_frames import LazyFrame, locate_columns, open_frame
from confide.counts.sample_columns import (
    SampleColumns,
    SampleRows,
    apply_sampling,
    gather_sample,
)
from confide.counts.summed_weights import check_weights, read_weights, sum_weights, weigh_columns
from confide.design.coding import (
    MISSING,
    UNKNOWN,
    Coded,
    Column,
    Frame,
    encode_number,
    series_values,
)
from confide.design.column_kinds import find_kind, find_written_kind
from confide.design.design import Design
from confide.design.questions import Finite
from confide.errors import ReportsError

_PLAIN = SampleColumns()  # people are drawn alone, and all weigh the same


def count_reports(
    design: Design,
    reports: Any,
    sampling: SampleColumns = _PLAIN,
    missing: MissingReports = "error",
) -> Counts:
    """Count reports, whatever holds them; nothing is counted unless everything fits."""
    if missing not in get_args(MissingReports):
        raise ReportsError(f'missing must be "error" or "at random". Got {missing!r}.')
    sampling.check_questions(design)
    address = isinstance(reports, str) and "://" in reports
    if isinstance(reports, Counts):
        made_under = {FINGERPRINT: reports.design.fingerprint.encode()}
        check_fingerprint(design, made_under, "a set of counts")
        counts = _narrow(design, reports)
        return apply_sampling(counts, sampling) if sampling.given else counts
    if isinstance(reports, np.ma.MaskedArray):
        raise ReportsError("a masked array hides some reports. Give a dataframe, or an array.")
    if isinstance(reports, np.ndarray):
        return count_reports(design, _count_array(design, reports, missing), sampling)
    if address:
        from confide.counts.stores import count_address

        return count_reports(design, count_address(design.whole, reports), sampling)
    if isinstance(reports, str | Path) and holds_counts(path := Path(reports)):
        return count_reports(design, load_counts(design.whole, path), sampling)
    with open_frame(design, reports, "an array, or Counts") as (frame, typed):
        if isinstance(frame, nw.LazyFrame):
            return _count_in_engine(design, frame, sampling, missing, typed)
        return _count_in_memory(design, frame, sampling, missing)


def _count_in_memory(
    design: Design, frame: Frame, sampling: SampleColumns, missing: MissingReports
) -> Counts:
    held = find_columns(design, frame.columns, "the table of reports")
    columns = [series_values(frame[column]) for column in held]
    sample = _read_sample(frame, sampling)
    return _count_columns(design, columns, sample=sample, sampling=sampling, missing=missing)


def _narrow(design: Design, counts: Counts) -> Counts:
    """Counts under the design, of which it may be a part."""
    return counts if counts.design.names == design.names else counts.only(design)


def _read_sample(frame: Frame, sampling: SampleColumns) -> SampleRows | None:
    """What a dataframe in memory says of how its people were drawn."""
    if not sampling.given:
        return None
    sampling.check(frame.columns)
    weights = ones = np.ones(len(frame))
    if sampling.weights is not None:
        weights = encode_number(series_values(frame[sampling.weights]))
    keys = {name: frame[name].to_arrow() for name in sampling.keys}
    check_weights(sampling.weights, weights, ones)  # before their squares, which may be too large
    return SampleRows(ones.astype(np.int64), weights, weights**2, keys)


def _count_array(design: Design, reports: Values, missing: MissingReports) -> Counts:
    return _count_columns(design, _split_columns(design, reports), missing=missing)


def count_weighed_array(design: Design, reports: Values, weights: Array) -> Counts:
    """Count the rows of an array of reports, each with a weight of its own."""
    columns, ones = _split_columns(design, reports), np.ones(len(reports), np.int64)
    sample = SampleRows(ones, weights, weights**2, {})
    sampling = SampleColumns(weights="weights")
    return _count_columns(design, columns, sample=sample, sampling=sampling)


def _split_columns(design: Design, reports: Values) -> list[Column]:
    """The columns of an array of reports, one per question."""
    table = reports[:, None] if reports.ndim == 1 else reports
    if table.ndim != 2 or table.shape[1] != len(design.names):
        raise ReportsError(
            f"an array of reports must have {len(design.names)} columns, one per question: "
            f"{', '.join(design.names)}. Its shape is {reports.shape}."
        )
    return list(np.ascontiguousarray(table.T))  # they are read many times


def _count_in_engine(
    design: Design, frame: LazyFrame, sampling: SampleColumns, missing: MissingReports, typed: bool
) -> Counts:
    """Let the engine put numbers into intervals and count; only the small table travels.

    The columns get plain names on the way: engines differ in how they read dots and quotes.
    """
    schema = frame.collect_schema()
    held = find_columns(design, schema.names(), "the table of reports")
    keys = [f"question{i}" for i in range(len(design.names))]
    numbers = {
        name: grid
        for name, column in zip(design.names, held, strict=True)
        if schema[column].is_numeric() and (grid := design.block(name).report_grid()) is not None
    }
    columns = [
        (find_interval(column, numbers[name]) if name in numbers else column).alias(key)
        for name, column, key in zip(design.names, locate_columns(frame, held), keys, strict=True)
    ]
    sampling.check(schema.names())
    beside = {name: f"drawn{i}" for i, name in enumerate(sampling.keys)}
    others = zip(locate_columns(frame, sampling.keys), beside.values(), strict=True)
    columns += [column.alias(key) for column, key in others]
    weights, sums = _sum_weights(frame, sampling)
    rows = frame.select(*columns, *weights).group_by(*keys, *beside.values())
    table = rows.agg(nw.len().alias("reports"), *sums).collect().to_arrow()
    reports = table.column("reports").to_numpy().astype(np.int64)
    sample = _read_grouped(table, reports, sampling, beside) if sampling.given else None
    questions = [table.column(key) for key in keys]
    counts = _count_columns(design, questions, reports, numbers, sample, sampling, missing)
    if typed:
        return counts
    written = [table.column(key).unique().to_pylist() for key in keys]
    kinds = (
        find_written_kind(values) if isinstance(question, Finite) else None
        for question, values in zip(design.questions, written, strict=True)
    )
    return replace(counts, kinds=tuple(kinds))


def _sum_weights(frame: LazyFrame, sampling: SampleColumns) -> tuple[list[nw.Expr], list[nw.Expr]]:
    """The columns of weights and their squares, and what an engine adds up of them."""
    if sampling.weights is None:
        return [], []
    (column,) = locate_columns(frame, [sampling.weights])
    return weigh_columns(column, frame.collect_schema()[sampling.weights]), sum_weights()


def _read_grouped(
    table: pa.Table, reports: NDArray[np.int64], sampling: SampleColumns, beside: Mapping[str, str]
) -> SampleRows:
    """What the rows that an engine has counted say of how their people were drawn."""
    keys = {name: table.column(key) for name, key in beside.items()}
    if sampling.weights is None:
        return SampleRows(reports, reports.astype(float), reports.astype(float), keys)
    return SampleRows(reports, *read_weights(sampling.weights, table, reports), keys)


def _count_columns(
    design: Design,
    columns: list[Column],
    reports: NDArray[np.int64] | None = None,
    encoded: Container[str] = (),
    sample: SampleRows | None = None,
    sampling: SampleColumns = _PLAIN,
    missing: MissingReports = "error",
) -> Counts:
    """Encode, check and add up; ``encoded`` names the numbers that are in intervals already."""
    if len(columns[0]) == 0:
        raise ReportsError("there are no reports.")
    coded = [
        Coded(np.asarray(column), None)
        if question.name in encoded
        else encode_reports(design, question, column)
        for question, column in zip(design.questions, columns, strict=True)
    ]
    codes = [column.codes for column in coded]
    for question, column in zip(design.questions, codes, strict=True):
        wrong = column.dtype.kind == "i" and column.min() < 0
        if wrong and (missing == "error" or (column == UNKNOWN).any()):
            refuse_reports(design, question, column, reports)
    if missing == "at random":
        codes, reports, sample = _leave_out_missing(codes, reports, sample)
    kinds = tuple(find_kind(column.dtype) for column in coded)
    counts = Counts.gather(design, codes, reports, kinds)
    return counts if sample is None else gather_sample(counts, codes, sampling, sample)


def _leave_out_missing(
    codes: list[Codes], reports: NDArray[np.int64] | None, sample: SampleRows | None
) -> tuple[list[Codes], NDArray[np.int64] | None, SampleRows | None]:
    """Leave out the rows in which some report is not there, and say how many."""
    there = np.logical_and.reduce([column != MISSING for column in codes])
    weights = np.ones(len(there), np.int64) if reports is None else reports
    out, total = int(weights[~there].sum()), int(weights.sum())
    if not out:
        return codes, reports, sample
    if out == total:
        raise ReportsError("every report misses an answer that is asked for.")
    warnings.warn(
        f"{out:,} of {total:,} reports are left out, because an answer is missing in them. What "
        "is estimated is true of all people if answers are missing at random.",
        stacklevel=2,
    )
    kept = None if sample is None else sample.keep(there)
    return [column[there] for column in codes], None if reports is None else reports[there], kept
