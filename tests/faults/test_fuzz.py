"""Anything at all is sent: no crash, no 5xx, nothing accepted that the design forbids."""

import asyncio
import json
import random
from collections import Counter

from support.cluster import free_port
from support.fault_harness import DESIGN, FULL, SURVEY, Server, answer, connected, report, request

import confide as cf
from confide.reports.store import open_store
from confide.reports.wire import read_report

REQUESTS = 42_000 if FULL else 1_600  # and 8,000 or 400 more in test_openapi.py
VALUES = [
    None,
    True,
    0,
    -1,
    1e308,
    2**70,
    "",
    "0",
    "9" * 40,
    "\x00",
    "é",
    [],
    {},
    [[]],
    ["0"],
    "b" * 3,
]


def mangled(generator):
    """A report with something wrong, in its JSON or in its bytes."""
    body = report(generator)[1]
    kind = generator.randrange(5)
    if kind == 0:
        changed = json.loads(body)
        changed[generator.choice(list(changed))] = generator.choice(VALUES)
        return json.dumps(changed).encode()
    if kind == 1:
        changed = json.loads(body)
        changed["report"][generator.randrange(3)] = generator.choice(VALUES)
        return json.dumps(changed).encode()
    if kind == 2:
        place = generator.randrange(len(body))
        return body[:place] + generator.randbytes(generator.randrange(1, 4)) + body[place + 1 :]
    if kind == 3:
        return body[: generator.randrange(len(body))]
    return generator.randbytes(generator.randrange(0, 900))


def framed(body, generator):
    """A request whose head is now and then wrong too."""
    sent = request(body, generator.choice(["/report"] * 8 + ["/receipt", "/receipt/delete"]))
    if generator.random() < 0.1:
        place = generator.randrange(len(sent))
        sent = sent[:place] + generator.randbytes(2) + sent[place + 2 :]
    return sent


def allowed(body):
    try:
        read_report(SURVEY.questionnaire, body)
    except cf.ReportsError:
        return False
    return True


async def bombarded(port, count, seed):
    """Send mangled requests; give the statuses, and how many bodies were good after all."""
    generator = random.Random(seed)
    statuses, good = Counter(), 0
    while sum(statuses.values()) < count:
        async with connected(port) as (reader, writer):
            for _ in range(20):  # as long as the connection lasts
                body = mangled(generator)
                good += allowed(body)
                try:
                    writer.write(framed(body, generator))
                    statuses[await asyncio.wait_for(answer(reader), 2)] += 1
                except (
                    asyncio.IncompleteReadError,
                    LookupError,
                    ValueError,
                    OSError,
                    TimeoutError,
                ):
                    statuses[0] += 1  # the head was so wrong that there was no answer
                    break
    return statuses, good


def test_mangled_requests_are_refused_and_memory_stays_steady(tmp_path, run):
    database = f"sqlite:///{tmp_path}/survey.db"
    with Server(database, free_port()) as server:
        run(bombarded(server.port, 300, 1))
        store = open_store(database, DESIGN)
        stored, before = store.count(), server.memory()
        statuses, good = run(bombarded(server.port, REQUESTS, 2))
        assert not [status for status in statuses if status >= 500], statuses
        assert statuses.get(400, 0) > REQUESTS / 2
        assert store.count() - stored <= good
        assert server.memory() - before < 32 << 20
        assert run(bombarded(server.port, 10, 3))[0]
        store.close()
