"""The most likely accuracy, beside an unbiased one that hardly tells.

With many groups, or a truth near 1/2, a few reports count for thousands, and the unbiased accuracy
may be −90. The shares of the true answers that make the reports most likely are always shares; that
of the people for whom the model is right lies between 0 and 1. It is not unbiased: with few reports
it is drawn towards what guessing would reach.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.crowd import Estimate
from confide.crowd.estimate import format_decimals
from confide.estimators.expectation_maximisation import ReportedTable, maximise_likelihood
from confide.estimators.possible_truths import possible_truths, transpose_channel
from confide.estimators.sparse_likelihood import maximise_sparse_likelihood

HARDLY_TELLS = 0.25
"""From this standard error on the most likely accuracy is told, too."""
_MOST_TRUTHS = 1 << 13
"""A likelihood of more combinations of answers takes too long."""


@dataclass(frozen=True, repr=False)
class Accuracy(Estimate):
    """An unbiased accuracy that hardly tells, with the most likely one beside it.

    The interval is that of the accuracy, whichever of the two values is looked at.

    Parameters
    ----------
    find_likely : callable
        Finds `likely`.
    """

    find_likely: Callable[[], float | None] = field(default=lambda: None, compare=False)

    @cached_property
    def likely(self) -> float | None:
        """The accuracy if the most likely shares of the true answers were true.

        Not unbiased. None where the answers have too many combinations.
        """
        return self.find_likely()

    def __repr__(self) -> str:
        beside = "" if self.likely is None else f"; most likely {format_decimals(self.likely)}"
        return f"{super().__repr__()}{beside}"


def find_likely_share(
    batches: Sequence[Counts], names: Sequence[str], holds: Callable[[Codes], Array]
) -> float | None:
    """Give the most likely share of the people for whom something holds.

    None where their answers have too many combinations.

    Parameters
    ----------
    batches : sequence of Counts
        The reports.
    names : sequence of str
        The questions that matter, in the order of the columns that ``holds`` is given.
    holds : callable
        From rows of codes to 1 where it holds and 0 elsewhere.
    """
    shape = [batches[0].design.question(name).size for name in names]
    if prod(shape) <= _MOST_TRUTHS:
        table = maximise_likelihood([ReportedTable.of(batch, names) for batch in batches])
        return float(holds(np.indices(shape).reshape(len(shape), -1).T) @ table.ravel())
    for batch in batches:
        most = _MOST_TRUTHS // len(batches) // len(batch.reports)
        if possible_truths(batch, names, most, transpose_channel) is None:
            return None
    codes, shares = maximise_sparse_likelihood(batches, names, {})
    return float(holds(codes) @ shares)
