"""Reports in a PostgreSQL database, which several processes and machines can share."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import ClassVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from confide.design import Design
from confide.reports.packed_reports import join_inbox, split_inbox
from confide.reports.sql_store import SQLStore
from confide.reports.sql_tables import Row
from confide.reports.store import StoreError

_SCHEMA = """
CREATE TABLE survey (
    fingerprint TEXT PRIMARY KEY, design TEXT NOT NULL,
    is_open BOOLEAN NOT NULL, by_invitation BOOLEAN NOT NULL, invitations BIGINT NOT NULL
);
CREATE TABLE invitation (hash BYTEA PRIMARY KEY);
CREATE TABLE secret (name TEXT PRIMARY KEY, value BYTEA NOT NULL);
"""
_BATCHES = """
CREATE TABLE state (
    version BIGINT NOT NULL, hash_key BYTEA NOT NULL, buckets BIGINT NOT NULL,
    archived BIGINT NOT NULL, withdrawn BIGINT NOT NULL, reopened BIGINT NOT NULL
);
CREATE TABLE inbox (place BIGINT NOT NULL, piece VARCHAR(400) NOT NULL);
CREATE TABLE archive (number BIGINT PRIMARY KEY, reports BYTEA NOT NULL);
"""
_REDEMPTION = "CREATE TABLE redemption (hash BYTEA PRIMARY KEY, blinded BYTEA NOT NULL)"

_REPLACE = """
CREATE TABLE rewritten (LIKE archive INCLUDING ALL);
INSERT INTO rewritten SELECT number, reports FROM archive WHERE number <> ALL(%(numbers)s)
    UNION ALL SELECT * FROM unnest(%(numbers)s::bigint[], %(buckets)s::bytea[]) ORDER BY 1;
