"""Reports in a SQLite file."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from os.path import samestat
from pathlib import Path
from typing import ClassVar

import apsw

from confide.design import Design
from confide.reports.sql_archive import ROOM
from confide.reports.sql_store import SQLStore
from confide.reports.sql_tables import Found, Row, Value
from confide.reports.store import StoreError

SAFE_VERSION = (3, 51, 3)
"""Before it, SQLite's write-ahead log could be corrupted when it was restarted."""

_PATIENCE = 5_000  # milliseconds

_SCHEMA = """
CREATE TABLE survey (
    fingerprint TEXT PRIMARY KEY, design TEXT NOT NULL,
    is_open INTEGER NOT NULL, by_invitation INTEGER NOT NULL, invitations INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE invitation (hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
"""
_BATCHES = """
CREATE TABLE state (
    version INTEGER NOT NULL, hash_key BLOB NOT NULL, buckets INTEGER NOT NULL,
    archived INTEGER NOT NULL, withdrawn INTEGER NOT NULL, reopened INTEGER NOT NULL
) STRICT;
CREATE TABLE inbox (
    only INTEGER PRIMARY KEY, reports BLOB NOT NULL, spent BLOB NOT NULL
) STRICT;
CREATE TABLE archive (number INTEGER PRIMARY KEY, reports BLOB NOT NULL) STRICT;
"""
_REDEMPTION = """
CREATE TABLE redemption (hash BLOB PRIMARY KEY, blinded BLOB NOT NULL) STRICT, WITHOUT ROWID;
"""
_RELEASED = """
CREATE TABLE released (day TEXT PRIMARY KEY, reports INTEGER NOT NULL) STRICT, WITHOUT ROWID;
"""


