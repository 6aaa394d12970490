"""The statements in which the stores in SQLite and in PostgreSQL differ, table by table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar

Row = tuple[Any, ...]
"""A row as a database gives it."""
Value = str | bytes | int | float | None
"""What every database takes as a value of a statement."""

Found = tuple[bool, bytes, int, bytes, bytes]
"""What a transaction finds: whether the survey is open, the archive's key, the number of its
buckets, and what the inbox holds: packed reports, and what invitations were redeemed for."""


class SQLTables(ABC):
    """The tables survey, state, inbox, archive, released, invitation, redemption and secret."""

    placeholder: ClassVar[str]
    """What stands for a value in a statement."""

    @abstractmethod
    def _rows(self, sql: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run a statement over the connection that writes, and return its rows."""

    @abstractmethod
    def _read(self, sql: str) -> list[Row]:
        """Read over a connection of its own, so that the writer does not wait."""

    @abstractmethod
    def _guard(self) -> AbstractContextManager[object]:
        """Let one thread in at a time, and turn the database's errors into `StoreError`."""

    @abstractmethod
    def _begin(self) -> Found:
        """Begin a transaction, alone among all processes, and find what there is."""

    @abstractmethod
    def _commit(self, inbox: tuple[bytes, bytes] | None) -> None:
        """End a transaction, and before that overwrite the inbox, if it has changed."""

    @abstractmethod
    def _rollback(self) -> None:
        """Undo what a transaction wrote, if one has begun."""

    @abstractmethod
    def _read_inbox(self) -> tuple[bytes, bytes]:
        """Read the inbox: packed reports, and what invitations were redeemed for, packed too."""

    @abstractmethod
    def _write_inbox(self, reports: bytes, redeemed: bytes) -> None:
        """Overwrite the inbox, so that nothing is left of what it held."""

    @abstractmethod
    def _read_buckets(self, numbers: Sequence[int]) -> dict[int, bytes]:
        """Read some buckets of the archive."""

    @abstractmethod
    def _write_buckets(self, buckets: Mapping[int, bytes]) -> None:
        """Overwrite some buckets of the archive, so that nothing is left of what they held."""

    @abstractmethod
    def _write_archive(self, buckets: Sequence[bytes]) -> None:
        """Write all buckets of the archive anew."""

    @abstractmethod
    def _delete_invitations(self, invitations: Sequence[bytes]) -> None:
        """Delete invitations, within a transaction."""

    @abstractmethod
    def _keep_redeemed(self, redeemed: Mapping[bytes, bytes]) -> None:
        """Keep for good what invitations were redeemed for, within a transaction."""

    @abstractmethod
    def _forget_redeemed(self) -> None:
        """Forget what all invitations were redeemed for, within a transaction."""

    @abstractmethod
    def _has_table(self, name: str) -> bool:
        """Whether the database has a table."""

    @abstractmethod
    def _make_batch_tables(self) -> None:
        """Make the tables state, inbox and archive."""

    @abstractmethod
    def _make_redemption_table(self) -> None:
        """Make the table redemption."""

    @abstractmethod
    def _make_days_table(self) -> None:
        """Make the table released."""

    def _execute(self, sql: str, values: Sequence[Value] = ()) -> None:
        """Run a statement that returns nothing."""
        self._rows(f"{sql.replace('?', self.placeholder)} RETURNING 1", values)

    @abstractmethod
    def _find_kept_redeemed(self, invitations: Sequence[bytes]) -> dict[bytes, bytes]:
        """Find what invitations were redeemed for among those that have left the inbox."""

    @abstractmethod
    def _find_invitations(self, invitations: Sequence[bytes]) -> set[bytes]:
        """Find the invitations among some that are not deleted yet."""
