"""Every pattern's possible truths with their weights: the inverse or the channel, written out.

An entry of M⁻¹, or of M, is a sum over the terms of each group. A term whose factors are
permutations, as the flips of yes-no questions are, traces a report back to a single truth, so few
truths stand behind a pattern however many questions there are; a question in the clear is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Indices
from confide.counts import Counts
from confide.design import Block
from confide.mechanisms import Mixture

Truths = NDArray[np.int16]
"""Rows of answers by their codes, one column per question."""
BlockOperator = Callable[[Block, list[int]], Mixture]
"""A group's operator on some of its questions, from reports to truths."""
Slot = tuple[int, Indices, Array]
"""An axis; by report code the truth it may come from, and the weight of that."""
Term = tuple[float, list[list[Slot]]]
"""The weight of one term of a group's operator, and the slots of each of its questions."""


def possible_truths(
    counts: Counts, names: Sequence[str], most: int, operator: BlockOperator = Block.inverse_on
) -> Iterator[tuple[Truths, Array]] | None:
    """Truths (patterns, questions) with their weights, one part of the operator at a time.

    For the inverse, the sum over all parts of weight · f(truth) is the weight of each pattern in
    the estimate of the mean of f; for the channel, a weight is the chance of the pattern given
    that truth. None if there are more than ``most`` parts.
    """
    axis_of = {counts.design.position(name): axis for axis, name in enumerate(names)}
    choices: list[list[Term]] = []
    for block in counts.design.blocks:
        keep = [j for j, p in enumerate(block.positions) if p in axis_of]
        if keep:
            axes = [axis_of[block.positions[j]] for j in keep]
            choices.append(_list_terms(operator(block, keep), axes))
    parts = prod(sum(prod(map(len, slots)) for _, slots in terms) for terms in choices)
    return None if parts > most else _generate_parts(counts, names, choices)


def transpose_channel(block: Block, keep: list[int]) -> Mixture:
    """Give a group's channel on some of its questions, from reports to truths."""
    return block.channel_on(keep).transposed


def list_possible_truths(
    batches: Sequence[Counts], names: Sequence[str], most: int
) -> tuple[Truths, Array] | None:
    """List all truths behind some batches with their signed shares; None if over ``most``."""
    n = sum(batch.n for batch in batches)
    rows: list[Truths] = []
    shares: list[Array] = []
    for batch in batches:
        parts = possible_truths(batch, names, most // len(batch.reports))
        if parts is None:
            return None
        for codes, weights in parts:
            rows.append(codes)
            shares.append(weights * batch.shares * batch.n / n)
    return np.concatenate(rows), np.concatenate(shares)


def _list_terms(mixture: Mixture, axes: Sequence[int]) -> list[Term]:
    """The terms of a group's operator, with the slots of its questions on these axes."""
    return [
        (
            float(weight),
            [_list_slots(axis, f[j]) for axis, f in zip(axes, mixture.factors, strict=True)],
        )
        for j, weight in enumerate(mixture.weights)
    ]


def _generate_parts(
    counts: Counts, names: Sequence[str], choices: list[list[Term]]
) -> Iterator[tuple[Truths, Array]]:
    """One part for each choice of a term in every group and of a slot for every question."""
    reports = [counts.patterns[:, counts.design.position(name)] for name in names]
    for terms in product(*choices):
        start = prod(weight for weight, _ in terms)
        for chosen in product(*(slots for _, each in terms for slots in each)):
            codes = np.empty((len(counts.reports), len(names)), np.int16)
            weights = np.full(len(counts.reports), start, dtype=float)
            for axis, truth, weight in chosen:
                codes[:, axis] = truth[reports[axis]]
                weights *= weight[reports[axis]]
            yield codes, weights


def _list_slots(axis: int, factor: Array) -> list[Slot]:
    """One slot for a permutation, else one for each truth."""
    if (np.count_nonzero(factor, axis=0) == 1).all():
        truth = np.abs(factor).argmax(axis=0)
        return [(axis, truth, factor[truth, np.arange(factor.shape[1])])]
    reports = factor.shape[1]
    return [(axis, np.full(reports, truth), row) for truth, row in enumerate(factor)]
