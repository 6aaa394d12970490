"""How many durable reports a second the web app takes, its load generator beside it.

    python benchmarks/collect_load.py

Every report is acknowledged only after it is on disk. 32 connections, one server process.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / part) for part in ("", "faults")]

from cluster import Cluster, free_port
from harness import DESIGN, Load, Server

from confide.collect.store import open_store

CONNECTIONS = 32
SECONDS = 10.0


def run(seconds: float = SECONDS) -> list[dict[str, Any]]:
    """Measure both databases."""
    with tempfile.TemporaryDirectory() as folder:
        rows = _rows("SQLite", f"sqlite:///{folder}/survey.db", 2000, seconds)
    with Cluster() as cluster:
        return rows + _rows("PostgreSQL", cluster.url, 1000, seconds)


def _rows(name: str, database: str, target: int, seconds: float) -> list[dict[str, Any]]:
    with Server(database, free_port()) as server:
        asyncio.run(Load().run(server.port, CONNECTIONS, min(1.0, seconds)))  # warm up
        load = Load()
        asyncio.run(load.run(server.port, CONNECTIONS, seconds))
        store = open_store(database, DESIGN)
        kept = store.records(list(load.acknowledged))
        store.close()
    assert set(load.statuses) == {200}, load.statuses
    assert set(kept) == load.acknowledged
    rate = len(load.latencies) / seconds
    late = sorted(load.latencies)[int(0.99 * len(load.latencies))] * 1000
    return [
        {
            "what": f"durable reports a second, {name}",
            "found": f"{rate:,.0f}",
            "target": f"≥ {target:,}",
            "met": rate >= target,
        },
        {
            "what": f"their 99th percentile, {name}",
            "found": f"{late:.0f} ms",
            "target": "≤ 50 ms",
            "met": late <= 50,
        },
    ]


if __name__ == "__main__":
    for row in run():
        print(*(row[key] for key in ("what", "found", "target")), "met" if row["met"] else "missed")
