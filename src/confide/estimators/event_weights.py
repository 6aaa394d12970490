"""The inverse without a table: every pattern of reports carries its own weights.

Where the whole table would be too large the estimate of an event is still a mean of per-report
weights, and a weight is a product over the groups of a short sum over the terms of each inverse:
for flips the two orientations of a group, for single questions one number per question.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod

import numpy as np

from confide.arrays import Array
from confide.counts import Counts, report_sizes
from confide.design import Block
from confide.mechanisms import Mixture

Where = Mapping[str, int | Sequence[int]]
"""Questions with the code that each must have, or several codes of which it must have one."""
Transform = Callable[[Mixture], Mixture]
"""What is done to a group's operator before it is applied, such as squaring its elements."""
Fixed = dict[int, int | Sequence[int]]
"""The places of a group's fixed questions, with the codes that they may have."""
Entangled = tuple[Block, Fixed, list[int]]
"""A group with questions both fixed and open, and the axes of the open ones."""


def _keep_operator(mixture: Mixture) -> Mixture:
    return mixture


def event_weights(counts: Counts, where: Where) -> Array:
    """The weight of each pattern in the estimated share of an event: a row of M⁻¹."""
    weights = np.ones(len(counts.reports))
    for block in counts.design.blocks:
        fixed = find_fixed(block, where)
        if fixed:
            weights *= _term_weights(counts, block, fixed, fix_rows(block, fixed)).sum(axis=0)
    return weights


def invert_patterns(
    counts: Counts,
    weights: Array,
    where: Where,
    questions: Sequence[str],
    transform: Transform = _keep_operator,
) -> Array:
    """Σ_r weights_r · A[(where, v), r] as a table over the questions' values v.

    ``transform`` may replace the inverse by an elementwise power.
    """
    design = counts.design
    places = [design.position(name) for name in questions]
    open_blocks: list[tuple[Mixture, list[int]]] = []
    entangled: list[Entangled] = []
    for block in design.blocks:
        fixed = find_fixed(block, where)
        axes = [places.index(p) for p in block.positions if p in places]
        if fixed and axes:
            entangled.append((block, fixed, axes))
        elif fixed:
            operator = transform(fix_rows(block, fixed))
            weights = weights * _term_weights(counts, block, fixed, operator).sum(axis=0)
        elif axes:
            keep = [j for j, p in enumerate(block.positions) if p in places]
            open_blocks.append((transform(block.inverse_on(keep)), axes))
    table = _invert_entangled(counts, weights, places, entangled, transform)
    return reduce(lambda t, step: step[0].apply(t, step[1]), open_blocks, table)


def _invert_entangled(
    counts: Counts, weights: Array, places: list[int], blocks: list[Entangled], transform: Transform
) -> Array:
    """Sum one table per term, for groups with questions both fixed and open."""
    sizes = [report_sizes(counts.design)[p] for p in places]
    cells = np.ravel_multi_index([counts.patterns[:, p] for p in places], sizes) if places else None
    choices = []
    for block, fixed, axes in blocks:
        opened = [block.positions.index(places[axis]) for axis in axes]
        mixture = transform(fix_rows(block, fixed, opened))
        states = _term_weights(counts, block, fixed, mixture)
        factors = mixture.factors[len(fixed) :]
        choices.append([(state, [f[j] for f in factors], axes) for j, state in enumerate(states)])
    total = np.zeros(())  # of truths, which may be fewer than reports
    for terms in product(*choices):
        weighed = prod((state for state, _, _ in terms), start=weights)
        if cells is None:
            total = total + weighed.sum()
            continue
        table = np.asarray(np.bincount(cells, weighed, prod(sizes)), float).reshape(sizes)
        for _, matrices, axes in terms:
            table = Mixture.of([(1.0, matrices)]).apply(table, axes)
        total = total + table
    return total


def _term_weights(counts: Counts, block: Block, fixed: Fixed, mixture: Mixture) -> Array:
    """Each term's weight for each pattern, over the group's fixed questions: (terms, patterns)."""
    states = np.tile(mixture.weights[:, None], len(counts.reports))
    for factor, j in zip(mixture.factors, fixed, strict=False):
        states *= factor[:, 0][:, counts.patterns[:, block.positions[j]]]
    return states


def fix_rows(block: Block, fixed: Fixed, opened: Sequence[int] = ()) -> Mixture:
    """The inverse on a group's fixed questions, one row for the codes they may have, then others.

    Codes are added up before anything is squared: the weight of "law or arts" is a sum of weights.
    """
    inverse = block.inverse_on([*fixed, *opened])
    rows = [
        factor[:, np.atleast_1d(code)].sum(axis=1, keepdims=True)
        for factor, code in zip(inverse.factors, fixed.values(), strict=False)
    ]
    return Mixture(inverse.weights, (*rows, *inverse.factors[len(rows) :]))


def find_fixed(block: Block, where: Where) -> Fixed:
    """Find the fixed questions of a group, with their codes."""
    return {j: where[q.name] for j, q in enumerate(block.questions) if q.name in where}
