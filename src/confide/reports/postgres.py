"""Reports in a PostgreSQL database, which several processes and machines can share."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict

from confide.design import Design
from confide.reports.sql_store import Row, SQLStore
from confide.reports.store import StoreError
from confide.reports.submissions import Outcome, Submission

_ATTEMPTS = 5

_SCHEMA = """
CREATE TABLE survey (
    fingerprint TEXT PRIMARY KEY, design TEXT NOT NULL,
    is_open BOOLEAN NOT NULL, by_invitation BOOLEAN NOT NULL, invitations BIGINT NOT NULL
);
CREATE TABLE report (id BYTEA PRIMARY KEY, record BYTEA);
CREATE TABLE invitation (hash BYTEA PRIMARY KEY);
CREATE TABLE secret (name TEXT PRIMARY KEY, value BYTEA NOT NULL);
"""

_REWRITE = """
LOCK TABLE report;
CREATE TABLE rewritten (LIKE report INCLUDING ALL);
INSERT INTO rewritten SELECT * FROM report ORDER BY id;
DROP TABLE report;
ALTER TABLE rewritten RENAME TO report;
"""


class PostgresStore(SQLStore):
    """A survey in a schema of its own, named by the design's fingerprint.

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
        self._url = _check_address(url)
        self._design = design
        self._schema = f"confide_{design.fingerprint[:16]}"
        self._lock = threading.RLock()
        self._open_connection: psycopg.Connection[Row] | None = None
        try:
            self._check(by_invitation)
        except StoreError:
            self.close()
            raise

    def _check(self, by_invitation: bool | None) -> None:
        with self.transaction() as connection:
            # two processes may start at once
            connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (self._schema,))
            if self._rows("SELECT 1 FROM pg_namespace WHERE nspname = %s", (self._schema,)):
                ((invited,),) = self._rows("SELECT by_invitation FROM survey")
                self._check_invitations("this survey", bool(invited), by_invitation)
                return
            if by_invitation is None:
                raise StoreError(
                    "the database holds no reports of this design "
                    f"({self._design.fingerprint[:12]}…). Use the survey file they were made with."
                )
            connection.execute(f"CREATE SCHEMA {self._schema}".encode())
            connection.execute(_SCHEMA)
            values = (self._design.fingerprint, self._design.canonical_json(), by_invitation)
            connection.execute("INSERT INTO survey VALUES (%s, %s, true, %s, 0)", values)
            self._by_invitation = by_invitation

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
            except errors.UniqueViolation:
                raise  # another process was faster
            except psycopg.Error as error:
                if self._open_connection is not None:
                    self._open_connection.close()
                    self._open_connection = None
                raise StoreError(f"PostgreSQL: {_reason(error)}") from None

    @contextmanager
    def transaction(self) -> Iterator[psycopg.Connection[Row]]:
        with self._guard(), self._connection.transaction():
            yield self._connection

    def settle(self, batch: Sequence[Submission]) -> list[Outcome]:
        for _ in range(_ATTEMPTS):
            try:
                return super().settle(batch)
            except errors.UniqueViolation:
                continue  # another process stored one of these ids meanwhile: look again
        raise StoreError("PostgreSQL: other processes keep writing the same reports.")

    def _rows(self, sql: str, values: Sequence[object] = ()) -> list[Row]:
        with self._guard():
            return self._connection.execute(sql.encode(), values, binary=True).fetchall()

    def find_records(self, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        return dict(self._rows("SELECT id, record FROM report WHERE id = ANY(%s)", (list(ids),)))

    def find_unused(self, invitations: Sequence[bytes]) -> set[bytes]:
        # in one order everywhere, so that no two processes wait for each other
        sql = "SELECT hash FROM invitation WHERE hash = ANY(%s) ORDER BY hash FOR UPDATE"
        return {row[0] for row in self._rows(sql, (list(invitations),))}

    def insert_reports(self, reports: Iterable[tuple[bytes, bytes | None]]) -> None:
        if rows := list(reports):
            ids, records = map(list, zip(*rows, strict=True))
            sql = "INSERT INTO report SELECT * FROM unnest(%s::bytea[], %s::bytea[])"
            self._connection.execute(sql, (ids, records))

    def delete_invitations(self, invitations: Iterable[bytes]) -> None:
        if hashes := list(invitations):
            self._connection.execute("DELETE FROM invitation WHERE hash = ANY(%s)", (hashes,))

    def invite(self, invitations: Iterable[bytes]) -> None:
        rows = sorted(invitations)
        with self.transaction() as connection:
            connection.execute("INSERT INTO invitation SELECT unnest(%s::bytea[])", (rows,))
            connection.execute("UPDATE survey SET invitations = invitations + %s", (len(rows),))

    def set_open(self, is_open: bool) -> None:
        with self.transaction() as connection:
            connection.execute("UPDATE survey SET is_open = %s", (is_open,))
            if not is_open:
                connection.execute(_REWRITE)
        self.tidy()

    def set_secret(self, name: str, value: bytes) -> None:
        sql = "INSERT INTO secret VALUES (%s, %s) ON CONFLICT (name) DO UPDATE SET value = %s"
        with self.transaction() as connection:
            connection.execute(sql, (name, value, value))

    def tidy(self) -> None:
        with self._guard():
            self._connection.execute("VACUUM invitation")

    def _write_copy(self, path: Path) -> None:
        from confide.reports.sqlite import SQLiteStore

        with self.transaction() as connection:
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            is_open = self.is_open()
            reports = self._rows("SELECT id, record FROM report")
            invitations = [row[0] for row in self._rows("SELECT hash FROM invitation")]
            secrets = self._rows("SELECT name, value FROM secret")
        copy = SQLiteStore(path, self._design, by_invitation=self.by_invitation)
        copy.invite(invitations)
        with copy.transaction():
            copy.insert_reports((report_id, record) for report_id, record in reports)
        for name, value in secrets:
            copy.set_secret(name, value)
        copy.set_open(is_open)
        copy.close()

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
