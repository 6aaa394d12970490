"""What naive Bayes asks of a crowd with noisy numbers: each question beside the target, alone.

Each table of target × question is reconstructed by the paper's procedure, which stops while it is
smooth; with the target in the clear that is "by-class" of `agrawal-srikant-2000`. A reconstructed
interval's share is spread evenly over the finer ones that a model tells apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.expectation_maximisation import ReportedTable, maximise_likelihood
from confide.estimators.merged_intervals import choose_intervals, has_noise
from confide.estimators.reconstruction import reconstruct


def reconstruct_margins(
    batches: Sequence[Counts], target: str, features: Sequence[str]
) -> tuple[Array, list[Array]]:
    """Reconstruct the shares of the classes, and of class × value for each question."""
    classes = maximise_likelihood([ReportedTable.of(batch, [target]) for batch in batches])
    return classes, [_reconstruct_beside(batches, target, name) for name in features]


def _reconstruct_beside(batches: Sequence[Counts], target: str, name: str) -> Array:
    """Reconstruct the shares of class × value of one question."""
    if not has_noise(batches, [name]):
        return maximise_likelihood([ReportedTable.of(batch, [target, name]) for batch in batches])
    cells = choose_intervals(batches[0].design, [name], sum(batch.n for batch in batches))
    observed = [ReportedTable.of(batch, [target, name], cells) for batch in batches]
    table = reconstruct(observed, "em")
    merged = observed[0].channel.merged[name].truth
    return np.asarray((table / np.bincount(merged))[:, merged])
