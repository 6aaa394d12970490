"""Reports in a PostgreSQL database, which several processes and machines can share."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Mapping, Sequence

from confide.design import Design
from confide.reports.postgres_rewriting import (
    NO_STATISTICS,
    PostgresRewriting,
    keep_no_statistics,
)
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
_RELEASED = "CREATE TABLE released (day TEXT PRIMARY KEY, reports BIGINT NOT NULL)"

_PATIENCE = 2  # between two releases pass so many times what one takes


class PostgresStore(PostgresRewriting):
    """A survey in a schema of its own, named by the design's fingerprint.

    Writing only fills the inbox. What is released is built beside it, over another connection.

    Parameters
    ----------
    url : str
        ``postgresql://user@host/database``.
    design : Design
        The design of the survey.
    by_invitation : bool, optional
        Makes the schema if it does not exist.
    """

    def __init__(self, url: str, design: Design, *, by_invitation: bool | None = None) -> None:
        super().__init__(url, design)
        self._is_batch_waiting = False
        self._next_release = 0.0
        self._releasing: threading.Thread | None = None
        self._beside: PostgresStore | None = None
        try:
            self._prepare(by_invitation)
        except StoreError:
            self.close()
            raise

    def _prepare(self, by_invitation: bool | None) -> None:
        """Make the schema if it is wanted and not there; bring an older one up to date."""
        with self._guard(), self._connection.transaction():
            connection = self._connection
            # two processes may start at once
            connection.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", (self._schema,))
            if self._rows("SELECT 1 FROM pg_namespace WHERE nspname = %s", (self._schema,)):
                ((invited,),) = self._rows("SELECT by_invitation FROM survey")
                self._check_invitations("this survey", bool(invited), by_invitation)
                if self._upgrade("the database"):
                    self._put_in_place()
                    connection.execute("DROP TABLE IF EXISTS report")
                self._keep_no_statistics()
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
            self._by_invitation = by_invitation
            self._start_state()
            self._keep_no_statistics()

    def _keep_no_statistics(self) -> None:
        """See to it that PostgreSQL keeps no examples of what a table held, if it does yet."""
        sql = (
            "SELECT 1 FROM pg_attribute "
            "WHERE attrelid = %s::regclass AND attnum > 0 AND attstattarget = 0"
        )
        if not self._rows(sql, ("secret",)):
            for table in NO_STATISTICS:
                for statement in keep_no_statistics(table, table):
                    self._connection.execute(statement.encode())

    def _has_table(self, name: str) -> bool:
        sql = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = %s"
        return bool(self._rows(sql, (self._schema, name)))

    def _make_batch_tables(self) -> None:
        self._connection.execute(_BATCHES)
        self._make_new_tables()

    def _make_redemption_table(self) -> None:
        self._connection.execute(_REDEMPTION)

    def _make_days_table(self) -> None:
        self._connection.execute(_RELEASED)

    def _find_invitations(self, invitations: Sequence[bytes]) -> set[bytes]:
        sql = "SELECT hash FROM invitation WHERE hash = ANY(%s)"
        return {row[0] for row in self._rows(sql, (list(invitations),))}

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
        with self._guard(), self._alone(), self.transaction():
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

    def _take_out(self) -> None:
        """Let the batch wait until it is tidied."""
        self._is_batch_waiting = True

    def tidy(self) -> bool:
        is_free = self._releasing is None or not self._releasing.is_alive()
        if is_free and self._is_batch_waiting and time.monotonic() >= self._next_release:
            self._is_batch_waiting = is_free = False
            self._releasing = threading.Thread(target=self._release_beside, daemon=True)
            self._releasing.start()
        return is_free and not self._is_batch_waiting

    def _release_beside(self) -> None:
        """Release what is complete as another process would; try again later if it cannot be."""
        start = time.monotonic()
        try:
            if self._beside is None:
                self._beside = PostgresStore(self._url, self.design)
                self._beside._recent = self._recent  # it is the same process
            self._beside.release()
        except StoreError:
            self._is_batch_waiting = True
        now = time.monotonic()
        self._next_release = now + _PATIENCE * (now - start)

    def close(self) -> None:
        if self._releasing is not None:
            self._releasing.join()
        if self._beside is not None:
            self._beside.close()
        super().close()
