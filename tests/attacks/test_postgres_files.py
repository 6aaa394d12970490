"""Attacks on the files of PostgreSQL, which keeps more than it is asked to."""

import random
import secrets
import struct

import pytest
from support.thief import Thief

import confide as cf
from confide.reports import postgres_rewriting
from confide.reports.invitation_store import Redemption
from confide.reports.store import StoreError, open_store
from confide.reports.submissions import Submission

DESIGN = cf.Design([cf.Choice("long", [f"option {i}" for i in range(300)])], title="Attacked")
PAGE = 8192


def sample(n):
    return [Submission(secrets.token_bytes(16), secrets.token_bytes(2) + b"c") for _ in range(n)]


def analyze(thief: Thief):
    """Do what PostgreSQL does of itself once a minute: look at examples of all columns."""
    with thief.connect() as connection:
        connection.execute("ANALYZE")


@pytest.mark.slow
@pytest.mark.parametrize("twin", [False, True], ids=["as it is", "with statistics"])
def test_what_postgresql_notes_for_planning_keeps_nothing_that_is_deleted(
    postgres_thief, monkeypatch, twin
):
    """PostgreSQL keeps up to a hundred values of each column, and of those of a dropped table."""
    if twin:
        monkeypatch.setattr(postgres_rewriting, "NO_STATISTICS", dict.fromkeys(NAMES, ()))
        monkeypatch.setattr("confide.reports.postgres.NO_STATISTICS", {})
    store = open_store(postgres_thief.url, DESIGN, by_invitation=True)
    tokens, sent = [secrets.token_bytes(32) for _ in range(120)], sample(2_000)
    store.invite(tokens)
    store.redeem([Redemption(each, each[::-1]) for each in tokens[:60]])
    store.settle(sent)
    analyze(postgres_thief)
    deleted = sent[:8]
    assert all(store.withdraw(each.id) for each in deleted)
    analyze(postgres_thief)
    store.set_open(False)
    store.close()
    copy = postgres_thief.copy()
    found = sum(each.id + b"\1" + each.record in copy for each in deleted)
    found += sum(each in copy for each in tokens[:60])
    assert (found > 0) == twin
    assert all(each in copy for each in tokens[60:])  # the thief looks in the right place


NAMES = tuple(postgres_rewriting.NO_STATISTICS)


@pytest.mark.slow
@pytest.mark.parametrize("twin", [False, True], ids=["as it is", "overwritten"])
def test_a_table_of_postgresql_is_the_same_whatever_the_order_was(
    postgres_thief, monkeypatch, twin
):
    """But for the numbers of transactions not a byte of it depends on who came first.

    And no id is anywhere else: so the order of released reports is in no file at all.
    """
    if twin:
        monkeypatch.setattr("confide.reports.postgres.PostgresStore._write_buckets", overwrite)
    sent, held = sample(300), []
    for _ in range(2):
        with postgres_thief.connect() as connection:
            connection.execute(f"DROP SCHEMA IF EXISTS confide_{DESIGN.fingerprint[:16]} CASCADE")
        store = open_store(postgres_thief.url, DESIGN, by_invitation=False)
        with store.transaction():  # one key, so that tables can be compared
            store._execute("UPDATE state SET hash_key = ?", (bytes(range(32)),))
        for start in range(0, 300, 20):
            store.settle(sent[start : start + 20])
            if start in (100, 200):
                analyze(postgres_thief)
        copy = postgres_thief.copy()
        ((file,),) = store._rows("SELECT pg_relation_filepath('archive')")
        store.close()
        held.append(forget_transactions((postgres_thief.folder / file.split("/")[-1]).read_bytes()))
        if not twin:
            assert all(copy.count(each.id) == held[-1].count(each.id) == 1 for each in sent)
        sent = random.Random(3).sample(sent, 300)
    assert (held[0] == held[1]) != twin


@pytest.mark.slow
@pytest.mark.parametrize("twin", [False, True], ids=["as it is", "in one transaction"])
def test_a_crash_while_the_archive_is_built_leaves_no_file_behind(
    postgres_thief, server, monkeypatch, twin
):
    """PostgreSQL never deletes the file of a table whose transaction it crashed in."""
    store = open_store(postgres_thief.url, DESIGN, by_invitation=False)
    kind, sent = type(store), sample(40)
    take, fill = kind._take_inbox, kind._build
    store.write(sent, [])

    def crash(store, *given):
        if given:  # at the beginning of a transaction, and not when all is built
            return take(store, *given)
        postgres_thief.copy()
        server.stop("immediate")
        server.start("fsync=off")
        return take(store)

    def make_and_fill(store, *given):
        store._make_new_tables()
        fill(store, *given)

    with monkeypatch.context() as patched, pytest.raises(StoreError):
        patched.setattr(kind, "_take_inbox", crash)
        if twin:
            patched.setattr(kind, "_build", make_and_fill)
        store.release()
    store.release()
    assert store.count_released() == 40
    assert store.withdraw(sent[0].id)
    store.close()
    assert (sent[0].id + b"\1" + sent[0].record in postgres_thief.copy()) == twin


def overwrite(store, buckets):
    """What a database would do that overwrites rows as everyone does."""
    for number, packed in buckets.items():
        sql = "UPDATE archive SET reports = %s WHERE number = %s"
        store._connection.execute(sql, (packed, number))


def forget_transactions(table):
    """A table's file without the numbers of transactions, which all of its rows share.

    A page begins with its place in the log and a checksum; a row with the transactions that made
    and deleted it, and in its 21st and 22nd byte notes whether those are known to have ended.
    """
    pages = []
    for start in range(0, len(table), PAGE):
        page = bytearray(table[start : start + PAGE])
        (lower,) = struct.unpack("<H", page[12:14])
        for pointer in range(24, lower, 4):
            (row,) = struct.unpack("<I", page[pointer : pointer + 4])
            row &= 0x7FFF
            page[row : row + 12], page[row + 20 : row + 22] = bytes(12), bytes(2)
        page[:10], page[20:24] = bytes(10), bytes(4)
        pages.append(bytes(page))
    return b"".join(pages)
