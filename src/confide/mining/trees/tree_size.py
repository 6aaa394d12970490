"""How large a tree should be: no larger than reports can tell, people can read, or is asked."""

from __future__ import annotations

import numpy as np

from confide.arrays import Indices
from confide.mining.trees.pruning import find_cuts_by_cost
from confide.mining.trees.tree import Tree

_PRICES, _HIGHEST_PRICE = 60, 0.25  # a leaf that adds a quarter to the accuracy always stays
_MARGIN = 2.0
"""Trees are alike whose accuracies differ by at most so many standard errors …"""
_MOST_LOST = 0.003
"""… and by no more than this: with few reports all trees are alike, but not equally good. Chosen
on simulated populations (docs/research/mining-ablation.md)."""
_READABLE, _MOST_LOST_READABLE = 60, 0.01
"""A tree with more leaves is read by nobody; fewer may cost so much accuracy if few can tell."""
_HALVINGS = 30
"""Nearer prices are one: rounding must not part tests that earn the same."""


def keep_smallest_alike(tree: Tree, n: int, price: float, most_lost: float = _MOST_LOST) -> Tree:
    """Keep the smallest tree that as many reports could not tell from the largest.

    The trees are those that are best when every leaf costs a price in accuracy; in the largest it
    costs ``price``. Two trees differ by people to whom they give different classes. With a share d
    of them, the difference in accuracy on n answers in the clear has a standard error of up to
    √(d/n); disguised reports tell less. At most ``most_lost`` of the accuracy is given up.
    """
    tree = tree.cut(find_cuts_by_cost(tree, price).tolist())
    leaves, chosen = tree.leaves, np.empty(0, np.intp)
    shares = tree.shares[leaves].clip(0)
    rows = np.arange(len(leaves))
    for higher in list_prices(price)[1:]:
        cuts = find_cuts_by_cost(tree, higher)
        label = _find_labels(tree, cuts)[leaves]
        lost = float((shares[rows, tree.label[leaves]] - shares[rows, label]).sum())
        apart = float(shares[label != tree.label[leaves]].sum())
        if lost <= min(_MARGIN * np.sqrt(apart / n), most_lost):
            chosen = cuts
    return tree.cut(chosen.tolist())


def keep_readable(tree: Tree, n: int) -> Tree:
    """Cut a tree to as many leaves as people read, unless that costs too much of its accuracy.

    That is a hundredth, or less where reports are many: 1/√n, two standard errors of an accuracy.
    """
    smaller = limit_leaves(tree, _READABLE)
    lost = _compute_accuracy(tree) - _compute_accuracy(smaller)
    return smaller if lost <= min(_MOST_LOST_READABLE, 1 / np.sqrt(n)) else tree


def _compute_accuracy(tree: Tree) -> float:
    """The share of people whose class a tree tells, by its own shares."""
    return float(tree.shares[tree.leaves, tree.label[tree.leaves]].sum())


def limit_leaves(tree: Tree, most: int) -> Tree:
    """Cut the tests that earn least for their leaves, until there are at most so many leaves."""
    if len(tree.leaves) <= most:
        return tree
    low, high = 0.0, 1.0  # with prices of 1 nothing but the root is left
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if len(tree.cut(find_cuts_by_cost(tree, middle).tolist()).leaves) <= most:
            high = middle
        else:
            low = middle
    return tree.cut(find_cuts_by_cost(tree, high).tolist())


def list_prices(lowest: float) -> list[float]:
    """List prices of a leaf to choose from, the lowest first."""
    return [float(price) for price in np.geomspace(lowest, _HIGHEST_PRICE, _PRICES)]


def _find_labels(tree: Tree, cuts: Indices) -> Indices:
    """Give what each node's people are predicted when some nodes are made leaves."""
    label, closed = tree.label.copy(), np.zeros(len(tree), bool)
    closed[cuts] = True
    for depth in range(1, int(tree.depth.max(initial=0)) + 1):
        here = np.flatnonzero(tree.depth == depth)
        parents = tree.parent[here]
        label[here] = np.where(closed[parents], label[parents], label[here])
        closed[here] |= closed[parents]
    return label
