"""What every store promises, whatever database is behind it, and how one is opened.

A report that was acknowledged is on disk. A report id is stored once: the same report again gets
the same answer, another report under a used id is refused. An invitation is redeemed once, and
nothing in the database joins it to a report: no key, no order, no time. Reports are released in
whole batches, and where a released report is kept does not depend on when it came. How many were
released on which day is kept, not which.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from confide.design import Design
from confide.errors import ConfideError
from confide.extras import explain_missing
from confide.reports.invitation_store import InvitationStore, Redemption
from confide.reports.report_store import ReportStore
from confide.reports.secret_store import SecretStore
from confide.reports.store_copy import StoreCopy
from confide.reports.submissions import Outcome, Submission, decide_outcome


class StoreError(ConfideError):
    """The database cannot be used now: it is gone, full or locked. Nothing was acknowledged."""


class Store(ReportStore, InvitationStore, SecretStore):
    """One survey's reports, invitations and secrets in one database.

    Methods block, and raise `StoreError` when the database fails.
    """

    design: Design
    """What the reports are made under."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[object]:
        """All that is written within becomes durable together when it ends, or not at all."""

    def write(
        self, submissions: Sequence[Submission], redemptions: Sequence[Redemption]
    ) -> tuple[list[Outcome], list[bool]]:
        """Decide and store reports, and redeem invitations, together in one transaction."""
        with self.transaction():
            is_open = self.is_open()
            reports, outcomes = self._decide_reports(submissions, is_open)
            redeemed, signed = self._decide_redemptions(redemptions, is_open)
            if reports or redeemed:
                self.take_in(reports, redeemed)
        return outcomes, signed

    def settle(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Decide and store many reports in one transaction, and release complete batches.

        When this returns the reports are durable.
        """
        outcomes, _ = self.write(batch, [])
        self.release()
        return outcomes

    def redeem(self, batch: Sequence[Redemption]) -> list[bool]:
        return self.write([], batch)[1]

    def _decide_reports(
        self, batch: Sequence[Submission], is_open: bool
    ) -> tuple[dict[bytes, bytes], list[Outcome]]:
        """Decide which reports are new, and what becomes of each."""
        known = self.find_records([each.id for each in batch]) if batch else {}
        fresh: dict[bytes, bytes] = {}
        outcomes = []
        for each in batch:
            outcome = decide_outcome(each, known, is_open=is_open, is_same=self.is_same)
            outcomes.append(outcome)
            if outcome is Outcome.STORED and each.id not in known:
                known[each.id] = fresh[each.id] = each.record
        return fresh, outcomes

    def _decide_redemptions(
        self, batch: Sequence[Redemption], is_open: bool
    ) -> tuple[dict[bytes, bytes], list[bool]]:
        """Decide which invitations are redeemed now, and of each whether it may be signed for."""
        if not batch or not is_open:
            return {}, [False] * len(batch)
        unused = self.find_unused([each.invitation for each in batch])
        others = [each.invitation for each in batch if each.invitation not in unused]
        redeemed = self.find_redeemed(others) if others else {}
        fresh: dict[bytes, bytes] = {}
        for each in batch:
            if each.invitation in unused:
                fresh.setdefault(each.invitation, each.blinded)
        redeemed |= fresh
        return fresh, [redeemed.get(each.invitation) == each.blinded for each in batch]

    @abstractmethod
    def is_same(self, kept: bytes, sent: bytes) -> bool:
        """Whether a record that is kept is of the report that was sent."""

    @abstractmethod
    def take_in(self, reports: Mapping[bytes, bytes], redeemed: Mapping[bytes, bytes]) -> None:
        """Keep new reports, and what invitations were redeemed for, within a transaction."""

    @abstractmethod
    def release(self) -> None:
        """Release the batches that are complete, if `write` has not done so already."""

    @abstractmethod
    def tidy(self) -> bool:
        """See to it that complete batches are released, and what was overwritten is gone.

        Returns whether all is done. It is not while someone else reads the database, or while it
        is done beside the writing. Then try again soon.
        """

    @abstractmethod
    def read_copy(self) -> StoreCopy:
        """Read what a copy holds, as of one moment."""

    @abstractmethod
    def write_copy(self, copy: StoreCopy) -> None:
        """Fill a new store with what a copy holds."""

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Write a copy as a SQLite file, also while reports come in."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection to the database."""


def open_store(url: str, design: Design, *, by_invitation: bool | None = None) -> Store:
    """Open the store of a design; make it if ``by_invitation`` says how it is to be.

    Parameters
    ----------
    url : str
        ``sqlite:///survey.db`` or ``postgresql://user@host/database``.
    design : Design
        What the reports must be made under. Another fingerprint is another survey.
    by_invitation : bool, optional
        Whether only invited people can report. Fixed when the store is made.
    """
    scheme, _, rest = url.partition("://")
    if scheme == "sqlite":
        with explain_missing("confide[serve]", "a SQLite database"):
            from confide.reports.sqlite import SQLiteStore

        return SQLiteStore(Path(rest.removeprefix("/")), design, by_invitation=by_invitation)
    if scheme in ("postgresql", "postgres"):
        with explain_missing("confide[postgres]", "a PostgreSQL database"):
            from confide.reports.postgres import PostgresStore

        return PostgresStore(url, design, by_invitation=by_invitation)
    raise StoreError(
        "a database is sqlite:///file.db or postgresql://user@host/database. "
        f"Got {scheme[:20] + '://' if rest else 'no such address'}."
    )


def address_beside(url: str, name: str) -> str:
    """The address for another survey beside a store: in PostgreSQL the same, for SQLite a new file.

    >>> address_beside("sqlite:///survey.db", "-test"), address_beside("postgresql://host/db", "-x")
    ('sqlite:///survey-test.db', 'postgresql://host/db')
    """
    if not url.startswith("sqlite:"):
        return url
    start, dot, end = url.rpartition(".")
    return f"{start}{name}.{end}" if dot and "/" not in end else url + name
