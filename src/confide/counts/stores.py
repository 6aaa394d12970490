"""The reports of the web app's store, counted from the codes of their records."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import compress
from operator import add

import numpy as np

from confide.counts.counts import Counts
from confide.design.design import Design
from confide.errors import ReportsError
from confide.reports.records import describe_damaged, find_readable
from confide.reports.report_store import BATCH, ArchiveSize, ReportStore
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
    size : ArchiveSize, optional
        How many were released then, for `recount_store`.
    """

    counts: Counts | None = None
    damaged: int = 0
    size: ArchiveSize | None = None

    @property
    def n(self) -> int:
        """How many reports are counted."""
        return self.counts.n if self.counts else 0


def count_store(questionnaire: Questionnaire, store: ReportStore) -> CountedStore:
    """Count the released reports of a store that can be read."""
    return _count_patterns(questionnaire, store.count_patterns())


def recount_store(
    questionnaire: Questionnaire, store: ReportStore, earlier: CountedStore
) -> CountedStore:
    """Bring counts of a store up to date; only what is new is counted, where the store knows it.

    The first time, ``earlier`` is ``CountedStore()``.
    """
    found = store.count_patterns_since(earlier.size)
    before = CountedStore() if found.is_all else earlier
    fresh = _count_patterns(questionnaire, found.patterns)
    counts = [each.counts for each in (before, fresh) if each.counts is not None]
    merged = reduce(add, counts) if counts else None
    return CountedStore(merged, before.damaged + fresh.damaged, found.size)


def _count_patterns(
    questionnaire: Questionnaire, patterns: Sequence[tuple[bytes, int]]
) -> CountedStore:
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
