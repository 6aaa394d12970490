"""How long a million reports of twenty questions take to export, and a first run to answer.

python benchmarks/collect_export.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from cluster import free_port

import confide as cf
from confide.collect.export import export
from confide.collect.form import Form
from confide.collect.store import open_store

QUESTIONS = 20
TARGETS = {"parquet": 5.0, "csv": 15.0}


def run(reports: int = 1_000_000) -> list[dict[str, Any]]:
    """Measure the exports and the first run."""
    names = [f"q{i}" for i in range(QUESTIONS)]
    groups = [cf.Group([name], cf.RelatedQuestion("3/4")) for name in names[:10]]
    design = cf.Design([cf.YesNo(name) for name in names], groups, title="Many")
    with tempfile.TemporaryDirectory() as folder:
        return [*_exports(design, Path(folder), reports), _first_run(design, Path(folder))]


def _exports(design: cf.Design, folder: Path, reports: int) -> list[dict[str, Any]]:
    form = Form(design)
    store = open_store(f"sqlite:///{folder}/many.db", design, by_invitation=False)
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 2, (reports, QUESTIONS))
    with store.transaction():
        store.write(
            ((generator.bytes(16), form.pack(row, form.modes())) for row in codes.tolist()), ()
        )
    rows = []
    for kind, target in TARGETS.items():
        start = time.perf_counter()
        export(form, store, kind, folder / f"{kind}.zip")
        rows.append(_row(f"export of {reports:,} × {QUESTIONS} as {kind}", start, target))
    store.close()
    return rows


def _first_run(design: cf.Design, folder: Path) -> dict[str, Any]:
    survey = folder / "survey.toml"
    design.save(survey)
    port = free_port()
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    command = [*program, "serve", str(survey), "--port", str(port)]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            page.read()
        row = _row("confide serve until the page is there", start, 3.0)
        server.terminate()
    return row


def _row(what: str, start: float, target: float) -> dict[str, Any]:
    took = time.perf_counter() - start
    return {
        "what": what,
        "found": f"{took:.1f} s",
        "target": f"≤ {target:.0f} s",
        "met": took <= target,
    }


if __name__ == "__main__":
    for row in run():
        print(*(row[key] for key in ("what", "found", "target")), "met" if row["met"] else "missed")
