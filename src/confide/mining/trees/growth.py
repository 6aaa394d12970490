"""Trees from estimated counts: ID3 and CART as the papers print them, a level at a time.

ID3 (`du-zhan-2003`, section 4.2): a node whose samples have one class is a leaf; a node without a
question left is a leaf of the majority class; otherwise the question with the highest gain is
tested, one branch per value, and an empty branch is a leaf of the node's majority class. CART
(`four-group`, section 2.1): the same with two branches, chosen among all partings of the values.

A question whose values are all the same in a node tests nothing: where no question splits, the
node is a leaf. That leaves out tests which could not change a prediction, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Indices
from confide.design import Finite, Question
from confide.mining.trees.criteria import (
    DIGITS,
    BestTests,
    Criterion,
    find_best_binary,
    find_best_multiway,
)
from confide.mining.trees.frontier import Frontier
from confide.mining.trees.tree import LEAF, Tree

AnyFrontier = TypeVar("AnyFrontier", bound=Frontier)
Choose = Callable[[AnyFrontier], tuple[AnyFrontier, Indices]]
"""Keeps some of the open nodes for testing, and says which."""


@dataclass(frozen=True)
class Feature:
    """How a question may be tested.

    Parameters
    ----------
    size : int
        How many values it has.
    multiway : bool
        Whether its test has one branch per value; else two branches.
    ordered : bool
        Whether a test of two branches keeps the values' order.
    """

    size: int
    multiway: bool
    ordered: bool

    @property
    def tests(self) -> int:
        """How many tests of this question there are to choose from."""
        if self.multiway or self.size == 2:
            return 1
        return self.size - 1 if self.ordered else 2 ** (self.size - 1) - 1

    def find_best(self, cross: Array, criterion: Criterion) -> BestTests:
        """Find the best test of this question in each node."""
        if self.multiway or self.size == 2:
            return find_best_multiway(cross, criterion)
        return find_best_binary(cross, criterion, self.ordered)


def make_feature(question: Question, criterion: Criterion) -> Feature:
    """Say how a question is tested: ID3 branches on every option; all else is parted in two."""
    finite = isinstance(question, Finite)
    return Feature(question.size, finite and criterion == "entropy", question.ordered)


def grow(
    frontier: AnyFrontier,
    features: Sequence[Feature],
    criterion: Criterion,
    max_depth: int | None,
    least: float = 0.0,
    choose: Choose[AnyFrontier] | None = None,
) -> Tree:
    """Grow a tree from the root on, testing all open nodes of a level together.

    A node with less than the ``least`` share of the population is not tested, nor one that is not
    chosen.
    """
    (tree,) = grow_together(frontier, features, criterion, max_depth, [least], choose)
    return tree


def grow_together(
    frontier: AnyFrontier,
    features: Sequence[Feature],
    criterion: Criterion,
    max_depth: int | None,
    least: Sequence[float],
    choose: Choose[AnyFrontier] | None = None,
) -> list[Tree]:
    """Grow one tree from each open node, all at once: what `grow` would make of each by itself."""
    shares, limits = frontier.classes(), np.asarray(least)
    made = [_NewNodes(np.full(len(shares), LEAF), _find_commonest(shares), shares)]
    owner = [np.arange(len(shares))]
    tested: list[tuple[Indices, _LevelTests]] = []
    widest = max(feature.size for feature in features)
    mixed = _are_mixed(shares)
    ids, total = np.flatnonzero(mixed), len(shares)
    if 0 < len(ids) < total:  # where all values lead to one node, the others are left out
        same = np.where(mixed, np.cumsum(mixed) - 1, -1)
        frontier = frontier.split(np.zeros(total, np.intp), np.tile(same[:, None], widest))
    while len(ids) and (max_depth is None or len(tested) < max_depth):
        if choose is not None:
            frontier, kept = choose(frontier)
            ids = ids[kept]
            if not len(ids):
                break
        level = _find_best_tests(frontier, features, criterion)
        number, born = _open_children(
            level, ids, made[-1].label[ids - (total - len(made[-1].label))]
        )
        tested.append((ids, replace(level, branch=np.where(number < 0, -1, number + total))))
        made.append(born)
        owner.append(np.concatenate(owner)[born.parent])
        large = born.shares.clip(0).sum(axis=1) >= limits[owner[-1]]
        opened = _are_mixed(born.shares) & large
        place = np.r_[np.where(opened, np.cumsum(opened) - 1, -1), -1]
        frontier = frontier.split(level.question, place[number])
        ids, total = np.flatnonzero(opened) + total, total + len(opened)
    forest = _build_forest(made, tested, widest)
    trees = np.concatenate(owner)
    return [forest.keep(np.flatnonzero(trees == tree)) for tree in range(len(shares))]


@dataclass(frozen=True)
class _NewNodes:
    """New nodes: their parents, labels and shares."""

    parent: Indices
    label: Indices
    shares: Array


@dataclass(frozen=True)
class _LevelTests:
    """The best test of each open node, with the shares of class × value of its question."""

    question: Indices
    gain: Array
    branch: Indices
    cross: Array


def _find_best_tests(
    frontier: Frontier, features: Sequence[Feature], criterion: Criterion
) -> _LevelTests:
    """Try every question in every open node and keep the best; the first of equals."""
    widest = max(feature.size for feature in features)
    alike: dict[Feature, list[int]] = {}
    for place, feature in enumerate(features):
        alike.setdefault(feature, []).append(place)
    found = [
        _find_best_alike(frontier, feature, places, criterion) for feature, places in alike.items()
    ]
    gain = np.stack([each.gain for each in found])
    places = np.stack([each.question for each in found])
    best = np.lexsort((places, -gain), axis=0)[0]
    nodes = np.arange(len(best))
    branch = np.full((len(best), widest), -1)
    cross = np.zeros((len(best), found[0].cross.shape[1], widest))
    for i, each in enumerate(found):
        size, ours = each.branch.shape[1], best == i
        branch[ours, :size], cross[ours, :, :size] = each.branch[ours], each.cross[ours]
    branch[np.isneginf(gain[best, nodes])] = -1
    question = np.where(np.isneginf(gain[best, nodes]), LEAF, places[best, nodes])
    return _LevelTests(question, gain[best, nodes], branch, cross)


def _find_best_alike(
    frontier: Frontier, feature: Feature, places: list[int], criterion: Criterion
) -> _LevelTests:
    """Find the best test among questions that are tested alike, all nodes and questions at once."""
    cross = frontier.cross(places)
    tests = feature.find_best(cross.reshape(-1, *cross.shape[2:]), criterion)
    gain = tests.gain.reshape(cross.shape[:2])
    best, nodes = gain.argmax(axis=0), np.arange(cross.shape[1])
    branch = tests.branch.reshape(*cross.shape[:2], -1)[best, nodes]
    return _LevelTests(np.array(places)[best], gain[best, nodes], branch, cross[best, nodes])


def _open_children(
    level: _LevelTests, parents: Indices, labels: Indices
) -> tuple[Indices, _NewNodes]:
    """Number the branches of all tests through, and gather what each child holds."""
    node, value = np.nonzero(level.branch >= 0)
    exists = np.zeros(level.branch.shape, bool)
    exists[node, level.branch[node, value]] = True
    numbered = np.cumsum(exists).reshape(exists.shape) - 1
    number = np.full(level.branch.shape, -1)
    number[node, value] = numbered[node, level.branch[node, value]]
    owner = np.nonzero(exists)[0]
    shares = np.stack(
        [
            np.bincount(number[node, value], level.cross[node, c, value], len(owner)).astype(float)
            for c in range(level.cross.shape[1])
        ],
        axis=1,
    )
    empty = ~(shares > 0).any(axis=1)
    label = np.where(empty, labels[owner], _find_commonest(shares))
    return number, _NewNodes(parents[owner], label, shares)


def _find_commonest(shares: Array) -> Indices:
    """Find the majority class; the first of equals, whatever the rounding."""
    return np.asarray(np.round(shares, DIGITS).argmax(axis=1))


def _are_mixed(shares: Array) -> NDArray[np.bool_]:
    """Whether more than one class has a positive count."""
    return np.asarray(np.count_nonzero(shares > 0, axis=1) > 1)


def _build_forest(
    made: list[_NewNodes], tested: list[tuple[Indices, _LevelTests]], widest: int
) -> Tree:
    """Put all nodes into arrays; of several trees the roots come first."""
    parent = np.concatenate([each.parent for each in made])
    question = np.full(len(parent), LEAF)
    gain = np.zeros(len(parent))
    child = np.full((len(parent), widest), -1)
    for ids, level in tested:
        question[ids] = level.question
        gain[ids] = np.where(level.question == LEAF, 0.0, level.gain)
        child[ids] = level.branch
    label = np.concatenate([each.label for each in made])
    return Tree(question, child, parent, label, np.concatenate([m.shares for m in made]), gain)
