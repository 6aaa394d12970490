"""Estimates and a tree from very many reports in Parquet files, and the memory that they take."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from campus import DESIGN, write_reports
from measuring import Result, Size, format_duration, measure_best_seconds, measure_peak_memory

import confide as cf

MOST_RATIO = 1.3
MOST_MEMORY = 1 << 29


def measure(size: Size) -> list[Result]:
    """Against DuckDB's own GROUP BY of the same file."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "reports"
        folder.mkdir()
        write_many(folder, size)
        return [_measure_counting(size, folder), _measure_memory(size, folder)]


def write_many(folder: Path, size: Size) -> None:
    """Write one file of reports, and give it as many names as there are people in its reports."""
    write_reports(folder / "part-000.parquet", size.reports)
    for number in range(1, max(size.people // size.reports, 1)):
        (folder / f"part-{number:03}.parquet").hardlink_to(folder / "part-000.parquet")


def _estimate_and_grow(folder: Path) -> int:
    crowd = cf.Crowd(DESIGN, folder)
    crowd.table(DESIGN.names[:2])
    cf.DisguisedTreeClassifier(DESIGN, DESIGN.names[0], method="literal", max_depth=6).fit(crowd)
    return crowd.n


def _measure_counting(size: Size, folder: Path) -> Result:
    columns = ", ".join(DESIGN.names)
    query = f"SELECT {columns}, count(*) FROM read_parquet('{folder}/*') GROUP BY {columns}"
    people = _estimate_and_grow(folder)
    confide, engine = measure_best_seconds(
        min(size.rounds, 3),
        lambda: _estimate_and_grow(folder),
        lambda: duckdb.connect().sql(query).to_arrow_table(),
    )
    ratio = confide / engine
    return Result(
        what=f"count {people:,} reports × {len(DESIGN.names)} of Parquet, a table and a tree",
        confide=format_duration(confide),
        beside=f"DuckDB GROUP BY: {format_duration(engine)}",
        found=ratio,
        shown=f"{ratio:.2f} × its time",
        target=f"≤ {MOST_RATIO} ×",
        met=ratio <= MOST_RATIO,
    )


def _measure_memory(size: Size, folder: Path) -> Result:
    survey = folder.with_name("survey.toml")
    DESIGN.save(survey)
    memory = measure_peak_memory("estimate", str(survey), str(folder))
    parts = list(folder.iterdir())
    return Result(
        what=f"peak memory of `confide estimate` on {len(parts) * size.reports:,} reports",
        confide=f"{memory / (1 << 20):.0f} MiB",
        beside=f"files of {sum(p.stat().st_size for p in parts) / (1 << 20):.0f} MiB",
        found=memory,
        shown=f"{memory / (1 << 30):.2f} GiB",
        target="< 0.5 GiB",
        met=memory < MOST_MEMORY,
    )
