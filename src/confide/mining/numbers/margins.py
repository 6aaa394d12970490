"""What naive Bayes asks of a crowd with noisy numbers: each question beside the target, alone.

Each table of target × question is reconstructed by the paper's procedure, which stops while it is
smooth; with the target in the clear that is "by-class" of `agrawal-srikant-2000`. A reconstructed
interval's share is spread evenly over the finer ones that a model tells apart.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from confide.counts import Counts
from confide.crowd.axes import intervals, noisy
from confide.crowd.likelihood import Observed, most_likely
from confide.crowd.reconstruction import reconstruct

Array = NDArray[np.float64]


def margins(
    batches: Sequence[Counts], target: str, features: Sequence[str]
) -> tuple[Array, list[Array]]:
    """The shares of the classes, and of class × value for each question."""
    classes = most_likely([Observed.of(batch, [target]) for batch in batches])
    return classes, [_beside(batches, target, name) for name in features]


def _beside(batches: Sequence[Counts], target: str, name: str) -> Array:
    """The estimated shares of class × value of one question."""
    if not any(noisy(batch.design, [name]) for batch in batches):
        return most_likely([Observed.of(batch, [target, name]) for batch in batches])
    cells = intervals(batches[0].design, [name], sum(batch.n for batch in batches))
    observed = [Observed.of(batch, [target, name], cells) for batch in batches]
    table = reconstruct(observed, "em")
    merged = observed[0].algebra.merged[name].truth
    return np.asarray((table / np.bincount(merged))[:, merged])
