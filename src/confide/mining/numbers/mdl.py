"""Pruning by minimum description length, as in SLIQ (Mehta, Agrawal and Rissanen, 1996).

A leaf costs one bit and its errors; a test costs one bit, one more for its cut, and what its
branches cost. A test that costs more than a leaf in its place is cut away.
"""

from __future__ import annotations

import numpy as np

from confide.mining.tree import LEAF, Tree

_NODE = 1.0
_TEST = 1.0


def pruned(tree: Tree, n: int) -> Tree:
    """The tree without the tests that do not pay, learned from n reports."""
    counts = tree.shares.clip(0) * n
    errors = counts.sum(axis=1) - np.take_along_axis(counts, tree.label[:, None], axis=1)[:, 0]
    leaf = _NODE + errors
    below = np.zeros(len(tree))
    closed = []
    for node in range(len(tree) - 1, -1, -1):
        cost = leaf[node]
        if tree.question[node] != LEAF:
            split = _NODE + _TEST + below[node]
            if split < cost:
                cost = split
            else:
                closed.append(node)
        if node:
            below[tree.parent[node]] += cost
    return tree.cut(closed) if closed else tree
