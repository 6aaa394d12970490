"""PostgreSQL's archive is built beside the writing: who reports meanwhile does not wait."""

import asyncio
import secrets
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

import confide as cf
from confide.reports.invitation_store import Redemption
from confide.reports.store import StoreError, open_store
from confide.reports.submissions import Outcome, Submission
from confide.web.writer import Writer

psycopg = pytest.importorskip("psycopg", reason="PostgreSQL takes confide[postgres]")


@pytest.fixture
def design():
    return cf.Design([cf.YesNo("asked")], title=secrets.token_hex(8))


def submission():
    return Submission(secrets.token_bytes(16), b"\0c")


def wait_until(holds):
    until = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_who_reads_the_archive_keeps_no_report_waiting(postgres, design):
    """Such as a copy of the whole database, which may take minutes."""
    store = open_store(postgres, design, by_invitation=False)
    sent = [submission() for _ in range(50)]
    with psycopg.connect(postgres) as reader:
        reader.execute(f"SELECT * FROM confide_{design.fingerprint[:16]}.archive")

        async def report():
            writer = Writer(store)
            for each in sent:
                taken = await asyncio.wait_for(writer.submit(each), 20)
                assert taken is Outcome.STORED
            await asyncio.sleep(0.5)
            assert store.count_released() == 0  # the reader sees what it saw
            reader.rollback()
            while store.count_released() < 50:
                await asyncio.sleep(0.05)
            writer.close()

        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, asyncio.wait_for(report(), 60)).result()
    assert store.count() == 50
    store.close()


def test_who_reads_the_archive_keeps_a_report_from_being_deleted_and_it_is_said(postgres, design):
    store = open_store(postgres, design, by_invitation=False)
    sent = [submission() for _ in range(20)]
    store.settle(sent)
    with psycopg.connect(postgres) as reader:
        reader.execute(f"SELECT * FROM confide_{design.fingerprint[:16]}.archive")
        with pytest.raises(StoreError, match="lock timeout"):
            store.withdraw(sent[0].id)
        assert store.find_records([sent[0].id]) == {sent[0].id: sent[0].record}
    assert store.withdraw(sent[0].id)
    store.close()


def test_what_comes_while_the_archive_is_built_is_kept_once(postgres, design, monkeypatch):
    stores = [open_store(postgres, design, by_invitation=True) for _ in range(4)]
    writing, releasing, deleting, inviting = stores
    tokens = [secrets.token_bytes(32) for _ in range(60)]
    redemptions = [Redemption(each, each[::-1]) for each in tokens]
    writing.invite(tokens[:50])
    writing.redeem(redemptions[:30])
    first, second = [submission() for _ in range(25)], [submission() for _ in range(30)]
    writing.write(first, [])
    built, go_on, take = threading.Event(), threading.Event(), type(releasing)._take_inbox

    def pause(store, *given):
        if store is releasing and not given:
            built.set()
            assert go_on.wait(20)
        return take(store, *given)

    monkeypatch.setattr(type(releasing), "_take_inbox", pause)
    with ThreadPoolExecutor(3) as pool:
        released = pool.submit(releasing.release)
        assert built.wait(20)
        outcomes, signed = writing.write([*second, first[0]], redemptions[25:40])
        assert (set(outcomes), set(signed)) == ({Outcome.STORED}, {True})
        deleted = pool.submit(deleting.withdraw, first[1].id)
        invited = pool.submit(inviting.invite, tokens[50:])
        time.sleep(0.2)
        assert not (deleted.done() or invited.done())  # they would be undone
        go_on.set()
        released.result()
        assert deleted.result()
        invited.result()
    assert (writing.count(), writing.count_released()) == (54, 24)
    known = writing.find_records([each.id for each in [*first, *second]])
    assert known == {each.id: each.record for each in [*first, *second]} | {first[1].id: None}
    assert writing.count_invitations() == (60, 20)
    assert writing.redeem(redemptions) == [True] * 60
    assert writing.redeem([Redemption(each, bytes(32)) for each in tokens]) == [False] * 60
    writing.release()
    assert (writing.count(), writing.count_released()) == (54, 54)
    for store in stores:
        store.close()


def test_a_release_that_fails_is_tried_again(postgres, design, monkeypatch):
    store = open_store(postgres, design, by_invitation=False)
    build, failures = type(store)._build, iter([True, True])

    def fail(store, *given):
        if next(failures, False):
            raise psycopg.OperationalError("no room is left")
        build(store, *given)

    monkeypatch.setattr(type(store), "_build", fail)
    store.write([submission() for _ in range(20)], [])
    assert store.count_released() == 0
    wait_until(store.tidy)
    assert store.count_released() == 20
    store.close()
