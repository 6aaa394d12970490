"""Failures of Spark, which tells them as pages of Java, as one line each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from confide.errors import ReportsError

_PACKAGES = ("pyspark", "py4j", "grpc")
"""Those whose errors are Spark's, asked directly or through Spark Connect."""


@contextmanager
def explain_spark_failures() -> Iterator[None]:
    """Turn a failure of Spark into one line; its own words are left out, as they may tell answers.

    Whatever is counted within the block is then not counted at all.
    """
    try:
        yield
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in _PACKAGES:
            raise
        raise ReportsError(_describe_failure(str(error))) from None


def _describe_failure(said: str) -> str:
    if missing := re.search(r"No module named '(\w+)", said):
        return (
            f"the Python of Spark's workers has no {missing[1]}. Install confide there, and name "
            "that Python in PYSPARK_PYTHON before Spark is started."
        )
    if file := re.search(r"reading file \S*?([^/\s]+?)\.?\s", said):
        return (
            f"Spark cannot read {file[1]}: it is damaged, gone, or holds a column in another type "
            "than the first file. Nothing was counted."
        )
    if re.search("Python worker exited unexpectedly|Python worker failed to connect", said):
        return (
            "a Python process of Spark's workers died, perhaps for want of memory. Nothing was "
            "counted. Let executors have more (spark.executor.memoryOverhead), or smaller parts."
        )
    named = re.search(r"\[([A-Z][A-Z_.]+)\]", said)
    which = f" ({named[1]})" if named else ""
    return f"Spark failed{which}; its log says why. Nothing was counted."
