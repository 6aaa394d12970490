"""Failures of an engine, which tells them in words of its own, often many, as one line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from confide.errors import ReportsError

_SPARK = ("pyspark", "py4j", "grpc")
"""The packages whose errors are Spark's, asked directly or through Spark Connect."""
_OTHERS = {
    "duckdb": "DuckDB",
    "_duckdb": "DuckDB",
    "polars": "Polars",
    "narwhals": "Polars",  # whose errors come under this name
    "pyarrow": "Arrow",
    "ibis": "Ibis",
    "sqlite3": "SQLite",
    "psycopg": "PostgreSQL",
}
"""The other packages that read reports, and whose errors theirs are."""
_NAMED_FILE = r"""file ['"]?[^'"]*?([\w.=-]+\.parquet)"""


@contextmanager
def explain_engine_failures() -> Iterator[None]:
    """Turn a failure of an engine into one line; its own words are left out: they may tell answers.

    Whatever is counted within the block is then not counted at all.
    """
    try:
        yield
    except Exception as error:
        package = type(error).__module__.partition(".")[0]
        if package in _SPARK:
            said = _describe_spark_failure(str(error))
        elif package in _OTHERS or isinstance(error, OSError):
            said = _describe_failure(_OTHERS.get(package, "the engine"), error)
        else:
            raise
        raise ReportsError(f"{said} Nothing was counted.") from None


def _describe_failure(engine: str, error: Exception) -> str:
    if file := re.search(_NAMED_FILE, str(error)):
        return (
            f"{engine} cannot read {file[1]}: it is damaged, gone, or holds other columns than the "
            "first file."
        )
    return (
        f"{engine} failed ({type(error).__name__}): read the reports with it alone to see why. If "
        "they are in files, give their path: then a bad one is named."
    )


def _describe_spark_failure(said: str) -> str:
    if missing := re.search(r"No module named '(\w+)", said):
        return (
            f"the Python of Spark's workers has no {missing[1]}. Install confide there, and name "
            "that Python in PYSPARK_PYTHON before Spark is started."
        )
    if file := re.search(r"reading file \S*?([^/\s]+?)\.?\s", said):
        return (
            f"Spark cannot read {file[1]}: it is damaged, gone, or holds a column in another type "
            "than the first file."
        )
    if re.search("Python worker exited unexpectedly|Python worker failed to connect", said):
        return (
            "a Python process of Spark's workers died, perhaps for want of memory. Let executors "
            "have more (spark.executor.memoryOverhead), or smaller parts."
        )
    named = re.search(r"\[([A-Z][A-Z_.]+)\]", said)
    which = f" ({named[1]})" if named else ""
    return f"Spark failed{which}; its log says why."
