"""What Spark cannot read, or dies of, is one line, and nothing is half counted."""

from __future__ import annotations

import datetime
import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.engines import spark, spark_frame

import confide as cf
from confide.counts import report_passes
from confide.counts.engine_failures import explain_engine_failures

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.YesNo("b"), cf.Number("age", 0, 99)],
    [cf.Group(["a", "b"], cf.RelatedQuestion("4/5"))],
)
TABLE = pa.table({"a": ["yes", "no"] * 2, "b": ["no", "no"] * 2, "age": [1.0, 2.0, 3.0, 4.0]})
DAYS = pa.array([datetime.date(2001, 2, 3)] * 4)
READ = (cf.Counts.of, cf.ReportsInPlace)


def refuse(read, frame, words):
    with pytest.raises(cf.ReportsError, match=words) as caught:
        read(DESIGN, frame)
    assert "\n" not in str(caught.value) and "2001" not in str(caught.value)


@pytest.mark.parametrize("read", READ, ids=["counts", "in place"])
def test_a_column_of_another_type_in_spark_is_one_line(read, tmp_path):
    nested = pa.array([[("x", "yes")]] * 4, pa.map_(pa.string(), pa.string()))
    for place, name, column, words in (
        (0, "a", DAYS, "'a' holds none of its options in 4 of 4 reports"),
        (0, "a", nested, "'a' holds none of its options in 4 of 4 reports"),
        (2, "age", pa.array(["1", "2", "x", "4"]), "'age' holds no number from 0 to 99 in 1 of 4"),
    ):
        refuse(read, spark_frame(TABLE.set_column(place, name, column), tmp_path), words)


@pytest.mark.parametrize("read", READ, ids=["counts", "in place"])
def test_a_bad_file_among_those_of_a_spark_frame_is_named(read, tmp_path):
    """Spoilt, of another type, and gone, after the frame was opened."""
    for number in range(5):
        pq.write_table(TABLE, tmp_path / f"part-{number}.parquet")
    frame, bad = spark().read.parquet(str(tmp_path)), tmp_path / "part-3.parquet"
    whole = bad.read_bytes()
    bad.write_bytes(whole[:4] + bytes(60) + whole[64:])
    refuse(read, frame, r"Spark cannot read part-3\.parquet: it is damaged, gone, or")
    pq.write_table(TABLE.set_column(0, "a", DAYS), bad)
    refuse(read, frame, r"Spark cannot read part-3\.parquet")
    bad.unlink()
    refuse(read, frame, r"Spark cannot read part-3\.parquet")
    pq.write_table(TABLE, bad)
    assert read(DESIGN, frame).n == 20


@pytest.mark.parametrize("read", READ, ids=["counts", "in place"])
def test_a_query_that_spark_cannot_follow_is_one_line(read, tmp_path):
    """Two columns of one name: already the names of the columns cannot be told."""
    frame = spark_frame(TABLE, tmp_path)
    refuse(read, frame.join(frame, "a"), r"Spark failed \(AMBIGUOUS_REFERENCE\); its log")


class Deadly:
    """Ends the process that reads it from a pickle: one of Spark's workers."""

    def __reduce__(self):
        return os._exit, (1,)

    def __call__(self, *_):
        raise AssertionError("it is only called in a worker")


def test_a_process_of_spark_that_dies_is_one_line(tmp_path, monkeypatch):
    frame = spark_frame(TABLE, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(report_passes, "_cross_batches", Deadly())
        refuse(cf.ReportsInPlace, frame, "a Python process of Spark's workers died")
    assert cf.ReportsInPlace(DESIGN, frame).n == 4


def test_other_failures_of_spark_are_named_without_their_words():
    from pyspark.errors import PySparkException

    said = "[CAST_INVALID_INPUT] The value 'yes' cannot be cast.\nJVM stacktrace"
    words = r"^Spark failed \(CAST_INVALID_INPUT\); its log"
    with pytest.raises(cf.ReportsError, match=words), explain_engine_failures():
        raise PySparkException(said)
    with pytest.raises(KeyError), explain_engine_failures():
        raise KeyError("what is not Spark's stays what it is")
