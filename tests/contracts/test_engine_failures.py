"""What DuckDB or Polars cannot read is one line without an answer, and nothing is counted."""

from __future__ import annotations

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.Choice("b", ["x", "y", "secret"])],
    [cf.Group(["a", "b"], cf.RelatedQuestion("4/5"))],
)
TABLE = pa.table({"a": ["yes", "no"] * 2, "b": ["secret", "x"] * 2})
OPENED = {
    "DuckDB": lambda folder: duckdb.read_parquet(f"{folder}/*.parquet"),
    "Polars": lambda folder: pl.scan_parquet(f"{folder}/*.parquet"),
}


def refuse(read, reports, words):
    with pytest.raises(cf.ReportsError, match=words) as caught:
        read(DESIGN, reports)
    said = str(caught.value)
    assert said.endswith("Nothing was counted.")
    assert "\n" not in said and "secret" not in said


@pytest.mark.parametrize("read", [cf.Counts.of, cf.ReportsInPlace], ids=["counts", "in place"])
@pytest.mark.parametrize("engine", OPENED)
def test_a_bad_file_among_those_of_an_engine_is_one_line(engine, read, tmp_path):
    """Spoilt in the middle, cut short, and without a column."""
    for number in range(5):
        pq.write_table(TABLE, tmp_path / f"part-{number}.parquet")
    bad = tmp_path / "part-3.parquet"
    whole = bad.read_bytes()
    without = pa.BufferOutputStream()
    pq.write_table(TABLE.select(["a"]), without)
    for spoilt in (
        whole[:4] + b"\xff" * 60 + whole[64:],
        whole[:-20],
        without.getvalue().to_pybytes(),
    ):
        bad.write_bytes(spoilt)
        words = r"(failed \(\w+\)|cannot read part-3\.parquet): "
        refuse(read, OPENED[engine](tmp_path), words)
    bad.write_bytes(whole)
    assert read(DESIGN, OPENED[engine](tmp_path)).n == 20


def test_a_file_that_duckdb_names_is_named(tmp_path):
    for number in range(3):
        pq.write_table(TABLE, tmp_path / f"part-{number}.parquet")
    reports = duckdb.read_parquet(f"{tmp_path}/*.parquet")
    (tmp_path / "part-1.parquet").write_bytes(b"nothing of the kind")
    refuse(cf.Counts.of, reports, r"^DuckDB cannot read part-1\.parquet: it is damaged, gone, or")


def test_an_answer_that_an_engine_cannot_convert_is_not_told(tmp_path):
    path = tmp_path / "reports.parquet"
    pq.write_table(TABLE, path)
    reports = duckdb.sql(f"SELECT a, b::INT AS b FROM '{path}'")
    refuse(cf.Counts.of, reports, r"^DuckDB failed \(ConversionException\): read the reports")


def test_an_engine_that_is_closed_is_one_line():
    with duckdb.connect() as engine:
        engine.register("reports", TABLE)
        reports = engine.table("reports")
    refuse(cf.Counts.of, reports, r"^DuckDB failed \(ConnectionException\)")
