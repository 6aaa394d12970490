"""A real Spark cluster: the same results to the last digit, also when a worker is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
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


def test_a_spark_cluster_gives_the_same_results_though_a_worker_is_killed(tmp_path):
    """The worker dies between the first pass and the next: its executor's part is done again."""
    from support.spark_program import describe

    path = write_reports(tmp_path)
    expected = describe(
        DESIGN,
        cf.Counts.of(DESIGN, path),
        cf.ReportsInPlace(DESIGN, duckdb.read_parquet(str(path))),
    )
    program = [sys.executable, TESTS / "support" / "spark_program.py"]
    sources = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
    environment = {**os.environ, "PYTHONPATH": sources, "PYSPARK_PYTHON": sys.executable}
    with SparkCluster(tmp_path) as cluster:
        run = subprocess.Popen(
            [*program, cluster.url, path, tmp_path / "design.json"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment,
            start_new_session=True,
        )
        try:
            assert run.stdout.readline() == "counted\n"
            cluster.kill(cluster.workers[0])
            said, _ = run.communicate("go on\n", timeout=600)
        finally:
            cluster.kill(run)
    assert json.loads(said) == expected
