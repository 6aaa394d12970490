"""The likelihood of a table too large to keep, over the patterns that could have been reported.

Where each branch of a channel maps a report back to one truth, as flips of yes-no questions do, the
only truths with any likelihood are the flips of the patterns that came in. Expectation–maximisation
from the uniform table never leaves them, so it runs on them alone and gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from confide.counts import Counts
from confide.crowd.algebra import Array
from confide.design import Block
from confide.errors import QueryError
from confide.mechanisms import Mixture

_LARGEST = 1 << 24
_STEPS = 500
_TOLERANCE = 1e-9


def weighted_support(
    batches: Sequence[Counts], names: Sequence[str], within: Mapping[str, int]
) -> tuple[NDArray[Any], Array]:
    """The cells with positive likelihood weight, and those weights, in a sub-population."""
    from scipy.sparse import csr_matrix

    rows, chances = zip(*(_origins(batch, names) for batch in batches), strict=True)
    stacked = np.concatenate([part.reshape(-1, len(names)) for part in rows])
    cells, index = np.unique(stacked, axis=0, return_inverse=True)
    channels, start = [], 0
    for part, chance in zip(rows, chances, strict=True):
        patterns, branches = part.shape[:2]
        columns = index.ravel()[start : start + patterns * branches]
        row = np.repeat(np.arange(patterns), branches)
        shape = (patterns, len(cells))
        channels.append(csr_matrix((np.tile(chance, patterns), (row, columns)), shape=shape))
        start += patterns * branches
    truth = _most_likely(channels, [batch.reports for batch in batches])
    keep = (truth > 0) & (cells[:, : len(within)] == list(within.values())).all(axis=1)
    return cells[keep][:, len(within) :], truth[keep]


def _most_likely(channels: list[Any], reports: list[NDArray[np.int64]]) -> Array:
    n = sum(int(each.sum()) for each in reports)
    truth = np.full(channels[0].shape[1], 1 / channels[0].shape[1])
    for _ in range(_STEPS):
        back = sum(c.T @ (r / n / (c @ truth)) for c, r in zip(channels, reports, strict=True))
        improved = truth * back
        if np.abs(improved - truth).sum() < _TOLERANCE:
            return np.asarray(improved)
        truth = improved
    return truth


def _origins(counts: Counts, names: Sequence[str]) -> tuple[NDArray[Any], Array]:
    """Each pattern's possible truths (patterns, branches, questions) and each branch's chance."""
    design = counts.design
    places = {design.position(name): axis for axis, name in enumerate(names)}
    choices = []
    for block in design.blocks:
        keep = [j for j, p in enumerate(block.positions) if p in places]
        if keep:
            mixture = block.mixture.marginal(keep)
            axes = [(block.positions[j], places[block.positions[j]]) for j in keep]
            choices.append([(mixture, axes, j) for j in range(len(mixture.weights))])
            _check_reversible(block, mixture)
    branches = list(product(*choices))
    if len(branches) * len(counts.reports) > _LARGEST:
        raise QueryError(
            f"{len(names)} questions in {len(choices)} groups have too many possible truths for a "
            "joint likelihood. Name fewer questions."
        )
    rows = np.empty((len(counts.reports), len(branches), len(names)), counts.patterns.dtype)
    chances = np.ones(len(branches))
    for b, terms in enumerate(branches):
        for mixture, axes, j in terms:
            chances[b] *= mixture.weights[j]
            for factor, (place, axis) in zip(mixture.factors, axes, strict=True):
                rows[:, b, axis] = factor[j].argmax(axis=1)[counts.patterns[:, place]]
    return rows, chances


def _check_reversible(block: Block, mixture: Mixture) -> None:
    """Refuse channels under which every truth could have given every report."""
    for factor in mixture.factors:
        if not ((factor == 0) | (factor == 1)).all() or not (factor.sum(axis=2) == 1).all():
            asked = ", ".join(question.name for question in block.questions[:5])
            raise QueryError(
                f"all questions together have too many combinations, and {asked} could be any of "
                "them. Name fewer questions."
            )
