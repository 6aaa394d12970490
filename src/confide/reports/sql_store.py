"""What the stores in SQLite and in PostgreSQL share: an inbox, an archive, and the way between.

A report is durable in the inbox. When a batch is complete, all of the inbox goes into the archive.

A redeemed invitation goes the same way. It is noted in the inbox, among those redeemed before, and
when a batch is complete some of them leave it, chosen by chance: those that are left hide the next.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from confide.reports.mixed_modes import cut_modes
from confide.reports.packed_reports import pack_redeemed
from confide.reports.report_store import BATCH
from confide.reports.sql_archive import SQLArchive
from confide.reports.sql_days import count_live
from confide.reports.sql_transactions import Reports
from confide.reports.store import Store, StoreError
from confide.reports.store_copy import StoreCopy

VERSION = 4
"""The version of the tables.

The first had one row for each report; in the second, reports came with their invitations; in
the third, nothing told how many were released on which day.
"""


def is_complete(reports: Mapping[bytes, bytes | None]) -> bool:
    """Whether reports are enough for a batch; those that were withdrawn do not count."""
    return count_live(reports) >= BATCH


class SQLStore(SQLArchive, Store):
    """A store over the tables of `SQLTables`."""

    _by_invitation: bool

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
            return True
        if version == 2:
            self._upgrade_second()
        self._upgrade_third()
        self._execute("UPDATE state SET version = ?", (VERSION,))
        return True

    def _upgrade_third(self) -> None:
        self._make_days_table()
        ((released,),) = self._rows("SELECT archived - withdrawn FROM state")
        self._note_earlier(released)

    def _upgrade_second(self) -> None:
        self._make_redemption_table()
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
        if is_complete(held):
            self._archive(held)
            self._note_earlier(count_live(held))
        else:
            self._write_inbox(self._packing.pack(held), b"")

    def _start_state(self) -> None:
        """Fill the tables of a new store, within a transaction."""
        self._make_batch_tables()
        self._make_redemption_table()
        self._make_days_table()
        key = secrets.token_bytes(32)
        self._execute("INSERT INTO state VALUES (?, ?, 1, 0, 0, 0)", (VERSION, key))
        self._write_archive([b""])
        self._write_inbox(b"", b"")

    @property
    def by_invitation(self) -> bool:
        return self._by_invitation

    def set_open(self, is_open: bool) -> None:
        with self._rewriting():
            now = self._now
            if is_open and not now.is_open:
                self._execute("UPDATE state SET reopened = 1")
            self._execute("UPDATE survey SET is_open = ?", (is_open,))
            now.is_open = is_open
            ((reopened,),) = self._rows("SELECT reopened FROM state")
            # were this done each time, opening and closing would release reports one by one
            if not is_open and not reopened:
                now.releases.append(self._release(now.reports))
                self._delete_invitations(sorted(now.redeemed))
                self._forget_redeemed()
                self._clear_inbox()
        self.tidy()

    def _clear_inbox(self) -> None:
        self._now.reports.clear()
        self._now.redeemed.clear()
        self._now.is_changed = True

    def find_records(self, ids: Sequence[bytes]) -> Reports:
        with self._reading():
            inbox = self._now.reports
            archived = self._find_archived([each for each in ids if each not in inbox])
            return archived | {each: inbox[each] for each in ids if each in inbox}

    def is_same(self, kept: bytes, sent: bytes) -> bool:
        return cut_modes(self._questionnaire, kept) == cut_modes(self._questionnaire, sent)

    def find_unused(self, invitations: Sequence[bytes]) -> set[bytes]:
        with self._reading():
            return self._find_invitations(invitations) - set(self._now.redeemed)

    def find_listed(self, invitations: Sequence[bytes]) -> set[bytes]:
        with self._reading():
            return self._find_invitations(invitations)

    def find_redeemed(self, invitations: Sequence[bytes]) -> dict[bytes, bytes]:
        with self._reading():
            noted = self._now.redeemed
            others = [each for each in invitations if each not in noted]
            kept = self._find_kept_redeemed(others) if others else {}
            return kept | {each: noted[each] for each in invitations if each in noted}

    def take_in(self, reports: Mapping[bytes, bytes], redeemed: Mapping[bytes, bytes]) -> None:
        for record in reports.values():
            if len(record) != self._packing.record:
                raise StoreError(
                    f"a record of this design has {self._packing.record} bytes. Got {len(record)}."
                )
        now = self._now
        now.reports |= reports
        now.redeemed |= redeemed
        now.is_changed = True
        if is_complete(now.reports):
            self._take_out()

    def _take_out(self) -> None:
        """Release the batch that is complete, within a transaction."""
        self._now.releases.append(self._release(self._now.reports))
        self._now.reports.clear()
        self._put_redeemed_away(self._now.redeemed)

    def release(self) -> None:
        """Do nothing: batches are released when they are written."""

    def _put_redeemed_away(self, noted: dict[bytes, bytes]) -> None:
        """Let some of the redeemed invitations leave the inbox; those that stay hide the next."""
        chosen = secrets.SystemRandom().sample(sorted(noted), max(len(noted) - BATCH, 0))
        self._delete_invitations(sorted(chosen))
        self._keep_redeemed({each: noted.pop(each) for each in sorted(chosen)})

    def withdraw(self, report_id: bytes) -> bool:
        if self.find_records([report_id]).get(report_id) is None:
            return False  # whoever guesses receipts keeps nobody waiting
        with self._rewriting():
            if self.find_records([report_id]).get(report_id) is None:
                return False  # deleted meanwhile
            if report_id in self._now.reports:
                self._now.reports[report_id] = None
                self._now.is_changed = True
            else:
                self._withdraw_archived(report_id)
            return True

    def count(self) -> int:
        with self._reading():
            ((archived,),) = self._rows("SELECT archived - withdrawn FROM state")
            return int(archived) + count_live(self._now.reports)

    def count_invitations(self) -> tuple[int, int]:
        with self._reading():
            sql = "SELECT invitations, (SELECT count(*) FROM invitation) FROM survey"
            ((made, kept),) = self._rows(sql)
            return made, kept - len(self._now.redeemed)

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
            kept = {row[0] for row in self._rows("SELECT hash FROM invitation")}
            unused = kept - set(self._now.redeemed)
            ((made,),) = self._rows("SELECT invitations FROM survey")
            days = self.count_days()
            return StoreCopy(self._read_archived(), unused, made, self.is_open(), days)

    def write_copy(self, copy: StoreCopy) -> None:
        if self.count() or self.count_invitations()[0]:
            raise StoreError("the database holds reports or invitations already. Use a new one.")
        self.invite(copy.unused)
        with self._rewriting():
            self._archive(copy.reports)
            self._add_days(copy.days)
            self._execute("UPDATE survey SET invitations = ?", (copy.invitations,))
            self._execute("UPDATE survey SET is_open = ?", (copy.is_open,))

    def backup(self, path: Path) -> None:
        from confide.reports.sqlite import SQLiteStore

        if path.exists():
            raise StoreError(f"{path.name} exists already. Choose another name for the copy.")
        copy = SQLiteStore(path, self.design, by_invitation=self.by_invitation)
        copy.write_copy(self.read_copy())
        copy.close()
