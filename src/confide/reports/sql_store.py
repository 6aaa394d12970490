"""What the stores in SQLite and in PostgreSQL share: an inbox, an archive, and the way between.

A report is durable in the inbox. When a batch is complete, all of the inbox goes into the archive.

A redeemed invitation goes the same way. It is noted in the inbox, among those redeemed before, and
when a batch is complete some of them leave it, chosen by chance: those that are left hide the next.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

from confide.reports.mixed_modes import cut_modes
from confide.reports.packed_reports import pack_redeemed, unpack_redeemed
from confide.reports.report_store import BATCH
from confide.reports.sql_archive import Reports, SQLArchive
from confide.reports.store import Store, StoreError
from confide.reports.store_copy import StoreCopy

VERSION = 3
"""The version of the tables.

The first had one row for each report; in the second, reports came with their invitations.
"""


class SQLStore(SQLArchive, Store):
    """A store whose tables are survey, state, inbox, archive, invitation, redemption and secret."""

    _by_invitation: bool

    def _is_release_due(self) -> bool:
        """Whether a complete batch is to be released now, and not a little later."""
        return True

    def _check_invitations(self, where: str, held: bool, wanted: bool | None) -> None:
        """Refuse a database that was made with invitations where none are wanted, or without."""
        if wanted is not None and held != wanted:
            raise StoreError(
                f"{where} was made {'with' if held else 'without'} invitations, and that cannot "
                "change. Use another database."
            )
        self._by_invitation = held

    def _upgrade(self, where: str) -> bool:
        """Bring older tables up to date, within a transaction; return whether they were older."""
        version = 1
        if self._has_table("state"):
            ((version,),) = self._rows("SELECT version FROM state")
        if version > VERSION:
            raise StoreError(
                f"{where} was written by a newer confide: its tables have version {version}, this "
                f"one knows {VERSION}. Install the newer one: pip install -U confide."
            )
        if version == VERSION:
            return False
        if version == 1:
            self._upgrade_first()
        else:
            self._upgrade_second()
        return True

    def _upgrade_second(self) -> None:
        self._make_redemption_table()
        self._execute("UPDATE state SET version = ?", (VERSION,))
        reports, spent = self._read_inbox()
        used = [spent[start : start + 32] for start in range(0, len(spent), 32)]
        # what nobody can ask for: the report is there already
        self._write_inbox(reports, pack_redeemed({each: secrets.token_bytes(32) for each in used}))

    def _upgrade_first(self) -> None:
        rows = self._rows("SELECT id, record FROM report")
        size = self._packing.record
        damaged = b"\xff" * size  # what has another length was no report either
        held = {i: r if r is None or len(r) == size else damaged for i, r in rows}
        self._start_state()
        if sum(record is not None for record in held.values()) >= BATCH:
            self._release(held)
        else:
            self._write_inbox(self._packing.pack(held), b"")

    def _start_state(self) -> None:
        """Fill the tables of a new store, within a transaction."""
        self._make_batch_tables()
        self._make_redemption_table()
        key = secrets.token_bytes(32)
        self._execute("INSERT INTO state VALUES (?, ?, 1, 0, 0, 0)", (VERSION, key))
        self._write_archive([b""])
        self._write_inbox(b"", b"")

    @property
    def by_invitation(self) -> bool:
        return self._by_invitation

    def is_open(self) -> bool:
        ((is_open,),) = self._rows("SELECT is_open FROM survey")
        return bool(is_open)

    def set_open(self, is_open: bool) -> None:
        with self.transaction():
            if is_open and not self.is_open():
                self._execute("UPDATE state SET reopened = 1")
            self._execute("UPDATE survey SET is_open = ?", (is_open,))
            ((reopened,),) = self._rows("SELECT reopened FROM state")
            # were this done each time, opening and closing would release reports one by one
            if not is_open and not reopened:
                reports, redeemed = self._open_inbox()
                self._release(reports)
                self._delete_invitations(sorted(redeemed))
                self._forget_redeemed()
                self._write_inbox(b"", b"")
        self.tidy()

    def _reading(self) -> AbstractContextManager[object]:
        """Make several readings as of one moment, within a transaction or in one of its own."""
        return nullcontext() if self._is_in_transaction else self.transaction()

    def _open_inbox(self) -> tuple[Reports, dict[bytes, bytes]]:
        reports, redeemed = self._read_inbox()
        return self._packing.unpack(reports), unpack_redeemed(redeemed)

    def find_records(self, ids: Sequence[bytes]) -> Reports:
        with self._reading():
            inbox, _ = self._open_inbox()
            archived = self._find_archived([each for each in ids if each not in inbox])
        return archived | {each: inbox[each] for each in ids if each in inbox}

    def is_same(self, kept: bytes, sent: bytes) -> bool:
        return cut_modes(self._questionnaire, kept) == cut_modes(self._questionnaire, sent)

    def find_unused(self, invitations: Sequence[bytes]) -> set[bytes]:
        with self._reading():
            _, redeemed = self._open_inbox()
            return self._find_invitations(invitations) - set(redeemed)

    def find_redeemed(self, invitations: Sequence[bytes]) -> dict[bytes, bytes]:
        with self._reading():
            _, noted = self._open_inbox()
            kept = self._find_kept_redeemed(invitations)
        return kept | {each: noted[each] for each in invitations if each in noted}

    def take_in(self, reports: Mapping[bytes, bytes], redeemed: Mapping[bytes, bytes]) -> None:
        for record in reports.values():
            if len(record) != self._packing.record:
                raise StoreError(
                    f"a record of this design has {self._packing.record} bytes. Got {len(record)}."
                )
        inbox, noted = self._open_inbox()
        inbox |= reports
        noted |= redeemed
        complete = sum(record is not None for record in inbox.values()) >= BATCH
        if complete and self._is_release_due():
            self._release(inbox)
            inbox = {}
            chosen = secrets.SystemRandom().sample(sorted(noted), max(len(noted) - BATCH, 0))
            self._delete_invitations(sorted(chosen))
            self._keep_redeemed({each: noted.pop(each) for each in sorted(chosen)})
        self._write_inbox(self._packing.pack(inbox), pack_redeemed(noted))

    def withdraw(self, report_id: bytes) -> bool:
        with self.transaction():
            if self.find_records([report_id]).get(report_id) is None:
                return False
            inbox, redeemed = self._open_inbox()
            if report_id in inbox:
                inbox[report_id] = None
                self._write_inbox(self._packing.pack(inbox), pack_redeemed(redeemed))
                return True
            self._withdraw_archived(report_id)
            return True

    def count(self) -> int:
        with self._reading():
            inbox, _ = self._open_inbox()
            ((archived,),) = self._rows("SELECT archived - withdrawn FROM state")
        return int(archived) + sum(record is not None for record in inbox.values())

    def count_invitations(self) -> tuple[int, int]:
        with self._reading():
            _, redeemed = self._open_inbox()
            sql = "SELECT invitations, (SELECT count(*) FROM invitation) FROM survey"
            ((made, kept),) = self._rows(sql)
        return made, kept - len(redeemed)

    def read_secret(self, name: str) -> bytes | None:
        rows = self._rows(f"SELECT value FROM secret WHERE name = {self.placeholder}", (name,))
        return rows[0][0] if rows else None

    def find_secrets(self, prefix: str) -> dict[str, bytes]:
        rows = self._rows("SELECT name, value FROM secret ORDER BY name")
        return {name: value for name, value in rows if name.startswith(prefix)}

    def delete_secrets(self, names: Sequence[str]) -> None:
        with self.transaction():
            for name in names:
                self._execute("DELETE FROM secret WHERE name = ?", (name,))

    def read_copy(self) -> StoreCopy:
        with self._reading():
            _, redeemed = self._open_inbox()
            kept = {row[0] for row in self._rows("SELECT hash FROM invitation")}
            ((made,),) = self._rows("SELECT invitations FROM survey")
            return StoreCopy(self._archived_reports(), kept - set(redeemed), made, self.is_open())

    def write_copy(self, copy: StoreCopy) -> None:
        if self.count() or self.count_invitations()[0]:
            raise StoreError("the database holds reports or invitations already. Use a new one.")
        self.invite(copy.unused)
        with self.transaction():
            self._release(copy.reports)
            self._execute("UPDATE survey SET invitations = ?", (copy.invitations,))
            self._execute("UPDATE survey SET is_open = ?", (copy.is_open,))

    def backup(self, path: Path) -> None:
        from confide.reports.sqlite import SQLiteStore

        if path.exists():
            raise StoreError(f"{path.name} exists already. Choose another name for the copy.")
        copy = SQLiteStore(path, self.design, by_invitation=self.by_invitation)
        copy.write_copy(self.read_copy())
        copy.close()
