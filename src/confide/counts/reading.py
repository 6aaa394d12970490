"""Reports in any dataframe, engine, file or array → Counts, by one GROUP BY."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from confide.counts.counts import Counts, check_fingerprint
from confide.design.coding import MISSING, encode, encode_number
from confide.design.design import Design
from confide.design.questions import Finite, Question
from confide.errors import ReportsError
from confide.mechanisms import Grid

_N = "number of reports"


def read(design: Design, reports: Any) -> Counts:
    """Count reports, whatever holds them; nothing is counted unless everything fits."""
    if isinstance(reports, Counts):
        check_fingerprint(
            design, {b"confide.fingerprint": reports.design.fingerprint.encode()}, "it"
        )
        return reports
    if isinstance(reports, np.ndarray):
        return _from_array(design, reports)
    if isinstance(reports, str | Path):
        return _from_path(design, Path(reports))
    try:
        frame = nw.from_native(reports)
    except TypeError:
        raise ReportsError(
            "reports must be a dataframe or relation (pandas, Polars, PyArrow, DuckDB, Spark, …), "
            f"a path to Parquet or CSV, an array, or Counts. Got {type(reports).__name__}."
        ) from None
    return _from_frame(design, frame.lazy())


def _from_array(design: Design, reports: NDArray[Any]) -> Counts:
    table = reports[:, None] if reports.ndim == 1 else reports
    if table.ndim != 2 or table.shape[1] != len(design.names):
        raise ReportsError(
            f"an array of reports must have {len(design.names)} columns, one a question: "
            f"{', '.join(design.names)}. Its shape is {reports.shape}."
        )
    return _gathered(design, list(table.T), None)


def _from_path(design: Design, path: Path) -> Counts:
    import duckdb

    name = path.name
    if not path.exists():
        raise ReportsError(f"there is no file {name}.")
    try:
        if path.suffix.lower() == ".csv":
            relation = duckdb.read_csv(str(path), all_varchar=True, header=True)
        else:
            check_fingerprint(design, pq.read_schema(path).metadata, name)
            relation = duckdb.read_parquet(str(path))
        return _from_frame(design, nw.from_native(relation), name)
    except (duckdb.Error, pa.ArrowInvalid, OSError):
        kind = "CSV" if path.suffix.lower() == ".csv" else "Parquet"
        raise ReportsError(f"cannot read {name} as {kind}: it is damaged or incomplete.") from None


def _from_frame(design: Design, frame: Any, where: str = "the reports") -> Counts:
    held = frame.collect_schema().names()
    if absent := [name for name in design.names if name not in held]:
        raise ReportsError(f"no column {', '.join(map(repr, absent))} in {where}.")
    cells = [
        _cell(name, grid) if (grid := _grid(design, name)) else nw.col(name)
        for name in design.names
    ]
    grouped = frame.select(*cells).group_by(*design.names).agg(nw.len().alias(_N)).collect()
    table = grouped.to_arrow()
    columns = [table.column(name).combine_chunks() for name in design.names]
    return _gathered(design, columns, table.column(_N).to_numpy().astype(np.int64), coded=True)


def _grid(design: Design, name: str) -> Grid | None:
    """The intervals in which a number's reports are counted."""
    position = design.position(name)
    return next(b.report_grid() for b in design.blocks if position in b.positions)


def _cell(name: str, grid: Grid) -> nw.Expr:
    """`Grid.code` as an expression for the engine."""
    value = nw.col(name).cast(nw.Float64)
    inside = (value >= grid.edges[0]) & (value <= grid.edges[-1]) & ~value.is_nan()
    if grid.ruler is None:
        steps = [(value >= edge).cast(nw.Int64) for edge in grid.edges[1:-1]]
        cell = nw.sum_horizontal(nw.lit(0), *steps)
    else:
        start, width = grid.ruler
        place = ((value - start) / width).floor() + float(np.isinf(grid.edges[0]))
        cell = nw.when(place < 0).then(nw.lit(0.0)).otherwise(place)
        cell = nw.when(cell > grid.size - 1).then(nw.lit(grid.size - 1.0)).otherwise(cell)
    whole = nw.when(inside).then(cell).otherwise(nw.lit(-1))
    return whole.cast(nw.Int64).alias(name)


def _gathered(
    design: Design, columns: list[Any], reports: NDArray[Any] | None, coded: bool = False
) -> Counts:
    """Encode, check and add up; ``coded`` says that numbers have been cut into intervals."""
    size = len(columns[0])
    if size == 0:
        raise ReportsError("there are no reports.")
    codes = [
        _codes(design, question, column, coded)
        for question, column in zip(design.questions, columns, strict=True)
    ]
    for question, column in zip(design.questions, codes, strict=True):
        if column.dtype.kind == "i" and column.min() < 0:
            weights = np.ones(size, np.int64) if reports is None else reports
            _refuse(question, column, weights)
    return Counts.gather(design, codes, reports)


def _codes(design: Design, question: Question, column: Any, coded: bool) -> NDArray[Any]:
    if isinstance(question, Finite):
        return encode(question, column).codes
    if coded:
        return np.asarray(column)
    grid = _grid(design, question.name)
    assert grid is not None
    return grid.code(encode_number(column))


def _refuse(question: Question, codes: NDArray[Any], reports: NDArray[np.int64]) -> None:
    missing = int(reports[codes == MISSING].sum())
    if missing:
        raise ReportsError(
            f"column {question.name!r} has {missing:,} missing reports. If “prefer not to say” was "
            'offered, the design must say so: missing = "option".'
        )
    unknown = int(reports[codes < 0].sum())
    allowed = (
        ", ".join(question.labels[:20]) if isinstance(question, Finite) else "numbers in reach"
    )
    raise ReportsError(
        f"column {question.name!r} has {unknown:,} reports outside its domain. "
        f"Allowed are {allowed}."
    )
