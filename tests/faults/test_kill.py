"""Killed under load: no acknowledged report is lost, and none is there twice."""

import asyncio
import random
import shutil
import subprocess
from contextlib import suppress

import pytest
from support.cluster import Cluster, free_port
from support.fault_harness import DESIGN, FULL, Load, Server, connected, report, request, send_all
from support.machine import program

from confide.reports.store import open_store

KILLS = 1_000 if FULL else 12


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request, tmp_path):
    """An address, and who to call for a power cut of the database itself, where it has a server."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/survey.db", None
        return
    pytest.importorskip("psycopg", reason="PostgreSQL takes confide[postgres]")
    with Cluster() as cluster:

        def restart():
            cluster.stop("immediate")
            cluster.start()

        yield cluster.url, restart


def test_kill_9_under_load_loses_and_doubles_nothing(database, run):
    """The web app is killed, and after every tenth time PostgreSQL is stopped as a crash would."""
    address, restart = database
    server = Server(address, free_port())
    load, generator = Load(), random.Random(3)
    for turn in range(KILLS):
        server.start()

        async def cycle():
            sending = asyncio.create_task(load.run(server.port, 8, 60.0))
            wanted = len(load.acknowledged) + generator.randint(2, 40)
            while len(load.acknowledged) < wanted:  # however slow the machine is
                await asyncio.sleep(0.002)
            await asyncio.sleep(generator.uniform(0, 0.02))
            server.kill()
            await sending

        run(cycle())
        if restart and turn % 10 == 9:
            restart()
    with server:
        store = open_store(address, DESIGN)
        kept = set(store.find_records(list(load.sent)))
        assert len(load.acknowledged) > KILLS
        assert load.acknowledged <= kept
        assert store.count() == len(kept)
        # whoever was not answered sends the same bytes again, and so do some who were
        unanswered = [load.sent[each] for each in set(load.sent) - load.acknowledged]
        repeated = [load.sent[each] for each in list(load.acknowledged)[:200]]
        assert set(run(send_all(server.port, [*unanswered, *repeated]))) == {200}
        assert store.count() == len(load.sent)
        if not restart:
            assert store._rows("PRAGMA integrity_check") == [("ok",)]
        store.close()


def test_every_acknowledgement_comes_after_a_synchronised_write(tmp_path, run):
    """The order of system calls: the log reaches the disk, then the answer the client."""
    strace = program("strace", "strace")
    trace = tmp_path / "trace"
    calls = "trace=fsync,fdatasync,sendto,sendmsg,write,writev"
    wrapper = (strace, "-f", "-y", "-s", "24", "-e", calls, "-o", str(trace))
    probe = subprocess.run([strace, "-o", "/dev/null", "true"], check=False, capture_output=True)
    if probe.returncode:
        pytest.skip("strace may not trace here")
    count = 1_000 if FULL else 100
    server = Server(f"sqlite:///{tmp_path}/survey.db", free_port(), wrapper)
    with server:
        assert set(run(send_all(server.port, [report()[1] for _ in range(count)]))) == {200}
    acknowledged, synchronised = 0, 0
    for line in trace.read_text(errors="replace").splitlines():
        if ("sync(" in line and "survey.db-wal" in line and "= 0" in line) or (
            "sync resumed" in line and "= 0" in line
        ):
            synchronised += 1
        elif "HTTP/1.1 200" in line:
            acknowledged += 1
            assert synchronised >= 1, f"answer {acknowledged} came before its log was on disk"
            synchronised = 0
    assert acknowledged == count


def test_replays_and_altered_replays_add_nothing(tmp_path, run):
    server = Server(f"sqlite:///{tmp_path}/survey.db", free_port())
    with server:
        reports = [report() for _ in range(50)]
        bodies = [body for _, body in reports]
        altered = [body.replace(b'"0"]', b'"1"]') for body in bodies]
        differ = [a != b for a, b in zip(altered, bodies, strict=True)]
        assert any(differ)
        assert set(run(send_all(server.port, bodies * 3))) == {200}
        statuses = run(send_all(server.port, altered))
        assert statuses == [409 if each else 200 for each in differ]
        store = open_store(f"sqlite:///{tmp_path}/survey.db", DESIGN)
        assert store.count() == 50
        store.close()


def test_a_full_disk_gives_503_and_recovers_by_itself(tmp_path, run):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", str(small)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, check=False, capture_output=True).returncode
    ):
        pytest.skip("only root can make a small disk")
    try:
        database = f"sqlite:///{small}/survey.db"
        server = Server(database, free_port())
        with server:
            assert run(send_all(server.port, [report()[1]])) == [200]
            filler = small / "filler"
            with suppress(OSError):
                filler.write_bytes(b"0" * (16 << 20))
            full = [report() for _ in range(400)]
            statuses = run(send_all(server.port, [body for _, body in full]))
            assert set(statuses) <= {200, 503}
            assert 503 in statuses
            assert b"retry-after: 2" in run(head(server.port, full[statuses.index(503)][1]))
            filler.unlink()
            store = open_store(database, DESIGN)
            taken = {i for (i, _), status in zip(full, statuses, strict=True) if status == 200}
            assert set(store.find_records([i for i, _ in full])) == taken
            assert run(send_all(server.port, [body for _, body in full])) == [200] * 400
            assert store.count() == 401
            store.close()
    finally:
        subprocess.run(["umount", "-l", str(small)], check=False)


async def head(port, body):
    """Send a report and give the head of the answer."""
    async with connected(port) as (reader, writer):
        writer.write(request(body))
        return (await reader.readuntil(b"\r\n\r\n")).lower()


def test_a_file_that_was_moved_away_gives_503_and_recovers_when_it_is_back(tmp_path, run):
    """SQLite itself would go on writing to it, and everyone be told that their report is kept."""
    file, away = tmp_path / "survey.db", tmp_path / "away.db"
    with Server(f"sqlite:///{file}", free_port()) as server:
        first, second = report()[1], report()[1]
        assert run(send_all(server.port, [first])) == [200]
        file.rename(away)
        assert run(send_all(server.port, [second, second])) == [503, 503]
        assert b"retry-after: 2" in run(head(server.port, second))
        away.rename(file)
        assert run(send_all(server.port, [second, first])) == [200, 200]
        store = open_store(f"sqlite:///{file}", DESIGN)
        assert store.count() == 2
        store.close()
        for each in tmp_path.iterdir():
            each.unlink()
        assert run(send_all(server.port, [report()[1]])) == [503]


def test_a_database_that_is_gone_gives_503_and_recovers_by_itself(run):
    pytest.importorskip("psycopg", reason="PostgreSQL takes confide[postgres]")
    with Cluster() as cluster:
        server = Server(cluster.url, free_port())
        with server:
            first, second = report()[1], report()[1]
            assert run(send_all(server.port, [first])) == [200]
            cluster.stop("immediate")
            assert run(send_all(server.port, [second, second])) == [503, 503]
            refused = run(head(server.port, second))
            assert refused.startswith(b"http/1.1 503")
            assert b"retry-after: 2" in refused
            cluster.start()
            statuses = run(send_all(server.port, [second, second, first]))
            assert statuses[-2:] == [200, 200]
            store = open_store(cluster.url, DESIGN)
            assert store.count() == 2
            store.close()
