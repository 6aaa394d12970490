"""A real Spark cluster: the same results to the last digit, also when a worker is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support.engines import require_java
from support.spark_cluster import SparkCluster

import confide as cf

TESTS = Path(__file__).parents[1]
NAMES = [f"q{i}" for i in range(30)]
DESIGN = cf.Design(
    [cf.YesNo(name) for name in NAMES],
    [cf.Group(NAMES[g::3], cf.RelatedQuestion("4/5")) for g in range(3)],
)


def write_reports(folder):
    chance = np.random.default_rng(1)
    answers = chance.random((2_000, 30)) < chance.random((2_000, 1))
    reports = DESIGN.disguise(answers.astype(np.int8), seed=2)
    path = folder / "reports.parquet"
    pq.write_table(pa.table(dict(zip(NAMES, reports.T, strict=True))), path)
    DESIGN.save(folder / "design.json")
    return path


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """A file of reports, and what it says when it is read without Spark."""
    from support.spark_program import describe

    path = write_reports(tmp_path_factory.mktemp("reports"))
    reports = cf.ReportsInPlace(DESIGN, duckdb.read_parquet(str(path)))
    return path, describe(DESIGN, cf.Counts.of(DESIGN, path), reports)


@contextmanager
def ask_spark(master, path, mode):
    """Start a program that asks a Spark, and stop it."""
    program = [sys.executable, TESTS / "support" / "spark_program.py"]
    sources = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
    environment = {**os.environ, "PYTHONPATH": sources, "PYSPARK_PYTHON": sys.executable}
    environment["SPARK_TESTING"] = "1"  # Spark Connect takes a free port
    run = subprocess.Popen(
        [*program, master, path, path.with_name("design.json"), mode],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=environment,
        start_new_session=True,
    )
    try:
        yield run
    finally:
        SparkCluster.kill(run)


def test_a_spark_cluster_gives_the_same_results_though_a_worker_is_killed(expected, tmp_path):
    """The worker dies between the first pass and the next: its executor's part is done again."""
    path, wanted = expected
    with SparkCluster(tmp_path) as cluster, ask_spark(cluster.url, path, "classic") as run:
        assert run.stdout.readline() == "counted\n"
        cluster.kill(cluster.workers[0])
        said, _ = run.communicate("go on\n", timeout=600)
    assert json.loads(said) == wanted


def test_spark_connect_gives_the_same_results(expected):
    pytest.importorskip("grpc_status", reason="Spark Connect takes pyspark[connect]")
    require_java()
    path, wanted = expected
    with ask_spark("local[2]", path, "connect") as run:
        said, _ = run.communicate("go on\n", timeout=600)
    counted, found = said.splitlines()
    assert counted == "counted" and json.loads(found) == wanted
