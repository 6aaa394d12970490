"""Files of reports that are larger than the memory that reading them may take."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import confide as cf
from confide.counts import file_engine
from confide.counts.file_engine import limit_memory, open_engine
from confide.progress import on_progress

NAMES = [f"q{i}" for i in range(8)]
DESIGN = cf.Design([cf.YesNo(name) for name in NAMES], [cf.Group(NAMES, cf.RelatedQuestion("4/5"))])
ROOM = 70  # megabytes beside what the program has after one of the files


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Many reports: one file under many names."""
    folder = tmp_path_factory.mktemp("reports")
    codes = np.random.default_rng(1).integers(0, 2, (100_000, len(NAMES)))
    words = np.array(["no", "yes"])
    table = pa.table(dict(zip(NAMES, words[codes].T, strict=True)))
    first = folder / "part-00.parquet"
    plain = {"use_dictionary": False, "compression": "none", "row_group_size": 20_000}
    pq.write_table(table, first, **plain)
    for number in range(1, 28):
        (folder / f"part-{number:02}.parquet").hardlink_to(first)
    assert sum(part.stat().st_size for part in folder.iterdir()) > 2 * ROOM * 1_000_000
    return folder


_PROGRAM = """
import os, re, sys
from pathlib import Path
os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:2])  # each thread takes some memory
import duckdb, narwhals, pyarrow.parquet
import confide as cf
from confide.counts import file_engine
from confide.counts.file_engine import limit_memory

def peak():  # of this program alone: getrusage would begin with that of the one that started it
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1_000

design = cf.Design.load(sys.argv[1])
cf.Counts.of(design, sys.argv[2] + "/part-00.parquet")
begun = peak()
with limit_memory("40MB"):
    crowd = cf.Crowd(design, sys.argv[2])
    reports = cf.ReportsInPlace(design, sys.argv[2])
print(crowd.n, reports.n, crowd.proportion({"q0": "yes"}).value)
print(peak() - begun)
held = pyarrow.parquet.read_table(sys.argv[2])
print(peak() - begun)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
def test_reports_larger_than_the_memory_that_is_allowed_are_counted(folder, tmp_path):
    """The twin, which holds all rows at once, takes more than twice the room."""
    DESIGN.save(tmp_path / "design.json")
    command = [sys.executable, "-c", _PROGRAM, tmp_path / "design.json", folder]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    counted, taken, twin = run.stdout.splitlines()
    whole = cf.Crowd(DESIGN, cf.Counts.of(DESIGN, folder / "part-00.parquet"))
    assert counted == f"2800000 2800000 {whole.proportion({'q0': 'yes'}).value}"
    assert float(taken) < ROOM and float(twin) > 2 * ROOM


def test_too_little_memory_is_one_line_and_not_a_damaged_file(folder):
    with limit_memory("2MB"), pytest.raises(cf.ReportsError, match="it may, 2MB: ask") as error:
        cf.Counts.of(DESIGN, folder / "part-00.parquet")
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("limit", ["lots", "-3GB", "0", "5", ""])
def test_a_limit_that_is_no_size_is_refused(limit):
    with pytest.raises(cf.QueryError, match="like 500MB or 2GiB"), limit_memory(limit):
        pass


def test_a_limit_reaches_the_engine_and_ends_with_its_block():
    def read_limit():
        with open_engine() as engine:
            return engine.sql("SELECT current_setting('memory_limit')").fetchall()[0][0]

    before = read_limit()
    with limit_memory("64 MiB"):
        assert read_limit() == "64.0 MiB"
    assert read_limit() == before != "64.0 MiB"


def test_whoever_waits_is_told_how_far_a_query_is(monkeypatch):
    monkeypatch.setattr(file_engine, "_LOOK", 0.01)
    shares = []
    with on_progress(shares.append), open_engine() as engine:
        engine.sql("SELECT max(hash(range)) FROM range(60_000_000)").fetchall()
    assert shares and shares == sorted(shares)
    assert shares[0] >= 0 and shares[-1] <= 1
