"""What keeps the reports: the promises every store makes, whatever database is behind it.

A report that was acknowledged is on disk. A report id is stored once: the same report again gets
the same answer, another report under a used id is refused. An invitation admits one report, and
then it is gone: nothing in the database joins it to the report, no key, no order, no time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from confide.design import Design
from confide.errors import ConfideError
from confide.extras import explain_missing


class StoreError(ConfideError):
    """The database cannot be used now: it is gone, full or locked. Nothing was acknowledged."""


class Outcome(Enum):
    """What became of a report."""

    STORED = "stored"
    CONFLICT = "another report has this id"
    WITHDRAWN = "this report was deleted"
    CLOSED = "the survey is closed"
    NOT_INVITED = "this invitation is unknown or was used"

    @property
    def reason(self) -> str:
        """Say it as a sentence."""
        return f"{self.value}."


@dataclass(frozen=True)
class Submission:
    """A checked report on its way into a store.

    Parameters
    ----------
    id : bytes
        16 random bytes that name the report.
    record : bytes
        The report as `Form.pack` writes it.
    invitation : bytes or None
        The SHA-256 of the token, if one came with it.
    """

    id: bytes
    record: bytes
    invitation: bytes | None = None


class Store(ABC):
    """One survey's reports. Methods block, and raise `StoreError` when the database fails."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[object]:
        """All that is written within becomes durable together when it ends, or not at all."""

    @abstractmethod
    def terms(self) -> tuple[bool, bool]:
        """Whether the survey is open, and whether it needs invitations."""

    @abstractmethod
    def records(self, ids: Sequence[bytes]) -> dict[bytes, bytes | None]:
        """The stored reports among some ids; None for one that was withdrawn."""

    @abstractmethod
    def unused(self, invitations: Sequence[bytes]) -> set[bytes]:
        """The invitations among some that are still good."""

    @abstractmethod
    def write(self, reports: Iterable[tuple[bytes, bytes]], spent: Iterable[bytes]) -> None:
        """Insert reports and delete the invitations they used."""

    def settle(self, batch: Sequence[Submission]) -> list[Outcome]:
        """Decide and store many reports in one transaction; when this returns they are durable."""
        with self.transaction():
            is_open, by_invitation = self.terms()
            tokens = [each.invitation for each in batch if each.invitation] if by_invitation else []
            unused = self.unused(tokens) if tokens else set()
            # only now: where another process just used one of the tokens, its report is there
            known = self.records([each.id for each in batch])
            fresh: dict[bytes, bytes] = {}
            spent: set[bytes] = set()
            outcomes = []
            for each in batch:
                invited = not by_invitation or each.invitation in unused - spent
                outcome = _decided(each, known, is_open, invited)
                outcomes.append(outcome)
                if outcome is Outcome.STORED and each.id not in known:
                    known[each.id] = fresh[each.id] = each.record
                    if by_invitation and each.invitation:
                        spent.add(each.invitation)
            self.write(sorted(fresh.items()), sorted(spent))
        return outcomes

    @abstractmethod
    def withdraw(self, report_id: bytes) -> bool:
        """Forget what a report said, for good; whether there was one."""

    @abstractmethod
    def invite(self, invitations: Iterable[bytes]) -> None:
        """Add invitations."""

    @abstractmethod
    def invited(self) -> tuple[int, int]:
        """How many invitations were ever made, and how many are unused."""

    @abstractmethod
    def set_open(self, is_open: bool) -> None:
        """Close or reopen the survey. Closing rewrites the reports in the order of their random
        ids, so that nothing tells in which order they came."""

    @abstractmethod
    def count(self) -> int:
        """How many reports there are."""

    @abstractmethod
    def all_records(self) -> list[bytes]:
        """All reports in the order of their random ids, damaged ones too."""

    @abstractmethod
    def patterns(self) -> list[tuple[bytes, int]]:
        """The distinct reports, and how often each came; damaged ones too."""

    @abstractmethod
    def secret(self, name: str) -> bytes | None:
        """A secret of the administration, such as the password's hash."""

    @abstractmethod
    def set_secret(self, name: str, value: bytes) -> None:
        """Keep a secret of the administration."""

    @abstractmethod
    def tidy(self) -> None:
        """Drop what the database keeps of past writes, such as used invitations in its log."""

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Write a consistent copy as a SQLite file, also while reports come in."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""


def _decided(
    submission: Submission, known: dict[bytes, bytes | None], is_open: bool, invited: bool
) -> Outcome:
    if submission.id in known:
        record = known[submission.id]
        if record is None:
            return Outcome.WITHDRAWN
        return Outcome.STORED if record == submission.record else Outcome.CONFLICT
    if not is_open:
        return Outcome.CLOSED
    return Outcome.STORED if invited else Outcome.NOT_INVITED


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
