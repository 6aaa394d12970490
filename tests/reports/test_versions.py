"""Databases of earlier versions are brought up to date, newer and damaged ones refused."""

import secrets

import apsw
import pytest

import confide as cf
from confide.reports.invitation_store import Redemption
from confide.reports.report_store import EARLIER
from confide.reports.store import StoreError, open_store
from confide.reports.submissions import Submission

FIRST = """
CREATE TABLE survey (
    fingerprint TEXT PRIMARY KEY, design TEXT NOT NULL,
    is_open INTEGER NOT NULL, by_invitation INTEGER NOT NULL, invitations INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE report (id BLOB PRIMARY KEY, record BLOB) STRICT, WITHOUT ROWID;
CREATE TABLE invitation (hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
"""
FIRST_IN_POSTGRES = """
CREATE TABLE survey (
    fingerprint TEXT PRIMARY KEY, design TEXT NOT NULL,
    is_open BOOLEAN NOT NULL, by_invitation BOOLEAN NOT NULL, invitations BIGINT NOT NULL
);
CREATE TABLE report (id BYTEA PRIMARY KEY, record BYTEA);
CREATE TABLE invitation (hash BYTEA PRIMARY KEY);
CREATE TABLE secret (name TEXT PRIMARY KEY, value BYTEA NOT NULL);
"""
UNUSED = bytes(range(32))


@pytest.fixture
def design():
    return cf.Design([cf.YesNo("cheated")], title=secrets.token_hex(8))


def write_first_version(url, design, reports):
    """A database as confide wrote it before there were batches."""
    survey = (design.fingerprint, design.canonical_json(), True, True, 3)
    tables = [("survey", survey), ("invitation", (UNUSED,)), ("secret", ("password", b"hash"))]
    tables += [("report", row) for row in reports.items()]
    if url.startswith("sqlite"):
        connection = apsw.Connection(url.removeprefix("sqlite:///"))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(FIRST)
        mark = "?"
    else:
        import psycopg

        connection = psycopg.connect(url, autocommit=True)
        schema = f"confide_{design.fingerprint[:16]}"
        connection.execute(f"CREATE SCHEMA {schema}; SET search_path TO {schema}")
        connection.execute(FIRST_IN_POSTGRES)
        mark = "%s"
    for table, row in tables:
        marks = ", ".join([mark] * len(row))
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", row)
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("n", [0, 3, 250])
def test_a_database_of_the_first_version_keeps_all_it_held(url, design, n):
    reports = {secrets.token_bytes(16): bytes([i % 2]) + b"c" for i in range(n)}
    reports |= {secrets.token_bytes(16): None for _ in range(2)}
    write_first_version(url, design, reports)
    for _ in range(2):  # the second time there is nothing to do
        store = open_store(url, design, by_invitation=True)
        assert store.find_records(list(reports)) == reports
        assert store.count() == n
        assert store.count_released() == (n if n >= 20 else 0)
        assert store.count_days() == ({EARLIER: n} if n >= 20 else {})
        assert store.count_invitations() == (3, 1)
        assert store.find_unused([UNUSED]) == {UNUSED}
        assert store.read_secret("password") == b"hash"
        assert store.redeem([Redemption(bytes(32), bytes(32))]) == [False]
        assert not store._has_table("report")
        store.close()


def write_second_version(url, design, reports, unused, used):
    """A database as confide wrote it when a report came with its invitation."""
    store = open_store(url, design, by_invitation=True)
    store.invite([*unused, *used])
    store.settle([Submission(*report) for report in reports.items()])
    with store.transaction():
        waiting, _ = store._read_inbox()
        store._write_inbox(waiting, b"".join(sorted(used)))
        store._execute("UPDATE state SET version = 2")
    store.close()
    drop_tables(url, design, "redemption", "released")


def drop_tables(url, design, *tables):
    """Drop what an earlier version did not have."""
    if url.startswith("sqlite"):
        connection, schema = apsw.Connection(url.removeprefix("sqlite:///")), "main"
    else:
        import psycopg

        connection = psycopg.connect(url, autocommit=True)
        schema = f"confide_{design.fingerprint[:16]}"
    for table in tables:
        connection.execute(f"DROP TABLE {schema}.{table}")
    connection.close()


@pytest.mark.parametrize("n", [3, 45])
def test_a_database_of_the_second_version_keeps_all_it_held(url, design, n):
    """An invitation that came with a report stays used, and is redeemed for nobody."""
    reports = {secrets.token_bytes(16): bytes([i % 2]) + b"c" for i in range(n)}
    unused, used = ([secrets.token_bytes(32) for _ in range(5)] for _ in range(2))
    write_second_version(url, design, reports, unused, used)
    for turn in range(2):  # the second time there is nothing to do
        store = open_store(url, design, by_invitation=True)
        assert store.find_records(list(reports)) == reports
        assert store.count_invitations() == (10, 5 - turn)
        assert store.find_unused([*unused, *used]) == set(unused[turn:])
        asked = [Redemption(each, bytes(32)) for each in (unused[turn], *used)]
        assert store.redeem(asked) == [True] + [False] * 5
        assert store.count_days() == ({EARLIER: n} if n >= 20 else {})
        store.close()


def test_a_database_of_the_third_version_does_not_know_its_days(url, design):
    """What was released before is told apart from what is released now."""
    store = open_store(url, design, by_invitation=False)
    sent = [Submission(secrets.token_bytes(16), b"\1c") for _ in range(63)]
    store.settle(sent[:42])
    assert store.withdraw(sent[0].id)
    store.settle(sent[42:43])
    with store.transaction():
        store._execute("UPDATE state SET version = 3")
    store.close()
    drop_tables(url, design, "released")
    for _ in range(2):  # the second time there is nothing to do
        store = open_store(url, design)
        assert store.count_days() == {EARLIER: 41}
        assert (store.count(), store.count_released()) == (42, 41)
        store.close()
    store = open_store(url, design)
    store.settle(sent[43:])
    assert list(store.count_days().values()) == [41, 21]
    store.close()


def test_a_damaged_record_of_the_first_version_stays_damaged(url, design):
    write_first_version(url, design, {secrets.token_bytes(16): b"too long" for _ in range(20)})
    store = open_store(url, design)
    assert store.read_records() == [b"\xff\xff"] * 20
    store.close()


def test_a_newer_database_is_refused_in_one_line(url, design):
    store = open_store(url, design, by_invitation=False)
    with store.transaction():
        store._execute("UPDATE state SET version = 9")
    store.close()
    with pytest.raises(StoreError, match="newer confide: its tables have version 9") as refused:
        open_store(url, design)
    assert "\n" not in str(refused.value)


def test_a_database_with_parts_missing_is_refused(url, design):
    store = open_store(url, design, by_invitation=False)
    store.settle([Submission(secrets.token_bytes(16), b"\1c") for _ in range(100)])
    with store.transaction():
        store._execute("DELETE FROM archive WHERE number = 1")
    store.close()
    with pytest.raises(StoreError, match="1 of 4 parts of its reports are missing"):
        open_store(url, design)


def test_a_file_with_a_torn_page_is_refused(tmp_path, design):
    file = tmp_path / "s.db"
    store = open_store(f"sqlite:///{file}", design, by_invitation=False)
    store.settle([Submission(secrets.token_bytes(16), b"\1c") for _ in range(500)])
    store.close()
    held = bytearray(file.read_bytes())
    held[-4096:] = secrets.token_bytes(4096)
    file.write_bytes(held)
    with pytest.raises(StoreError, match=r"s.db.*(damaged|malformed)"):
        open_store(f"sqlite:///{file}", design)
