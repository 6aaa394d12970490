"""What this process released since its reports were last counted, in its memory alone.

The database does not tell which of its reports are new. Whoever releases a batch has its reports
in hand, and so who counts again can add these in place of reading all. Nothing of it is written
anywhere; it has no ids, and an order that tells nothing.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from confide.reports.report_store import ArchiveSize

MOST = 10_000
"""So many distinct reports are kept at most; where there are more, all are counted again."""


@dataclass(frozen=True)
class Release:
    """Reports that went into an archive together.

    Parameters
    ----------
    before : ArchiveSize
        The size of the archive before.
    reports : mapping
        Records by the ids of their reports, as they were archived; None for one that was withdrawn.

    Examples
    --------
    >>> Release(ArchiveSize(20, 1), {b"a": b"record", b"b": None}).after
    ArchiveSize(archived=22, withdrawn=2)
    """

    before: ArchiveSize
    reports: Mapping[bytes, bytes | None]

    @property
    def after(self) -> ArchiveSize:
        """The size of the archive with these reports."""
        archived, withdrawn = self.before
        gone = sum(record is None for record in self.reports.values())
        return ArchiveSize(archived + len(self.reports), withdrawn + gone)


class RecentReleases:
    """How often each report was released since someone counted, if all releases are known.

    Each release must begin with the size at which the one before it ended. Where another process
    released or someone withdrew in between, nothing is known until all is counted again.

    Examples
    --------
    >>> recent, empty = RecentReleases(), ArchiveSize(0, 0)
    >>> recent.take(None, empty) is None
    True
    >>> release = Release(empty, {b"a": b"yes", b"b": b"no", b"c": b"yes"})
    >>> recent.note(release)
    >>> recent.take(empty, release.after)
    Counter({b'yes': 2, b'no': 1})
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._start_at(None)

    def _start_at(self, size: ArchiveSize | None) -> None:
        self._start = self._end = size
        self._patterns: Counter[bytes] = Counter()

    def note(self, release: Release) -> None:
        """Add a release that is durable."""
        with self._lock:
            if self._start is None or release.before != self._end:
                self._start_at(None)
                return
            records = (record for record in release.reports.values() if record is not None)
            patterns = self._patterns + Counter(records)
            if len(patterns) > MOST:
                self._start_at(None)
                return
            # the order in which they came would else be theirs
            self._patterns = Counter(dict(sorted(patterns.items())))
            self._end = release.after

    def take(self, seen: ArchiveSize | None, now: ArchiveSize) -> Counter[bytes] | None:
        """Give what was released between two sizes, and start anew; None if it is not known."""
        with self._lock:
            is_known = (self._start, self._end) == (seen, now)
            found = self._patterns if is_known else None
            self._start_at(now)
            return found
