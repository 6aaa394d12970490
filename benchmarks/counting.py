"""Counting a large Parquet file of reports, and the memory that an estimate from it takes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from campus import DESIGN, write_reports
from measuring import Result, Size, format_duration, measure_best_seconds, measure_peak_memory

import confide as cf

MOST_RATIO = 1.3
MOST_MEMORY = 1 << 30


def measure(size: Size) -> list[Result]:
    """Against DuckDB's own GROUP BY of the same file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "reports.parquet"
        write_reports(path, size.reports)
        return [_measure_counting(size, path), _measure_memory(size, path)]


def _measure_counting(size: Size, path: Path) -> Result:
    columns = ", ".join(DESIGN.names)
    query = f"SELECT {columns}, count(*) FROM read_parquet('{path}') GROUP BY {columns}"
    assert cf.Counts.of(DESIGN, path).n == size.reports
    confide, engine = measure_best_seconds(
        size.rounds,
        lambda: cf.Counts.of(DESIGN, path),
        lambda: duckdb.connect().sql(query).to_arrow_table(),
    )
    ratio = confide / engine
    return Result(
        what=f"count {size.reports:,} reports × {len(DESIGN.names)} columns of Parquet",
        confide=format_duration(confide),
        beside=f"DuckDB GROUP BY: {format_duration(engine)}",
        found=ratio,
        shown=f"{ratio:.2f} × its time",
        target=f"≤ {MOST_RATIO} ×",
        met=ratio <= MOST_RATIO,
    )


def _measure_memory(size: Size, path: Path) -> Result:
    survey = path.with_name("survey.toml")
    DESIGN.save(survey)
    memory = measure_peak_memory("estimate", str(survey), str(path))
    return Result(
        what=f"peak memory of `confide estimate` on {size.reports:,} reports",
        confide=f"{memory / (1 << 20):.0f} MiB",
        beside=f"a file of {path.stat().st_size / (1 << 20):.0f} MiB",
        found=memory,
        shown=f"{memory / MOST_MEMORY:.2f} GiB",
        target="< 1 GiB",
        met=memory < MOST_MEMORY,
    )
