"""The unbiased table of truths: M⁻¹ π."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.estimators.expectation_maximisation import ReportedTable


def invert_tables(batches: Sequence[ReportedTable]) -> Array:
    """Invert the reported tables of some batches, each report counting the same.

    The shares are unbiased and may be negative. Every batch's channel must have an inverse.
    """
    n = sum(batch.n for batch in batches)
    return np.asarray(sum(batch.n / n * batch.channel.invert(batch.shares) for batch in batches))
