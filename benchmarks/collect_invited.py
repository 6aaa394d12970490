"""How many invited people a second redeem their invitation and report, senders beside the server.

A redemption and a report are each answered only after they are on disk. What people's own browsers
work out is made ready before, and nobody pauses. 32 connections, one server process.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import pytest
from measuring import Result, Size

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.blinding import Invited, hash_token
from support.cluster import Cluster, free_port
from support.fault_harness import INVITED, Server, connected, request, whole_answer

from confide.reports.store import open_store
from confide.web.blind_signatures import find_public_key

CONNECTIONS = 32
LEAST = 300  # people a second


def measure(size: Size) -> list[Result]:
    """Both databases; without a PostgreSQL server, SQLite alone."""
    count = int(LEAST * size.seconds)
    with tempfile.TemporaryDirectory() as folder:
        results = [_measure_people("SQLite", f"sqlite:///{folder}/survey.db", count)]
    try:
        cluster = Cluster()
    except pytest.skip.Exception as missing:
        print(missing, file=sys.stderr)
        return results
    with cluster:
        return [*results, _measure_people("PostgreSQL", cluster.url, count)]


def _measure_people(name: str, database: str, count: int) -> Result:
    store = open_store(database, INVITED.design, by_invitation=True)
    key = find_public_key(store)
    people = [Invited(INVITED, key, secrets.token_hex(16), (1, 0, 2)) for _ in range(count)]
    store.invite(hash_token(person.token) for person in people)
    with Server(database, free_port(), invited=True) as server:
        seconds = asyncio.run(_let_report(server.port, people))
    kept = store.find_records([bytes.fromhex(person.id) for person in people])
    assert (len(kept), store.count_invitations()) == (count, (count, 0))
    store.close()
    rate = count / seconds
    what = f"invited people who redeem and report, durably into {name}"
    beside = f"{CONNECTIONS} connections from the same machine"
    shown = (f"{count:,} people", beside, rate, f"{rate:,.0f}/s")
    return Result(what, *shown, f"≥ {LEAST:,}/s", rate >= LEAST)


async def _let_report(port: int, people: list[Invited]) -> float:
    """Let all people redeem and report; give the seconds that it took."""
    waiting, start = iter(people), perf_counter()
    await asyncio.gather(*(_send(port, waiting) for _ in range(CONNECTIONS)))
    return perf_counter() - start


async def _send(port: int, people: Iterator[Invited]) -> None:
    async with connected(port) as (reader, writer):
        for person in people:
            writer.write(request(person.redemption, "/ticket"))
            status, body = await whole_answer(reader)
            assert status == 200, body
            sent = person.report(person.ticket(json.loads(body)["signature"]))
            writer.write(request(sent))
            status, body = await whole_answer(reader)
            assert status == 200, body
