"""The reports of the web app's store, counted from the codes of their records."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from itertools import compress

import numpy as np

from confide.counts.counts import Counts
from confide.design.design import Design
from confide.errors import ReportsError
from confide.reports.records import describe_damaged, find_readable
from confide.reports.report_store import BATCH, ReportStore
from confide.reports.store import open_store
from confide.surveys.questionnaire import Questionnaire


@dataclass(frozen=True, eq=False)
class CountedStore:
    """The reports of a store, counted.

    Parameters
    ----------
    counts : Counts or None
        Those that can be read; None where there are none.
    damaged : int
        How many are left out because they cannot be read.
    """

    counts: Counts | None = None
    damaged: int = 0

    @property
    def n(self) -> int:
        """How many reports are counted."""
        return self.counts.n if self.counts else 0


def count_store(questionnaire: Questionnaire, store: ReportStore) -> CountedStore:
    """Count the released reports of a store that can be read."""
    patterns = store.count_patterns()
    records, each = [record for record, _ in patterns], np.array([n for _, n in patterns], int)
    fits = find_readable(questionnaire, records)
    damaged = int(each[~fits].sum())
    if not fits.any():
        return CountedStore(None, damaged)
    codes = questionnaire.report_codes(b"".join(compress(records, fits)))
    return CountedStore(Counts.gather(questionnaire.design, codes, each[fits]), damaged)


def count_address(design: Design, url: str) -> Counts:
    """Count what a store has released: what ``Crowd(design, "sqlite:///survey.db")`` reads."""
    store = open_store(url, design)
    try:
        counted, waiting = count_store(Questionnaire(design), store), store.count()
    finally:
        store.close()
    if counted.damaged:
        warnings.warn(describe_damaged(counted.damaged), stacklevel=2)
    if counted.counts is None:
        raise ReportsError(
            f"no reports are released yet: {waiting} wait until there are {BATCH}, or until the "
            "survey is closed."
            if waiting
            else "there are no reports."
        )
    return counted.counts
