"""The benchmarks still run: a trial on little data, without the peers."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_every_benchmark_runs_and_writes_its_table(tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    run = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "run.py", "--small", "--into", tmp_path],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    kept = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    rooms = {"disguise", "full", "count", "import", "ID3", "durable", "export", "`confide"}
    rooms |= {"reconstruct", "invited"}
    assert rooms <= {result["what"].split()[0] for result in kept["results"]}
    assert all(result["found"] > 0 for result in kept["results"])
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert run.stdout.strip() in readme
    assert str(tmp_path) not in readme
