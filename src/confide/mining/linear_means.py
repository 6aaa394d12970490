"""Means of functions of the true answers, from reports: one more linear query.

Σ_t f_t p_t = Σ_r (Aᵀf)_r π_r with A = M⁻¹: every report carries a weight, the estimate is their
mean, and its variance is theirs divided by n. The papers' "test S and its complements, then solve"
(`du-zhan-2003` 4.3, `multi-group` 4.6, `surveys` 3.4) is this sum with f = 1 where the model is
right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf, prod

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.counts.distinct_rows import number_cells
from confide.errors import QueryError
from confide.estimators.event_weights import Where, event_weights
from confide.estimators.merged_intervals import has_noise
from confide.estimators.possible_truths import possible_truths
from confide.estimators.table_channel import DENSE_CELLS, TableChannel
from confide.mining.noisy_numbers import estimate_reconstructed_means
from confide.mining.noisy_numbers.reconstructed_means import Functions
from confide.mining.weighed_functions import Means, WeighedFunctions
from confide.progress import track

_FEW_CELLS = 4_096
"""Up to so many combinations of answers are always written out."""
_CELLS_A_PART = 256
"""A part of the inverse takes as long as so many cells, however few reports there are."""
MOST_PARTS = 1 << 22
"""The most truths that are written out behind the patterns of the reports."""
Regions = Iterable[tuple[Mapping[str, Sequence[int]], Array]]
"""Disjoint events with the functions' constant values on each."""
Visit = Callable[[Counts, float], Array | None]
"""A batch and the most visits per pattern → what each pattern counts for: (patterns, functions)."""
_FEW_VISITS = 10_000
"""So many visits of a tree's nodes take as long as to write out the answers behind a pattern."""


def estimate_means(
    batches: Sequence[Counts],
    names: Sequence[str],
    functions: Functions,
    regions: Regions | None = None,
    visit: Visit | None = None,
) -> Means:
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
    visit : callable, optional
        Weighs reports by visits of a tree's nodes, where these are quicker; None where they are
        not possible, or would be too many.
    """
    if has_noise(batches, names):
        if any(batch.drawn is not None for batch in batches):
            raise QueryError(
                "beside noise on a number an accuracy takes no weights. Leave them out."
            )
        values, covariance = estimate_reconstructed_means(batches, names, functions)
        return Means(values, covariance, sum(batch.n for batch in batches))
    parts = [_weigh_batch(batch, names, functions, regions, visit) for batch in track(batches)]
    return Means.of(parts)


def estimate_event_share(batches: Sequence[Counts], event: Where) -> tuple[float, float]:
    """Estimate the share of an event, with its standard error."""
    parts = [WeighedFunctions(batch, event_weights(batch, event)[:, None]) for batch in batches]
    found = Means.of(parts)
    return float(found.values[0]), float(np.sqrt(max(found.covariance[0, 0], 0.0)))


def _weigh_batch(
    batch: Counts,
    names: Sequence[str],
    functions: Functions,
    regions: Regions | None,
    visit: Visit | None,
) -> WeighedFunctions:
    """Find what each report counts for, by the way that takes least."""
    cells = prod(batch.design.question(name).size for name in names)
    if cells <= min(_FEW_CELLS, DENSE_CELLS):
        return _weigh_cells(batch, names, functions)
    if visit is not None and (weights := visit(batch, _FEW_VISITS)) is not None:
        return WeighedFunctions(batch, weights)
    most = MOST_PARTS // len(batch.reports)
    if cells <= DENSE_CELLS:
        most = min(most, cells // max(len(batch.reports), _CELLS_A_PART))
    parts = possible_truths(batch, names, most)
    if parts is not None:  # few reports: their truths are fewer than all cells
        total = sum(weights[:, None] * functions(codes) for codes, weights in parts)
        return WeighedFunctions(batch, np.asarray(total))
    if visit is not None and (weights := visit(batch, inf)) is not None:
        return WeighedFunctions(batch, weights)
    if cells <= DENSE_CELLS:
        return _weigh_cells(batch, names, functions)
    if regions is None:
        raise QueryError(
            f"{', '.join(names[:5])} and {len(names) - 5} more questions have too many possible "
            "truths to score a model that looks at all of them. Use a model of fewer questions."
        )
    return WeighedFunctions(batch, _weigh_regions(batch, list(regions)))


def _weigh_regions(
    batch: Counts, regions: Sequence[tuple[Mapping[str, Sequence[int]], Array]]
) -> Array:
    """Add the regions up one by one: a table for each of them would not fit into memory."""
    total = np.zeros((len(batch.reports), len(regions[0][1])))
    for where, values in track(regions):
        (places,) = np.nonzero(values)
        total[:, places] += event_weights(batch, where)[:, None] * values[places]
    return total


def _weigh_cells(batch: Counts, names: Sequence[str], functions: Functions) -> WeighedFunctions:
    channel = TableChannel(batch.design, names)
    cells = np.indices(channel.shape, np.int16).reshape(len(names), -1).T
    values = functions(cells)
    weights = [
        channel.weights(each.reshape(channel.shape)).ravel() for each in track(list(values.T))
    ]
    columns = [batch.patterns[:, batch.design.position(name)] for name in names]
    places = number_cells(columns, channel.shape)
    return WeighedFunctions(batch, np.stack(weights, axis=1)[places], values, channel)
