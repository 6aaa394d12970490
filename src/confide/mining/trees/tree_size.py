"""How large a tree should be: no larger than reports can tell, people can read, or is asked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Indices
from confide.mining.trees.pruning import mark_cuts_by_cost, prune_by_cost
from confide.mining.trees.tree import LEAF, Tree

_HIGHEST_PRICE = 0.25  # a leaf that adds a quarter to the accuracy always stays
_PRICES = 60
_MARGIN = 2.0
"""Trees are alike whose accuracies differ by at most so many standard errors …"""
_MOST_LOST = 0.001
"""… and by no more than this: with few reports all trees are alike, but not equally good. Chosen
on simulated populations (docs/research/mining-ablation.md)."""
_READABLE, _MOST_LOST_READABLE = 60, 0.01
"""Nobody reads a tree of more leaves; to have no more, one may lose so much of its accuracy."""
_PARTS, _ROUNDS = 8, 10
"""A price is sought among so many, then among so many between two of them. Prices that are nearer
than that in the end are one: rounding must not part tests that earn the same."""


def keep_smallest_alike(tree: Tree, n: int, price: float, most_lost: float = _MOST_LOST) -> Tree:
    """Keep the smallest tree that n answers in the clear could hardly tell from the largest.

    The trees are those that are best when every leaf costs a price in accuracy; in the largest it
    costs ``price``. Two trees differ by people to whom they give different classes. With a share d
    of them, the difference in accuracy on n answers in the clear has a standard error of up to
    √(d/n); disguised reports tell less. Two standard errors may be lost, but no more of the
    accuracy than ``most_lost``.
    """
    tree = prune_by_cost(tree, price)
    cut = mark_cuts_by_cost(tree, np.array(list_prices(price, _PRICES)[1:]))
    leaves, shares = tree.leaves, tree.shares[tree.leaves].clip(0)
    right, best = _find_labels(tree, cut)[leaves], tree.label[leaves][:, None]
    rows = np.arange(len(leaves))[:, None]
    lost = (shares[rows, best] - shares[rows, right]).sum(axis=0)
    apart = np.where(right != best, shares.sum(axis=1)[:, None], 0.0).sum(axis=0)
    alike = lost <= np.minimum(_MARGIN * np.sqrt(apart / n), most_lost)
    chosen = cut[:, np.flatnonzero(alike)[-1]] if alike.any() else np.zeros(len(tree), bool)
    return tree.cut(np.flatnonzero(chosen).tolist())


def keep_readable(tree: Tree, n: int, borne_out: float) -> Tree:
    """Cut a tree to as many leaves as people read, unless that costs too much of its accuracy.

    That is a hundredth, or less where reports are many: 1/√n, two standard errors of an accuracy.
    Of what the tree's own shares promise only the part counts that left-out reports bear out.
    """
    smaller = limit_leaves(tree, _READABLE)
    lost = borne_out * (compute_accuracy(tree) - compute_accuracy(smaller))
    return smaller if lost <= min(_MOST_LOST_READABLE, 1 / np.sqrt(n)) else tree


def compute_accuracy(tree: Tree) -> float:
    """The share of people whose class a tree tells, by its own shares."""
    return float(tree.shares[tree.leaves, tree.label[tree.leaves]].sum())


def limit_leaves(tree: Tree, most: int) -> Tree:
    """Cut the tests that earn least for their leaves, until there are at most so many leaves."""
    if len(tree.leaves) <= most:
        return tree
    low, width = 0.0, 1.0  # with prices of 1 nothing but the root is left
    for _ in range(_ROUNDS):
        width /= _PARTS
        prices = low + width * np.arange(1.0, _PARTS + 1)
        few = _count_leaves(tree, mark_cuts_by_cost(tree, prices)) <= most
        low = float(prices[few.argmax()]) - width
    return prune_by_cost(tree, low + width)


def _count_leaves(tree: Tree, cut: NDArray[np.bool_]) -> Indices:
    """Count the leaves that a tree has with some of its nodes cut, in several ways to cut it."""
    gone = np.zeros_like(cut)
    for here in tree.levels[1:]:
        parents = tree.parent[here]
        gone[here] = cut[parents] | gone[parents]
    return np.count_nonzero((cut | (tree.question == LEAF)[:, None]) & ~gone, axis=0)


def list_prices(lowest: float, count: int) -> list[float]:
    """List so many prices of a leaf to choose from, the lowest first."""
    return [float(price) for price in np.geomspace(lowest, _HIGHEST_PRICE, count)]


def _find_labels(tree: Tree, cut: NDArray[np.bool_]) -> Indices:
    """Give what each node's people are predicted with some nodes cut, in several ways to cut."""
    label, closed = np.repeat(tree.label[:, None], cut.shape[1], axis=1), cut.copy()
    for here in tree.levels[1:]:
        parents = tree.parent[here]
        label[here] = np.where(closed[parents], label[parents], label[here])
        closed[here] |= closed[parents]
    return label