class SQLiteStore(SQLStore):
    """A survey in one file: write-ahead log, synchronised to disk at every commit.

    Buckets all have the same length, so that SQLite overwrites them where they are; the rest of a
    bucket is zeros. What is deleted is overwritten, and the log is emptied soon after each
    transaction. One connection writes, and threads take turns at it; long readings have their own.

    Parameters
    ----------
    path : Path
        The file.
    design : Design
        The design the file must hold.
    by_invitation : bool, optional
        Makes the file if it does not exist.
    """

    placeholder: ClassVar[str] = "?"

    def __init__(self, path: Path, design: Design, *, by_invitation: bool | None = None) -> None:
        version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
        if version < SAFE_VERSION:
            raise StoreError(
                f"SQLite {apsw.sqlite_lib_version()} can corrupt its write-ahead log. Install a "
                "newer apsw: pip install -U apsw."
            )
        if by_invitation is None and not path.exists():
            raise StoreError(f"there is no database {path.name}.")
        super().__init__(design)
        self.path = path
        self._lock = threading.RLock()
        self._failed: str | None = None
        self._connection = self._connect()
        try:
            self._prepare(by_invitation)
        except StoreError:
            self.close()
            raise

    def _connect(self) -> apsw.Connection:
        try:
            self.path.touch(mode=0o600)  # for nobody else's eyes
            connection = apsw.Connection(str(self.path))
            connection.set_busy_timeout(_PATIENCE)
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            self._file = self.path.stat()
            return connection
        except (apsw.Error, OSError) as error:
            raise StoreError(f"cannot open {self.path.name}: {_reason(error)}.") from None

    def _prepare(self, by_invitation: bool | None) -> None:
        """Make the tables if they are wanted and not there; bring older ones up to date.

        A file that is damaged, or of another survey, is refused.
        """
        design = self.design
        with self._setting_up():
            for (problem,) in self._rows("PRAGMA quick_check(1)"):
                if problem != "ok":
                    raise StoreError(
                        f"{self.path.name} is damaged: {problem.splitlines()[-1]}. Restore a "
                        "backup: confide restore."
                    )
            if not self._has_table("survey"):
                if by_invitation is None:
                    raise StoreError(f"{self.path.name} holds no survey.")
                self._connection.execute(_SCHEMA)
                self._connection.execute(
                    "INSERT INTO survey VALUES (?, ?, 1, ?, 0)",
                    (design.fingerprint, design.canonical_json(), int(by_invitation)),
                )
                self._start_state()
        ((held, invited),) = self._rows("SELECT fingerprint, by_invitation FROM survey")
        if held != design.fingerprint:
            raise StoreError(
                f"{self.path.name} holds another survey: its design is {held[:12]}…, this one "
                f"{design.fingerprint[:12]}…. The design of a survey cannot change once reports "
                "can come in: use the survey file it was made with, or another database."
            )
        self._check_invitations(self.path.name, bool(invited), by_invitation)
        with self._setting_up():
            if upgraded := self._upgrade(self.path.name):
                self._connection.execute("DROP TABLE IF EXISTS report")
        if upgraded:
            self._rows("VACUUM")  # so that nothing is left of the order of the old table
            self.tidy()
        self._check_whole(self.path.name)

    def _has_table(self, name: str) -> bool:
        return bool(self._rows("SELECT 1 FROM sqlite_schema WHERE name = ?", (name,)))

    def _make_batch_tables(self) -> None:
        self._connection.execute(_BATCHES)

    def _make_redemption_table(self) -> None:
        self._connection.execute(_REDEMPTION)

    def _make_days_table(self) -> None:
        self._connection.execute(_RELEASED)

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Let one thread in at a time, and turn the database's errors into `StoreError`."""
        with self._lock:
            if self._failed:
                raise StoreError(self._failed)
            try:
                yield
            except apsw.Error as error:
                # only errors that SQLite itself raised have the attribute
                if getattr(error, "extendedresult", 0) == apsw.SQLITE_IOERR_FSYNC:
                    # what the disk holds is unknown now, and a later success would not tell
                    self._failed = "the disk failed to synchronise. Check it, then restart."
                    raise StoreError(self._failed) from None
                raise StoreError(f"{self.path.name}: {_reason(error)}.") from None

    @contextmanager
    def _setting_up(self) -> Iterator[None]:
        """Begin and end a transaction over tables that may not be there yet."""
        with self._guard():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._commit(None)
            except BaseException:
                self._rollback()
                raise

    def _begin(self) -> Found:
        self._connection.execute("BEGIN IMMEDIATE")
        sql = "SELECT is_open, hash_key, buckets, reports, spent FROM survey, state, inbox"
        ((is_open, *found),) = self._connection.execute(sql)
        return bool(is_open), *found

    def _commit(self, inbox: tuple[bytes, bytes] | None) -> None:
        if inbox is not None:
            self._write_inbox(*inbox)
        self._connection.execute("COMMIT")
        self._check_in_place()

    def _rollback(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    def _check_in_place(self) -> None:
        """Refuse to acknowledge what was written unless the file is in its place afterwards.

        A file that was moved away or deleted goes on taking reports, and nobody would find them.
        """
        try:
            there = samestat(self.path.stat(), self._file)
        except OSError:
            there = False
        if not there:
            raise StoreError(f"{self.path.name} was moved or deleted. Put it back, or restart.")

    def _read(self, sql: str) -> list[Row]:
        try:
            connection = apsw.Connection(str(self.path), flags=apsw.SQLITE_OPEN_READWRITE)
            try:
                connection.set_busy_timeout(_PATIENCE)
                return list(connection.execute(sql))
            finally:
                connection.close()
        except apsw.Error as error:
            raise StoreError(f"{self.path.name}: {_reason(error)}.") from None

    def _rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        with self._guard():
            return list(self._connection.execute(sql, values))

    def _read_inbox(self) -> tuple[bytes, bytes]:
        ((reports, spent),) = self._rows("SELECT reports, spent FROM inbox")
        return reports, spent

    def _write_inbox(self, reports: bytes, redeemed: bytes) -> None:
        values = (reports, redeemed)
        self._connection.execute("INSERT OR REPLACE INTO inbox VALUES (1, ?, ?)", values)

    def _read_buckets(self, numbers: Sequence[int]) -> dict[int, bytes]:
        sql = "SELECT number, reports FROM archive WHERE number = ?"
        return dict(self._connection.executemany(sql, [(each,) for each in numbers]))

    def _write_buckets(self, buckets: Mapping[int, bytes]) -> None:
        rows = [(self._fill(packed), number) for number, packed in sorted(buckets.items())]
        self._connection.executemany("UPDATE archive SET reports = ? WHERE number = ?", rows)

    def _write_archive(self, buckets: Sequence[bytes]) -> None:
        self._connection.execute("DELETE FROM archive")
        rows = ((number, self._fill(packed)) for number, packed in enumerate(buckets))
        self._connection.executemany("INSERT INTO archive VALUES (?, ?)", rows)

    def _fill(self, packed: bytes) -> bytes:
        return packed.ljust(ROOM * self._packing.room, b"\0")

    def _find_invitations(self, invitations: Sequence[bytes]) -> set[bytes]:
        sql = "SELECT hash FROM invitation WHERE hash = ?"
        rows = self._connection.executemany(sql, [(each,) for each in invitations])
        return {row[0] for row in rows}

    def _delete_invitations(self, invitations: Sequence[bytes]) -> None:
        rows = [(each,) for each in invitations]
        self._connection.executemany("DELETE FROM invitation WHERE hash = ?", rows)

    def _find_kept_redeemed(self, invitations: Sequence[bytes]) -> dict[bytes, bytes]:
        sql = "SELECT hash, blinded FROM redemption WHERE hash = ?"
        return dict(self._connection.executemany(sql, [(each,) for each in invitations]))

    def _keep_redeemed(self, redeemed: Mapping[bytes, bytes]) -> None:
        self._connection.executemany("INSERT INTO redemption VALUES (?, ?)", redeemed.items())

    def _forget_redeemed(self) -> None:
        self._connection.execute("DELETE FROM redemption")

    def invite(self, invitations: Iterable[bytes]) -> None:
        rows = [(each,) for each in sorted(invitations)]
        with self.transaction():
            self._connection.executemany("INSERT INTO invitation VALUES (?)", rows)
            sql = "UPDATE survey SET invitations = invitations + ?"
            self._connection.execute(sql, (len(rows),))

    def set_secret(self, name: str, value: bytes) -> None:
        with self.transaction():
            self._connection.execute("INSERT OR REPLACE INTO secret VALUES (?, ?)", (name, value))

    def add_secret(self, name: str, value: bytes) -> bytes:
        with self.transaction():
            self._connection.execute("INSERT OR IGNORE INTO secret VALUES (?, ?)", (name, value))
            return self.read_secret(name) or value

    def tidy(self) -> bool:
        with self._guard():
            self._connection.set_busy_timeout(0)
            try:
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                return False  # someone is reading
            finally:
                self._connection.set_busy_timeout(_PATIENCE)
            return True

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def _reason(error: Exception) -> str:
    return str(error).split(": ", 1)[-1] or type(error).__name__
