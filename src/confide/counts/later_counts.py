"""Counts less earlier ones: the reports that came in between, such as those of a second wave."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np

from confide.counts.counts import Counts
from confide.errors import ReportsError


def subtract_counts(later: Counts, earlier: Counts) -> Counts:
    """Take the reports away that were counted before; a warning tells of those that are gone since.

    Where a report of the earlier ones was deleted, and another with the same answers came, the two
    cannot be told apart: that one is missing in the result.
    """
    if later.n <= earlier.n:
        raise ReportsError(
            f"counts of {later.n:,} reports have none beyond the {earlier.n:,} to take away. "
            "Give the later counts first."
        )
    found = later + replace(earlier, reports=-earlier.reports)
    gone = -int(found.reports[found.reports < 0].sum())
    if gone:
        warnings.warn(
            f"{gone:,} of the {earlier.n:,} earlier reports are not among the later ones: they "
            "were deleted since, or are of another survey.",
            stacklevel=3,
        )
    came = np.flatnonzero(found.reports > 0)
    return replace(found, patterns=found.patterns[came], reports=found.reports[came])
