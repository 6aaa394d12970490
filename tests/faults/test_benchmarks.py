"""The web app's benchmarks run; their figures are for a quiet machine, so only a floor is held."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

import collect_export
import collect_load


def test_reports_are_taken_fast_from_many_connections_at_once():
    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have a loop in this thread
        rows = pool.submit(collect_load.run, 1.0).result()
    assert float(rows[0]["found"].replace(",", "")) > 200


def test_exports_take_seconds_not_minutes():
    rows = collect_export.run(reports=20_000)
    assert [row["what"].split()[0] for row in rows] == ["export", "export", "confide"]
    assert all(float(row["found"].removesuffix(" s")) < 30 for row in rows)
