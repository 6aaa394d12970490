"""Transactions of a store: what each reads when it begins, and the inbox that it leaves behind.

Under load the ways to a database and back cost more than what is done there. So a transaction
reads once what all of its steps ask for, and writes the inbox once, with its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field

from confide.design import Design
from confide.reports.packed_reports import Packing, pack_redeemed, unpack_redeemed
from confide.reports.recent_releases import RecentReleases, Release
from confide.reports.sql_tables import SQLTables
from confide.surveys.questionnaire import Questionnaire

Reports = dict[bytes, bytes | None]
"""Records by the ids of their reports; None for one that was withdrawn."""


@dataclass
class _Inbox:
    """What the inbox holds, as it is to be left."""

    reports: Reports
    redeemed: dict[bytes, bytes]


@dataclass
class _Begun(_Inbox):
    """What a transaction found when it began."""

    is_open: bool
    key: bytes
    buckets: int
    is_changed: bool = False
    releases: list[Release] = field(default_factory=list)


class SQLTransactions(SQLTables):
    """The tables of one design's survey, with transactions over them.

    Parameters
    ----------
    design : Design
        The design of the survey.
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self._questionnaire = Questionnaire(design)
        self._packing = Packing(self._questionnaire.record.itemsize)
        self._begun: _Begun | None = None
        self._recent = RecentReleases()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within becomes durable together when it ends, or not at all."""
        with self._guard():
            try:
                is_open, key, buckets, *packed = self._begin()
                inbox = self._unpack_inbox(*packed)
                begun = _Begun(inbox.reports, inbox.redeemed, is_open, key, buckets)
                self._begun = begun
                yield
                self._commit(self._pack_inbox(begun) if begun.is_changed else None)
            except BaseException:
                self._rollback()
                raise
            finally:
                self._begun = None
            for release in begun.releases:
                self._recent.note(release)

    def _rewriting(self) -> AbstractContextManager[object]:
        """Begin a transaction that alone may write the archive and the invitations anew."""
        return self.transaction()

    def _pack_inbox(self, inbox: _Inbox) -> tuple[bytes, bytes]:
        return self._packing.pack(inbox.reports), pack_redeemed(inbox.redeemed)

    def _unpack_inbox(self, reports: bytes, redeemed: bytes) -> _Inbox:
        return _Inbox(self._packing.unpack(reports), unpack_redeemed(redeemed))

    def _reading(self) -> AbstractContextManager[object]:
        """Make several readings as of one moment, within a transaction or in one of its own."""
        with self._guard():  # a transaction that others have begun has ended then
            return self.transaction() if self._begun is None else nullcontext()

    @property
    def _now(self) -> _Begun:
        """What the transaction that has begun found, and changed since."""
        assert self._begun is not None, "within a transaction"
        return self._begun

    def is_open(self) -> bool:
        """Whether the survey takes reports."""
        with self._guard():
            if self._begun is not None:
                return self._begun.is_open
            ((is_open,),) = self._rows("SELECT is_open FROM survey")
            return bool(is_open)
