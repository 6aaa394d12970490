"""Counting reports that Spark holds, beside Spark's own groupBy().count() of the same frame."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from campus import DESIGN, write_reports
from measuring import Result, Size, format_duration, measure_best_seconds

import confide as cf

MOST_RATIO = 1.3


def measure(size: Size) -> list[Result]:
    """One row; none where there is no Java."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        return []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "reports.parquet"
        write_reports(path, size.reports)
        spark = _start_spark()
        try:
            frame = spark.read.parquet(str(path))
            assert cf.Counts.of(DESIGN, frame).n == size.reports
            confide, engine = measure_best_seconds(
                min(size.rounds, 5),
                lambda: cf.Counts.of(DESIGN, frame),
                lambda: frame.groupBy(*DESIGN.names).count().toArrow(),
            )
        finally:
            spark.stop()
    ratio = confide / engine
    return [
        Result(
            what=f"count {size.reports:,} reports × {len(DESIGN.names)} columns in Spark",
            confide=format_duration(confide),
            beside=f"Spark's groupBy().count(): {format_duration(engine)}",
            found=ratio,
            shown=f"{ratio:.2f} × its time",
            target=f"≤ {MOST_RATIO} ×",
            met=ratio <= MOST_RATIO,
        )
    ]


def _start_spark() -> Any:
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[2]").appName("confide")
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session
