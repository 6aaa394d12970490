"""Reports in any dataframe, engine or file, opened as a table that narwhals reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import narwhals as nw
import pyarrow as pa

from confide.counts.counts import check_fingerprint
from confide.counts.engine_failures import explain_engine_failures
from confide.counts.report_files import open_relation, require_format
from confide.design.coding import Frame
from confide.design.design import Design
from confide.errors import ReportsError

LazyFrame: TypeAlias = nw.LazyFrame[Any]
"""A table in an engine, as narwhals reads it."""


@contextmanager
def open_frame(
    design: Design, reports: Any, besides: str
) -> Iterator[tuple[LazyFrame | Frame, bool]]:
    """Open reports; say also whether their columns have types, which those of CSV files have not.

    An engine that fails while they are read does so in one line.

    Parameters
    ----------
    design : Design
        The design under which they were made.
    reports : dataframe, relation or path
        What is opened.
    besides : str
        What else the caller takes, as the end of an error's list.
    """
    if isinstance(reports, str | Path):
        path = Path(reports)
        with open_relation(design, path) as relation:
            typed = not path.is_file() or require_format(path).kind != "CSV"
            yield nw.from_native(relation), typed
        return
    if isinstance(reports, pa.Table):
        check_fingerprint(design, reports.schema.metadata, "the table")
    try:
        frame = nw.from_native(reports)
    except TypeError:
        raise ReportsError(
            "reports must be a dataframe or relation (pandas, Polars, PyArrow, DuckDB, Spark, …), "
            f"a path to a file such as Parquet or CSV, the address of a store, {besides}. "
            f"Got {type(reports).__name__}."
        ) from None
    except nw.exceptions.DuplicateError:
        raise ReportsError("two columns of the reports have the same name.") from None
    with explain_engine_failures():
        yield frame, True


def locate_columns(frame: LazyFrame, held: Sequence[str]) -> list[nw.Expr]:
    """Name columns so that the engine finds them, whatever marks their names have."""
    if frame.implementation.is_spark_like():  # which takes what follows a dot for a field
        return [nw.col("`" + name.replace("`", "``") + "`") for name in held]
    return [nw.col(name) for name in held]
