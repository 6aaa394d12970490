"""Reports in a SQLite file."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from os.path import samestat
from pathlib import Path
from typing import ClassVar

import apsw

from confide.design import Design
from confide.reports.sql_store import Row, SQLStore
from confide.reports.store import StoreError

SAFE_VERSION = (3, 51, 3)
"""Before it, SQLite's write-ahead log could be corrupted when it was restarted."""

_PATIENCE = 5_000  # milliseconds

_SCHEMA = """
CREATE TABLE survey (
    fingerprint TEXT PRIMARY KEY, design TEXT NOT NULL,
    is_open INTEGER NOT NULL, by_invitation INTEGER NOT NULL, invitations INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE report (id BLOB PRIMARY KEY, record BLOB) STRICT, WITHOUT ROWID;
CREATE TABLE invitation (hash BLOB PRIMARY KEY) STRICT, WITHOUT ROWID;
CREATE TABLE secret (name TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT, WITHOUT ROWID;
"""


class SQLiteStore(SQLStore):
    """A survey in one file: write-ahead log, synchronised to disk at every commit.

    Tables are kept in the order of random 128-bit keys (WITHOUT ROWID) and what is deleted is
    overwritten. One connection writes, and threads take turns at it; long readings have their own.

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
        self.path = path
        self._lock = threading.RLock()
        self._failed: str | None = None
        self._connection = self._connect()
        try:
            self._check(design, by_invitation)
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

    def _check(self, design: Design, by_invitation: bool | None) -> None:
        with self.transaction():
            if not self._rows("SELECT 1 FROM sqlite_schema WHERE name = 'survey'"):
                if by_invitation is None:
                    raise StoreError(f"{self.path.name} holds no survey.")
                self._connection.execute(_SCHEMA)
                self._connection.execute(
                    "INSERT INTO survey VALUES (?, ?, 1, ?, 0)",
                    (design.fingerprint, design.canonical_json(), int(by_invitation)),
                )
        ((held, invited),) = self._rows("SELECT fingerprint, by_invitation FROM survey")
        if held != design.fingerprint:
            raise StoreError(
                f"{self.path.name} holds another survey: its design is {held[:12]}…, this one "
                f"{design.fingerprint[:12]}…. The design of a survey cannot change once reports "
                "can come in: use the survey file it was made with, or another database."
            )
        self._check_invitations(self.path.name, bool(invited), by_invitation)

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
    def transaction(self) -> Iterator[None]:
        with self._guard():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._check_in_place()

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

    def _rows(self, sql: str, values: Sequence[str | bytes] = ()) -> list[Row]:
        with self._guard():
            return list(self._connection.execute(sql, values))

    def find_records(self, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        sql = "SELECT id, record FROM report WHERE id = ?"
        with self._guard():
            return dict(self._connection.executemany(sql, [(each,) for each in ids]))

    def find_unused(self, invitations: Sequence[bytes]) -> set[bytes]:
        sql = "SELECT hash FROM invitation WHERE hash = ?"
        with self._guard():
            rows = self._connection.executemany(sql, [(each,) for each in invitations])
            return {row[0] for row in rows}

    def insert_reports(self, reports: Iterable[tuple[bytes, bytes | None]]) -> None:
        self._connection.executemany("INSERT INTO report VALUES (?, ?)", reports)

    def delete_invitations(self, invitations: Iterable[bytes]) -> None:
        rows = ((each,) for each in invitations)
        self._connection.executemany("DELETE FROM invitation WHERE hash = ?", rows)

    def invite(self, invitations: Iterable[bytes]) -> None:
        rows = [(each,) for each in sorted(invitations)]
        with self.transaction():
            self._connection.executemany("INSERT INTO invitation VALUES (?)", rows)
            sql = "UPDATE survey SET invitations = invitations + ?"
            self._connection.execute(sql, (len(rows),))

    def set_open(self, is_open: bool) -> None:
        with self.transaction():
            self._connection.execute("UPDATE survey SET is_open = ?", (int(is_open),))
        if not is_open:
            self._rows("VACUUM")
        self.tidy()

    def set_secret(self, name: str, value: bytes) -> None:
        with self.transaction():
            self._connection.execute("INSERT OR REPLACE INTO secret VALUES (?, ?)", (name, value))

    def tidy(self) -> None:
        with self._guard():
            self._connection.set_busy_timeout(0)
            try:
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
            except apsw.BusyError:
                pass  # someone is reading: the next time
            finally:
                self._connection.set_busy_timeout(_PATIENCE)

    def _write_copy(self, path: Path) -> None:
        with self._guard():
            self._connection.execute("VACUUM INTO ?", (str(path),))

    def close(self) -> None:
        with self._lock:
            self._connection.close()


def _reason(error: Exception) -> str:
    return str(error).split(": ", 1)[-1] or type(error).__name__