DROP TABLE archive;
ALTER TABLE rewritten RENAME TO archive;
"""

_PIECES = "(SELECT string_agg(piece, '' ORDER BY place) FROM inbox)"
# TRUNCATE takes this lock: two who hold a lesser one would wait for each other
_BEGIN = f"""
BEGIN;
LOCK TABLE inbox IN ACCESS EXCLUSIVE MODE;
SELECT is_open, hash_key, buckets, {_PIECES} FROM survey, state;
"""
_FILL_INBOX = """
TRUNCATE inbox;
INSERT INTO inbox SELECT * FROM unnest(%s::bigint[], %s::varchar[]);
"""

_PATIENCE = 10  # between two rewritings of tables pass so many times what one takes


class PostgresStore(SQLStore):
    """A survey in a schema of its own, named by the design's fingerprint.

    PostgreSQL keeps what was overwritten, and with each row the number of its transaction. So
    nothing is overwritten: a table whose rows change is written anew and the old one dropped.
    Processes that share the database take turns: each locks the inbox while it writes.

    Parameters
    ----------
    url : str
        ``postgresql://user@host/database``.
    design : Design
        The design of the survey.
    by_invitation : bool, optional
        Makes the schema if it does not exist.
    """

    placeholder: ClassVar[str] = "%s"

    def __init__(self, url: str, design: Design, *, by_invitation: bool | None = None) -> None:
        super().__init__(design)
        self._url = _check_address(url)
        self._next_release = 0.0
        self._is_batch_waiting = False
        self._has_deleted = True  # a process before this one may have
        self._schema = f"confide_{design.fingerprint[:16]}"
        self._lock = threading.RLock()
        self._open_connection: psycopg.Connection[Row] | None = None
        try:
            self._check(by_invitation)
        except StoreError:
            self.close()
            raise

    def _check(self, by_invitation: bool | None) -> None:
        with self._guard(), self._connection.transaction():
            connection = self._connection
            # two processes may start at once
            connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (self._schema,))
            if self._rows("SELECT 1 FROM pg_namespace WHERE nspname = %s", (self._schema,)):
                ((invited,),) = self._rows("SELECT by_invitation FROM survey")
                self._check_invitations("this survey", bool(invited), by_invitation)
                if self._upgrade("the database"):
                    connection.execute("DROP TABLE IF EXISTS report")
                self._check_whole("the database")
                return
            if by_invitation is None:
                raise StoreError(
                    "the database holds no reports of this design "
                    f"({self.design.fingerprint[:12]}…). Use the survey file they were made with."
                )
            connection.execute(f"CREATE SCHEMA {self._schema}".encode())
            connection.execute(_SCHEMA)
            values = (self.design.fingerprint, self.design.canonical_json(), by_invitation)
            connection.execute("INSERT INTO survey VALUES (%s, %s, true, %s, 0)", values)
            self._start_state()
            self._by_invitation = by_invitation

    def _has_table(self, name: str) -> bool:
        sql = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s"
        return bool(self._rows(sql, (self._schema, name)))

    def _make_batch_tables(self) -> None:
        self._connection.execute(_BATCHES)

    def _make_redemption_table(self) -> None:
        self._connection.execute(_REDEMPTION)

    @property
    def _connection(self) -> psycopg.Connection[Row]:
        if self._open_connection is None or self._open_connection.closed:
            self._open_connection = self._connect()
        return self._open_connection

    def _connect(self) -> psycopg.Connection[Row]:
        # a server that is told to acknowledge early would make us acknowledge falsely
        options = f"-c search_path={self._schema} -c synchronous_commit=on"
        return psycopg.connect(self._url, connect_timeout=3, autocommit=True, options=options)

    def _read(self, sql: str) -> list[Row]:
        try:
            with self._connect() as connection:
                return connection.execute(sql.encode(), binary=True).fetchall()
        except psycopg.Error as error:
            raise StoreError(f"PostgreSQL: {_reason(error)}") from None

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Let one thread in at a time, and turn the database's errors into `StoreError`."""
        with self._lock:
            try:
                yield
            except psycopg.Error as error:
                if self._open_connection is not None:
                    self._open_connection.close()
                    self._open_connection = None
                raise StoreError(f"PostgreSQL: {_reason(error)}") from None

    def _begin(self) -> tuple[bool, bytes, int, bytes, bytes]:
        ((is_open, key, buckets, pieces),) = self._run_all(_BEGIN)
        return is_open, key, buckets, *join_inbox(pieces)

    def _commit(self, inbox: tuple[bytes, bytes] | None) -> None:
        if inbox is None:
            self._run_all("COMMIT")
        else:
            self._run_all(f"{_FILL_INBOX} COMMIT", split_inbox(*inbox))

    def _rollback(self) -> None:
        # where the connection is lost the server does it
        if self._open_connection is not None and not self._open_connection.closed:
            self._open_connection.rollback()

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        with self._guard():
            return self._connection.execute(sql.encode(), values, binary=True).fetchall()

    def _run_all(
        self, statements: str, values: Sequence[object] | Mapping[str, object] = ()
    ) -> list[Row]:
        """Run several statements on one way to the server and back; return the rows of the last."""
        with psycopg.ClientCursor(self._connection) as cursor:
            cursor.execute(statements.encode(), values or None)
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []

    def _is_release_due(self) -> bool:
        self._is_batch_waiting = time.monotonic() < self._next_release
        return not self._is_batch_waiting

    def _read_inbox(self) -> tuple[bytes, bytes]:
        ((pieces,),) = self._rows(f"SELECT {_PIECES}")
        return join_inbox(pieces)

    def _write_inbox(self, reports: bytes, redeemed: bytes) -> None:
        self._run_all(_FILL_INBOX, split_inbox(reports, redeemed))

    def _read_buckets(self, numbers: Sequence[int]) -> dict[int, bytes]:
        sql = "SELECT number, reports FROM archive WHERE number = ANY(%s)"
        return dict(self._rows(sql, (list(numbers),)))

    def _write_buckets(self, buckets: Mapping[int, bytes]) -> None:
        start = time.monotonic()
        values = {"numbers": list(buckets), "buckets": list(buckets.values())}
        self._run_all(_REPLACE, values)
        now = time.monotonic()
        self._next_release = now + _PATIENCE * (now - start)

    def _write_archive(self, buckets: Sequence[bytes]) -> None:
        self._connection.execute("TRUNCATE archive")
        sql = "INSERT INTO archive SELECT * FROM unnest(%s::bigint[], %s::bytea[])"
        self._connection.execute(sql, (list(range(len(buckets))), list(buckets)))

    def _find_invitations(self, invitations: Sequence[bytes]) -> set[bytes]:
        sql = "SELECT hash FROM invitation WHERE hash = ANY(%s)"
        return {row[0] for row in self._rows(sql, (list(invitations),))}

    def _delete_invitations(self, invitations: Sequence[bytes]) -> None:
        if invitations:
            sql = "DELETE FROM invitation WHERE hash = ANY(%s)"
            self._connection.execute(sql, (list(invitations),))
            self._has_deleted = True

    def _find_kept_redeemed(self, invitations: Sequence[bytes]) -> dict[bytes, bytes]:
        sql = "SELECT hash, blinded FROM redemption WHERE hash = ANY(%s)"
        return dict(self._rows(sql, (list(invitations),)))

    def _keep_redeemed(self, redeemed: Mapping[bytes, bytes]) -> None:
        sql = "INSERT INTO redemption SELECT * FROM unnest(%s::bytea[], %s::bytea[])"
        self._connection.execute(sql, (list(redeemed), list(redeemed.values())))

    def _forget_redeemed(self) -> None:
        self._connection.execute("TRUNCATE redemption")

    def invite(self, invitations: Iterable[bytes]) -> None:
        rows = sorted(invitations)
        with self.transaction():
            sql = "INSERT INTO invitation SELECT unnest(%s::bytea[])"
            self._connection.execute(sql, (rows,))
            self._execute("UPDATE survey SET invitations = invitations + ?", (len(rows),))

    def set_secret(self, name: str, value: bytes) -> None:
        sql = "INSERT INTO secret VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = %s"
        with self.transaction():
            self._connection.execute(sql, (name, value, value))

    def add_secret(self, name: str, value: bytes) -> bytes:
        sql = "INSERT INTO secret VALUES (%s, %s) ON CONFLICT (name) DO NOTHING"
        with self.transaction():
            self._connection.execute(sql, (name, value))
            return self.read_secret(name) or value

    def tidy(self) -> bool:
        if self._is_batch_waiting and self._is_release_due():
            with self.transaction():
                self.take_in({}, {})
        if self._has_deleted:
            start = time.monotonic()
            with self._guard():
                self._connection.execute("VACUUM FULL invitation")
            self._has_deleted = False
            self._next_release += _PATIENCE * (time.monotonic() - start)
        return not self._is_batch_waiting

    def close(self) -> None:
        with self._lock:
            if self._open_connection is not None:
                self._open_connection.close()


def _check_address(url: str) -> str:
    """Give the address back; refuse one whose parts are misread: errors would show a password."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error:
        parts = {"host": "@"}
    host, port = str(parts.get("host", "")), str(parts.get("port", "0"))
    if "@" in host or not port.replace(",", "").isdigit():
        raise StoreError(
            "the address of the database cannot be read. It is postgresql://user@host/database; "
            "write @, :, / and % in a password as %40, %3A, %2F and %25."
        )
    return url


def _reason(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
