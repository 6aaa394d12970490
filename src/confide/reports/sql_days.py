"""How many reports were released on each day: a small table of which no row points at a report.

Days are of UTC. A report that is deleted later stays counted: to take it out of its day, the table
would have to know on which day it came.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from confide.reports.report_store import BATCH, EARLIER
from confide.reports.sql_transactions import Reports, SQLTransactions


def find_today() -> str:
    """Find the day that it is in UTC, as in 2026-11-17."""
    return datetime.now(UTC).date().isoformat()


def count_live(reports: Mapping[bytes, bytes | None]) -> int:
    """Count the reports that were not withdrawn.

    >>> count_live({b"a": b"record", b"b": None})
    1
    """
    return sum(record is not None for record in reports.values())


class SQLDays(SQLTransactions):
    """The table released, with the number of reports that were released on each day."""

    def _note_released(self, reports: Reports) -> None:
        """Count reports that are released now, within a transaction.

        Fewer than a batch go to the last day that is there: they would stand alone on theirs.
        """
        count, day = count_live(reports), find_today()
        if count < BATCH:
            ((last,),) = self._rows("SELECT max(day) FROM released")
            day = day if last is None else last
        self._add_days({day: count})

    def _note_earlier(self, count: int) -> None:
        """Count reports of which nobody knows when they were released, within a transaction."""
        self._add_days({EARLIER: count})

    def _add_days(self, days: Mapping[str, int]) -> None:
        for day, count in days.items():
            if count:
                self._execute(
                    "INSERT INTO released VALUES (?, ?) "
                    "ON CONFLICT (day) DO UPDATE SET reports = released.reports + excluded.reports",
                    (day, count),
                )

    def count_days(self) -> dict[str, int]:
        return dict(self._read("SELECT day, reports FROM released ORDER BY day"))
