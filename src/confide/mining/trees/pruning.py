"""Cutting a tree back to what the reports can support.

Three ways. *Reduced error*: a test stays if it raises the estimated accuracy on disguised
validation reports by more than a margin of its own standard errors. *Cost complexity*: a test stays
if it earns more than α in accuracy for each leaf it adds; α is chosen by disguised
cross-validation, the largest that the reports cannot tell from the best. *Description length*: a
test stays if it shortens the message that tells a reader every class (Mehta, Agrawal and Rissanen,
1996); it needs no other reports, and takes estimated counts as if they had been counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lgamma, log, log2, pi

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.crowd import Crowd
from confide.errors import ModelError
from confide.estimators.event_weights import event_weights
from confide.estimators.merged_intervals import has_noise
from confide.mining.trees.growth import Feature
from confide.mining.trees.tree import LEAF, Tree
from confide.mining.weighed_functions import Means, WeighedFunctions

_ROUNDING = 1e-12


def prune_by_error(
    tree: Tree, features: Sequence[str], target: str, validation: Crowd, margin: float
) -> Tree:
    """Cut every test whose gain in accuracy is within a margin of its standard errors.

    From the leaves up: the weights of the validation reports in "right below this node" minus
    those in "right if this node were a leaf" are the reports' own votes on the test.
    """
    if has_noise(validation.batches, [*features, target]):
        raise ModelError(
            'noise on a number has no inverse, which prune="reduced-error" needs. Prune by '
            '"cost-complexity" or "mdl".'
        )
    cut: list[int] = []

    def weigh_node(node: int, label: int) -> list[Array]:
        where = {features[place]: codes for place, codes in tree.path(node).items()}
        return [event_weights(batch, {**where, target: label}) for batch in validation.batches]

    def count_right_below(node: int) -> list[Array]:
        as_leaf = weigh_node(node, int(tree.label[node]))
        if tree.question[node] == LEAF:
            return as_leaf
        parts = [count_right_below(child) for _, child in tree.branches(node)]
        below = [np.sum(each, axis=0) for each in zip(*parts, strict=True)]
        value, error = _estimate_difference(validation, below, as_leaf)
        if value <= margin * error:
            cut.append(node)
            return as_leaf
        return below

    count_right_below(0)
    return tree.cut(cut)


def _estimate_difference(crowd: Crowd, more: list[Array], less: list[Array]) -> tuple[float, float]:
    triples = zip(crowd.batches, more, less, strict=True)
    votes = [WeighedFunctions(batch, (one - other)[:, None]) for batch, one, other in triples]
    found = Means.of(votes)
    return float(found.values[0]), float(np.sqrt(max(found.covariance[0, 0], 0.0)))


def prune_by_cost(tree: Tree, price: float) -> Tree:
    """Cut to the smallest tree that is best when every leaf costs a price in accuracy."""
    return tree.cut(np.flatnonzero(mark_cuts_by_cost(tree, np.array([price]))).tolist())


def mark_cuts_by_cost(tree: Tree, prices: Array) -> NDArray[np.bool_]:
    """Tell at each price of a leaf which nodes are cut to leaves: (nodes, prices)."""
    as_leaf = count_wrong(tree)[:, None] + prices
    return _mark_cheapest_cuts(tree, as_leaf, np.zeros(len(tree)))


def count_wrong(tree: Tree) -> Array:
    """Give the share of people in each node who are not of the class that it predicts."""
    counts = tree.shares.clip(0)  # a negative share is no one
    return np.asarray(counts.sum(axis=1) - counts[np.arange(len(tree)), tree.label])


def prune_by_description_length(tree: Tree, n: float, features: Sequence[Feature]) -> Tree:
    """Cut every test that does not pay for the bits it takes to write it down."""
    as_leaf = np.array([1 + _count_class_bits(shares.clip(0) * n) for shares in tree.shares])
    which = np.array([log2(len(features) * feature.tests) for feature in features])
    cut = _mark_cheapest_cuts(tree, as_leaf[:, None], 1 + which[tree.question])
    return tree.cut(np.flatnonzero(cut).tolist())


def prune_as_in_sliq(tree: Tree, n: int) -> Tree:
    """Cut by SLIQ's description length (Mehta, Agrawal and Rissanen, 1996).

    A leaf costs one bit and its errors; a test one bit, one more for its cut, and its branches.
    """
    as_leaf = 1 + n * count_wrong(tree)[:, None]
    cut = _mark_cheapest_cuts(tree, as_leaf, np.full(len(tree), 2.0))
    return tree.cut(np.flatnonzero(cut).tolist())


def _mark_cheapest_cuts(tree: Tree, as_leaf: Array, test: Array) -> NDArray[np.bool_]:
    """Mark where a leaf is not dearer than the test and all below it, from the leaves up.

    A leaf has several costs, each for itself: (nodes, costs).
    """
    cost, below = as_leaf.copy(), np.repeat(test[:, None], as_leaf.shape[1], axis=1)
    cut = np.zeros(as_leaf.shape, bool)
    for here in reversed(tree.levels):
        tested = here[tree.question[here] != LEAF]
        cut[tested] = as_leaf[tested] <= below[tested] + _ROUNDING
        cost[tested] = np.where(cut[tested], as_leaf[tested], below[tested])
        if here[0]:
            np.add.at(below, tree.parent[here], cost[here])
    return cut


def _count_class_bits(counts: Array) -> float:
    """Count the bits that tell everyone's class, by the stochastic complexity."""
    total, k = float(counts.sum()), len(counts)
    if total <= 0:
        return 0.0
    entropy = sum(float(c) * log(total / float(c)) for c in counts if c > 0)
    constant = (k - 1) / 2 * log(max(total, 2.0) / 2) + k / 2 * log(pi) - lgamma(k / 2)
    return (entropy + constant) / log(2)
