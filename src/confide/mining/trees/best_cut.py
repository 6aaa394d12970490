"""The most accurate tree of so many leaves that a larger tree can be cut to.

Cutting by a price of a leaf finds only some of them: where tests earn most together, as in
exclusive or, a price keeps all of them or none. Here each node is asked how few people below it
need to be wrong with one leaf, two leaves and so on (Bohanec and Bratko 1994).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array, Indices
from confide.mining.trees.pruning import count_wrong
from confide.mining.trees.tree import Tree

_ROUNDING = 1e-12


def keep_most_accurate(tree: Tree, most: int) -> Tree:
    """Cut a tree to at most so many leaves, and to the fewest that are as accurate."""
    if len(tree.leaves) <= most:
        return tree
    as_leaf = count_wrong(tree)
    branches = [[child for _, child in tree.branches(node)] for node in range(len(tree))]
    wrong: list[Array] = [np.zeros(0)] * len(tree)
    dealt: list[list[Indices]] = [[]] * len(tree)
    for node in reversed(range(len(tree))):
        children = branches[node]
        wrong[node] = as_leaf[[node] * min(max(len(children), 1), most)]
        if 0 < len(children) <= most:
            below, dealt[node] = _deal(
                [wrong[child] for child in children], most - len(children) + 1
            )
            wrong[node] = np.r_[wrong[node][1:], np.minimum(below, as_leaf[node])]
    cut, left = [], [(0, most - 1)]
    while left:
        node, more = left.pop()
        more = _find_fewest(wrong[node], more)
        if more == 0:
            cut.append(node)
            continue
        more -= len(branches[node]) - 1
        for child, own in zip(branches[node][::-1], dealt[node][::-1], strict=True):
            left.append((child, int(own[more])))
            more -= int(own[more])
    return tree.cut(cut)


def _deal(children: Sequence[Array], most: int) -> tuple[Array, list[Indices]]:
    """Deal further leaves among children, to each what it makes best use of.

    Gives how many are wrong in all with none, one, … further leaves, fewer than ``most``, and how
    many of these each child has where it is the last of the children to be dealt some.
    """
    total, dealt = np.zeros(1), []
    for wrong in children:
        together = np.full(min(len(total) + len(wrong) - 1, most), np.inf)
        own = np.zeros(len(together), np.intp)
        for more, here in enumerate(wrong[: len(together)]):
            reached = total[: len(together) - more] + here
            places = more + np.flatnonzero(
                reached < together[more : more + len(reached)] - _ROUNDING
            )
            together[places], own[places] = reached[places - more], more
        total = together
        dealt.append(own)
    return total, dealt


def _find_fewest(wrong: Array, more: int) -> int:
    """Find how few further leaves do as well as so many."""
    return int(np.argmax(wrong <= wrong[min(more, len(wrong) - 1)] + _ROUNDING))
