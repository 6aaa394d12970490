"""The likelihood of a table too large to keep, over the truths that could have been reported.

Under flips of yes-no questions the only truths with any likelihood are the flips of the patterns
that came in. Expectation–maximisation from the uniform table never leaves them, so it runs on them
alone and gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.errors import QueryError
from confide.estimators.expectation_maximisation import maximise
from confide.estimators.possible_truths import possible_truths, transpose_channel
from confide.estimators.share_likelihood import ObservedShares

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_LARGEST = 1 << 24


def maximise_sparse_likelihood(
    batches: Sequence[Counts], names: Sequence[str], within: Mapping[str, int]
) -> tuple[Codes, Array]:
    """The combinations of answers with a positive likelihood estimate, and those estimates.

    ``within`` gives codes for the first of the questions: only such people are returned, by the
    codes of the other questions.
    """
    from scipy.sparse import csr_matrix

    parts = [_list_parts(batch, names) for batch in batches]
    stacked = np.concatenate([codes for batch in parts for codes, _ in batch])
    cells, index = np.unique(stacked, axis=0, return_inverse=True)
    channels, start = [], 0
    for batch, part in zip(batches, parts, strict=True):
        patterns = len(batch.reports)
        end = start + patterns * len(part)
        rows = np.tile(np.arange(patterns), len(part))
        chances = np.concatenate([weights for _, weights in part])
        shape = (patterns, len(cells))
        channels.append(csr_matrix((chances, (rows, index.ravel()[start:end])), shape=shape))
        start = end
    truth = _most_likely(channels, [batch.shares * batch.n for batch in batches])
    keep = (truth > 0) & (cells[:, : len(within)] == list(within.values())).all(axis=1)
    return cells[keep][:, len(within) :], truth[keep]


def _list_parts(counts: Counts, names: Sequence[str]) -> list[tuple[NDArray[np.int16], Array]]:
    """The possible truths of each pattern with its chances given them, one part at a time."""
    most = _LARGEST // len(counts.reports)
    found = possible_truths(counts, names, most, transpose_channel)
    if found is None:
        raise QueryError(
            f"{len(names)} questions have too many possible truths for a joint likelihood. Name "
            "fewer questions."
        )
    return list(found)


def _most_likely(channels: Sequence[csr_matrix], reports: Sequence[Array]) -> Array:
    """The most likely shares of the possible truths, the columns of every batch's channel."""
    n = sum(float(each.sum()) for each in reports)
    truths = channels[0].shape[1]
    observed = [
        ObservedShares(channel.dot, channel.T.dot, counts / n)
        for channel, counts in zip(channels, reports, strict=True)
    ]
    return maximise(observed, np.full(truths, 1 / truths))
