"""The people in a tree's leaves, as if their answers were independent of each other there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array, Indices
from confide.estimators.latent_classes.mixture_em import PRIOR
from confide.mining.trees.tree import Tree

_TINY = 1e-12


def make_leaf_tables(
    tree: Tree, leaves: Indices, n: float, margins: Sequence[Array], target: int
) -> list[Array]:
    """Make for every question a table of how often each answer comes in each leaf.

    Everyone in a leaf has the answers that lead there, and all others as people have them at large.

    Parameters
    ----------
    tree : Tree
        The tree.
    leaves : integer array
        Some of its leaves.
    n : float
        The number of reports.
    margins : one array per question of the design
        The distribution of its answers at large.
    target : int
        The position of the question that the tree predicts; the others are its features.

    Returns
    -------
    one array of shape (leaves, answers) per question
        The shares of the answers at large that lead to the leaf; for the target, how many people.
    """
    people = n * tree.shares[leaves].clip(0)
    features = [*margins[:target], *margins[target + 1 :]]
    opened = tree.find_open_codes([len(margin) for margin in features])
    tables = [
        np.where(reached[leaves], np.maximum(margin, _TINY), 0.0)
        for reached, margin in zip(opened, features, strict=True)
    ]
    return [*tables[:target], people + PRIOR / people.shape[1], *tables[target:]]
