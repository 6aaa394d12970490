"""Means of functions of the true answers, from reports: one more linear query.

Σ_t f_t p_t = Σ_r (Aᵀf)_r π_r with A = M⁻¹: every report carries a weight, the estimate is their
mean, and its variance is theirs divided by n. The papers' "test S and its complements, then solve"
(`du-zhan-2003` 4.3, `multi-group` 4.6, `surveys` 3.4) is this sum with f = 1 where the model is
right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.counts import Counts
from confide.errors import QueryError
from confide.estimators.event_weights import Where, event_weights
from confide.estimators.merged_intervals import has_noisy_number
from confide.estimators.possible_truths import possible_truths
from confide.estimators.table_channel import DENSE_CELLS, TableChannel
from confide.mining.noisy_numbers import estimate_reconstructed_means
from confide.mining.progress import track

MOST_PARTS = 1 << 22
"""The most truths that are written out behind the patterns of the reports."""
Codes = NDArray[np.int16]
Functions = Callable[[Codes], Array]
"""Rows of codes → the values of some functions: (rows, functions)."""
Regions = Iterable[tuple[Mapping[str, Sequence[int]], Array]]
"""Disjoint events with the functions' constant values on each."""


def estimate_means(
    batches: Sequence[Counts],
    names: Sequence[str],
    functions: Functions,
    regions: Regions | None = None,
) -> tuple[Array, Array]:
    """Estimate the means of functions of the true answers to some questions.

    Parameters
    ----------
    batches : sequence of Counts
        The reports.
    names : sequence of str
        The questions that the functions look at, in the order of the columns they get.
    functions : callable
        From rows of codes to the functions' values.
    regions : iterable, optional
        The same functions as disjoint events with constant values, used where the questions have
        too many combinations.

    Returns
    -------
    values, covariance : arrays
        The estimates and the covariance matrix of their errors.
    """
    if any(has_noisy_number(batch.design, names) for batch in batches):
        return estimate_reconstructed_means(batches, names, functions)
    return _pool(
        (batch, *_weigh_reports(batch, names, functions, regions)) for batch in track(batches)
    )


def estimate_event_shares(
    batches: Sequence[Counts], events: Sequence[Where]
) -> tuple[Array, Array]:
    """Estimate the shares of some events together, with the covariance of their errors."""
    return _pool(
        (
            batch,
            batch.reports / batch.n,
            np.stack([event_weights(batch, event) for event in events], axis=1),
        )
        for batch in batches
    )


def _pool(parts: Iterable[tuple[Counts, Array, Array]]) -> tuple[Array, Array]:
    """Pool means and their covariance from each batch's shares and weights."""
    total, first, second = 0, np.zeros(()), np.zeros(())
    for batch, shares, weights in parts:
        mean = shares @ weights
        spread = (weights * shares[:, None]).T @ weights - np.outer(mean, mean)
        total, first, second = total + batch.n, first + batch.n * mean, second + batch.n * spread
    return np.asarray(first / total), np.asarray(second / total**2)


def _weigh_reports(
    batch: Counts, names: Sequence[str], functions: Functions, regions: Regions | None
) -> tuple[Array, Array]:
    """Find the shares of the distinct reports, and the weight of each in each estimate."""
    cells = prod(batch.design.question(name).size for name in names)
    most = min(cells, MOST_PARTS) if cells <= DENSE_CELLS else MOST_PARTS
    shares = batch.reports / batch.n
    parts = possible_truths(batch, names, most // len(batch.reports))
    if parts is not None:  # few reports: their truths are fewer than all cells
        total = sum(weights[:, None] * functions(codes) for codes, weights in parts)
        return shares, np.asarray(total)
    if cells <= DENSE_CELLS:
        return _weigh_cells(batch, names, functions)
    if regions is None:
        raise QueryError(
            f"{', '.join(names[:5])} and {len(names) - 5} more questions have too many possible "
            "truths to score a model that looks at all of them. Use a model of fewer questions."
        )
    pairs = track(list(regions))
    each = [event_weights(batch, where)[:, None] * values for where, values in pairs]
    return shares, np.asarray(sum(each))


def _weigh_cells(batch: Counts, names: Sequence[str], functions: Functions) -> tuple[Array, Array]:
    channel = TableChannel(batch.design, names)
    cells = np.indices(channel.shape, np.int16).reshape(len(names), -1).T
    values = functions(cells)
    weights = [
        channel.weights(each.reshape(channel.shape)).ravel() for each in track(list(values.T))
    ]
    return batch.table(names).ravel() / batch.n, np.stack(weights, axis=1)
