"""How many reports were released on each day, as a picture and a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from confide.reports.report_store import BATCH, EARLIER
from confide.surveys.written_numbers import write_number
from confide.web.admin.result_words import ResultWords


@dataclass(frozen=True)
class ShownDays:
    """Days as a page shows them.

    Parameters
    ----------
    heights : list of float
        One for each day from the first to the last, in percent of the largest.
    rows : list of (str, str)
        The days on which reports were released, and how many.
    first, last : str
        The ends of the picture.
    note : str
        What the numbers are.
    """

    heights: list[float]
    rows: list[tuple[str, str]]
    first: str
    last: str
    note: str


def show_days(words: ResultWords, days: Mapping[str, int]) -> ShownDays | None:
    """Show how many reports were released on each day; None where no day is known.

    Days without reports are in the picture, as the days between.
    """
    known = {date.fromisoformat(day): count for day, count in days.items() if day != EARLIER}
    if not known:
        return None
    first, last = min(known), max(known)
    between = [first + timedelta(i) for i in range((last - first).days + 1)]
    most = max(known.values())
    rows = [
        (words.texts["days_earlier"] if day == EARLIER else day, write_number(count, words.marks))
        for day, count in sorted(days.items())
    ]
    heights = [round(100 * known.get(day, 0) / most, 2) for day in between]
    note = words.say("days_note", batch=BATCH)
    return ShownDays(heights, rows, first.isoformat(), last.isoformat(), note)
