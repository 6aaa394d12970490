"""How surely the people in a tree's nodes are counted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.crowd import Crowd
from confide.estimators.merged_intervals import has_noise
from confide.mining.linear_means import estimate_event_share
from confide.mining.trees.leaf_errors import estimate_node_errors
from confide.mining.trees.tree import Tree

_MOST = 255
"""A picture of more nodes than this is no picture; the rest is not worth the time."""


def estimate_node_shares(tree: Tree, features: Sequence[str], target: str, crowd: Crowd) -> Array:
    """Estimate each node's share and its standard error: (first nodes, 2).

    A node is an event, so its share, by the inverse, is a mean of per-report weights like every
    other. A tree that was grown on a smoothed population has other shares in its nodes; those have
    no known error. Where a number has noise there is no inverse, and the shares are the tree's own.
    """
    if has_noise(crowd.batches, [*features, target]):
        top = _keep_first_levels(tree)
        return np.stack([top.shares.sum(axis=1), estimate_node_errors(top, target, crowd)], axis=1)
    found = []
    for node in range(min(len(tree), _MOST)):
        where = {features[place]: codes for place, codes in tree.path(node).items()}
        found.append(estimate_event_share(crowd.batches, where))
    return np.array(found)


def _keep_first_levels(tree: Tree) -> Tree:
    """Cut the tree below the last level with which it has no more nodes than are shown."""
    last = np.flatnonzero(np.cumsum([len(level) for level in tree.levels]) <= _MOST)[-1]
    return tree.cut(tree.levels[last].tolist())
