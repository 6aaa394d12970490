"""What the stores in SQLite and in PostgreSQL share: the questions that both answer in one SQL."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from confide.reports.store import Store, StoreError

Row = tuple[Any, ...]
"""A row as a database gives it."""


class SQLStore(Store):
    """A store whose tables are ``survey``, ``report``, ``invitation`` and ``secret``."""

    placeholder: ClassVar[str]
    """What stands for a value in a statement."""
    _by_invitation: bool

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[str | bytes] = ()) -> list[Row]:
        """Run a statement over the connection that writes, and return its rows."""

    @abstractmethod
    def _read(self, sql: str) -> list[Row]:
        """Read over a connection of its own, so that the writer does not wait."""

    @abstractmethod
    def _write_copy(self, path: Path) -> None:
        """Write a consistent copy to a SQLite file that does not exist yet."""

    def _check_invitations(self, where: str, held: bool, wanted: bool | None) -> None:
        """Refuse a database that was made with invitations where none are wanted, or without."""
        if wanted is not None and held != wanted:
            raise StoreError(
                f"{where} was made {'with' if held else 'without'} invitations, and that cannot "
                "change. Use another database."
            )
        self._by_invitation = held

    @property
    def by_invitation(self) -> bool:
        return self._by_invitation

    def is_open(self) -> bool:
        ((is_open,),) = self._rows("SELECT is_open FROM survey")
        return bool(is_open)

    def withdraw(self, report_id: bytes) -> bool:
        sql = (
            f"UPDATE report SET record = NULL WHERE id = {self.placeholder} "
            "AND record IS NOT NULL RETURNING 1"
        )
        with self.transaction():
            return bool(self._rows(sql, (report_id,)))

    def count(self) -> int:
        ((n,),) = self._read("SELECT count(*) FROM report WHERE record IS NOT NULL")
        return int(n)

    def read_records(self) -> list[bytes]:
        sql = "SELECT record FROM report WHERE record IS NOT NULL ORDER BY id"
        return [record for (record,) in self._read(sql)]

    def count_patterns(self) -> list[tuple[bytes, int]]:
        sql = "SELECT record, count(*) FROM report WHERE record IS NOT NULL GROUP BY record"
        return [(record, n) for record, n in self._read(sql)]

    def count_invitations(self) -> tuple[int, int]:
        sql = "SELECT invitations, (SELECT count(*) FROM invitation) FROM survey"
        ((made, unused),) = self._read(sql)
        return made, unused

    def read_secret(self, name: str) -> bytes | None:
        rows = self._rows(f"SELECT value FROM secret WHERE name = {self.placeholder}", (name,))
        return rows[0][0] if rows else None

    def backup(self, path: Path) -> None:
        if path.exists():
            raise StoreError(f"{path.name} exists already. Choose another name for the copy.")
        self._write_copy(path)
