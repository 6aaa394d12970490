"""How many durable reports a second the web app takes, its load generator beside it.

Every report is acknowledged only after it is on disk. 32 connections, one server process.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

import pytest
from measuring import Result, Size

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.cluster import Cluster, free_port
from support.fault_harness import DESIGN, Load, Server

from confide.reports.store import open_store

CONNECTIONS = 32
LATEST = 50  # milliseconds


def measure(size: Size) -> list[Result]:
    """Both databases; without a PostgreSQL server, SQLite alone."""
    with tempfile.TemporaryDirectory() as folder:
        results = _measure_load("SQLite", f"sqlite:///{folder}/survey.db", 2000, size.seconds)
    try:
        cluster = Cluster()
    except pytest.skip.Exception as missing:
        print(missing, file=sys.stderr)
        return results
    with cluster:
        return results + _measure_load("PostgreSQL", cluster.url, 1000, size.seconds)


def _measure_load(name: str, database: str, least: int, seconds: float) -> list[Result]:
    with Server(database, free_port()) as server:
        asyncio.run(Load().run(server.port, CONNECTIONS, min(1.0, seconds)))  # warm up
        load = Load()
        asyncio.run(load.run(server.port, CONNECTIONS, seconds))
        store = open_store(database, DESIGN)
        kept = store.find_records(list(load.acknowledged))
        store.close()
    assert set(load.statuses) == {200}, load.statuses
    assert set(kept) == load.acknowledged
    count = len(load.latencies)
    rate, late = count / seconds, sorted(load.latencies)[int(0.99 * count)] * 1000
    what, made = f"durable reports into {name}", f"{count:,} reports"
    beside = f"{CONNECTIONS} connections from the same machine"
    return [
        Result(what, made, beside, rate, f"{rate:,.0f}/s", f"≥ {least:,}/s", rate >= least),
        Result(
            f"{what}: 99th percentile of the answer",
            *(made, beside, late, f"{late:.0f} ms", f"≤ {LATEST} ms", late <= LATEST),
        ),
    ]
