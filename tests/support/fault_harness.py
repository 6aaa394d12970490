"""A server that can be killed, and clients that remember exactly what was acknowledged."""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import confide as cf
from confide.reports.wire import Report, write_report
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey

ROOT = Path(__file__).parents[2]
FULL = os.environ.get("CONFIDE_FAULTS") == "full"
"""Whether to run at full length (`make faults`)."""

DESIGN = cf.Design(
    [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Choice("faculty", ["arts", "law", "science"])],
    [
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
        cf.Group(["drugs"], cf.RelatedQuestion("2/3")),
    ],
    title="Faults",
)
SURVEY = Survey(DESIGN)
INVITED = Survey(DESIGN, Page(invitation=True))

# Imports once, then forks a fresh server whenever told, so that hundreds of kills take no time.
_NURSERY = """
import os, signal, sys, time
import confide.reports.sqlite, confide.web.admin.endpoints
from confide.web.app import create_app
from confide.web.guard import Rate
from confide.web.server import run_server
from confide.reports.store import open_store
from support.fault_harness import INVITED, SURVEY
database, port, survey = sys.argv[1], int(sys.argv[2]), INVITED if sys.argv[3:] else SURVEY
for _ in sys.stdin:
    for _ in range(50):
        child = os.fork()
        if not child:
            store = open_store(database, survey.design, by_invitation=survey.page.invitation)
            app = create_app(survey, store, rate=Rate(0))
            run_server(app, "127.0.0.1", port, lambda: print(os.getpid(), flush=True))
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 3:
            break
        time.sleep(0.2)  # another program has the port for a moment
    else:
        sys.exit(f"port {port} stays taken")
"""


class Server:
    """The web app in a process of its own, without a limit to how often one address may send."""

    def __init__(
        self, database: str, port: int, wrapper: tuple[str, ...] = (), *, invited: bool = False
    ) -> None:
        tests = str(Path(__file__).parents[1])
        path = os.pathsep.join([str(ROOT / "src"), tests, os.environ.get("PYTHONPATH", "")])
        self.port = port
        self._nursery = subprocess.Popen(
            [*wrapper, sys.executable, "-c", _NURSERY, database, str(port), *["invited"] * invited],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.pid = 0

    def start(self) -> None:
        """Start a server, and wait until it listens."""
        self._nursery.stdin.write("start\n")
        self._nursery.stdin.flush()
        self.pid = int(self._nursery.stdout.readline())

    def kill(self) -> None:
        """End it at once, as a power cut ends a process."""
        os.kill(self.pid, signal.SIGKILL)

    def memory(self) -> int:
        """Its resident bytes."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.pid, signal.SIGTERM)
        self._nursery.stdin.close()
        self._nursery.wait(30)
        self._nursery.stdout.close()


def report(generator: random.Random | None = None) -> tuple[bytes, bytes]:
    """A new report: its id and the bytes to send."""
    choose = generator or random
    codes = tuple(choose.randrange(field.size) for field in SURVEY.questionnaire.fields)
    report_id = secrets.token_hex(16)
    sent = write_report(
        SURVEY.questionnaire, Report(report_id, "", SURVEY.questionnaire.modes(), codes)
    )
    return bytes.fromhex(report_id), sent


def request(body: bytes, path: str = "/report") -> bytes:
    """A report as HTTP."""
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


@dataclass
class Load:
    """What many clients sent at once, and what was acknowledged."""

    sent: dict[bytes, bytes] = field(default_factory=dict)
    acknowledged: set[bytes] = field(default_factory=set)
    latencies: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    async def run(self, port: int, connections: int, seconds: float) -> None:
        """Send new reports over many connections for a while; stop quietly if the server dies."""
        until = time.perf_counter() + seconds
        await asyncio.gather(*(self._client(port, until) for _ in range(connections)))

    async def _client(self, port: int, until: float) -> None:
        try:
            async with connected(port) as (reader, writer):
                while time.perf_counter() < until:
                    report_id, body = report()
                    self.sent[report_id] = body
                    start = time.perf_counter()
                    writer.write(request(body))
                    status = await answer(reader)
                    self.latencies.append(time.perf_counter() - start)
                    self.statuses[status] = self.statuses.get(status, 0) + 1
                    if status == 200:
                        self.acknowledged.add(report_id)
        except (OSError, asyncio.IncompleteReadError):
            return


@asynccontextmanager
async def connected(
    port: int,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A connection, closed in the end whatever happens."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        yield reader, writer
    finally:
        writer.close()
        with suppress(OSError):
            await writer.wait_closed()


async def answer(reader: asyncio.StreamReader) -> int:
    """Read one answer and give its status."""
    return (await whole_answer(reader))[0]


async def whole_answer(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    """Read one answer and give its status and its body."""
    head = await reader.readuntil(b"\r\n\r\n")
    lower = head.lower()
    length = int(lower.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0])
    return int(head[9:12]), await reader.readexactly(length)


async def send_all(port: int, bodies: list[bytes]) -> list[int]:
    """Send some bodies one after the other and give the statuses."""
    statuses = []
    async with connected(port) as (reader, writer):
        for body in bodies:
            writer.write(request(body))
            statuses.append(await answer(reader))
    return statuses
