"""How long a million reports of twenty questions take to export, and a first run to answer."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import numpy as np
from measuring import Result, Size, format_duration

import confide as cf
from confide.reports.store import open_store
from confide.surveys.questionnaire import Questionnaire
from confide.web.admin.export import write_export
from confide.web.server import find_free_port

QUESTIONS = 20
MOST = {"parquet": 5.0, "csv": 15.0}
FIRST_RUN = 3.0


def measure(size: Size) -> list[Result]:
    """The exports and the first run."""
    names = [f"q{i}" for i in range(QUESTIONS)]
    groups = [cf.Group([name], cf.RelatedQuestion("3/4")) for name in names[:10]]
    design = cf.Design([cf.YesNo(name) for name in names], groups, title="Many")
    with tempfile.TemporaryDirectory() as folder:
        return [
            *_measure_exports(design, Path(folder), size.answers),
            _measure_first_run(design, Path(folder)),
        ]


def _measure_exports(design: cf.Design, folder: Path, reports: int) -> list[Result]:
    form = Questionnaire(design)
    store = open_store(f"sqlite:///{folder}/many.db", design, by_invitation=False)
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 2, (reports, QUESTIONS))
    with store.transaction():
        rows = {generator.bytes(16): form.pack(row, form.modes()) for row in codes.tolist()}
        store.take_in(rows, {})
    results = []
    for kind, most in MOST.items():
        start, path = time.perf_counter(), folder / f"{kind}.zip"
        write_export(form, store, kind, path)
        what = f"export {reports:,} reports × {QUESTIONS} questions as {kind}"
        results.append(_make_result(what, start, f"{path.stat().st_size / 1e6:.1f} MB", most))
    store.close()
    return results


def _measure_first_run(design: cf.Design, folder: Path) -> Result:
    survey = folder / "survey.toml"
    design.save(survey)
    port = find_free_port("127.0.0.1")
    program = [sys.executable, "-c", "from confide.cli import main; main()"]
    command = [*program, "serve", str(survey), "--port", str(port)]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        server.stdout.readline()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as page:
            page.read()
        found = _make_result(
            "`confide serve` until the page is there", start, "a new database", FIRST_RUN
        )
        server.terminate()
    return found


def _make_result(what: str, start: float, beside: str, most: float) -> Result:
    took = time.perf_counter() - start
    return Result(
        what,
        format_duration(took),
        beside,
        took,
        format_duration(took),
        f"≤ {most:.0f} s",
        took <= most,
    )
