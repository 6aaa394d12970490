"""A grown tree as arrays: what its nodes test, where each value leads, what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes, Indices
from confide.files import Json

LEAF = -1


@dataclass(frozen=True, eq=False)
class Tree:
    """Nodes in the order in which they were grown, level by level; the root is node 0.

    Parameters
    ----------
    question : integer array of shape (nodes,)
        The place of the tested question among the features; −1 for a leaf.
    child : integer array of shape (nodes, values)
        The node to which each value of the tested question leads. Several values may lead to one
        node; −1 for values that the path excludes.
    parent : integer array of shape (nodes,)
        Each node's parent; −1 for the root.
    label : integer array of shape (nodes,)
        The code of the predicted class.
    shares : array of shape (nodes, classes)
        The estimated share of the population in each node with each class: signed, as estimated.
    gain : array of shape (nodes,)
        The gain of each node's test; 0 for a leaf.
    """

    question: Indices
    child: Indices
    parent: Indices
    label: Indices
    shares: Array
    gain: Array

    def __len__(self) -> int:
        return len(self.question)

    @cached_property
    def depth(self) -> Indices:
        """How many tests lead to each node."""
        depth = np.zeros(len(self), np.intp)
        for level, nodes in enumerate(self.levels):
            depth[nodes] = level
        return depth

    @cached_property
    def levels(self) -> list[Indices]:
        """The nodes of each depth."""
        levels = [np.zeros(1, np.intp)]
        while len(levels[-1]):
            below = self.child[levels[-1]]
            levels.append(np.unique(below[below >= 0]))
        return levels[:-1]

    @cached_property
    def leaves(self) -> Indices:
        """The nodes without a test."""
        return np.flatnonzero(self.question == LEAF)

    @cached_property
    def chances(self) -> Array:
        """Each node's class probabilities; a node without people has its parent's."""
        counts = self.shares.clip(0)
        total = counts.sum(axis=1, keepdims=True)
        chances = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
        for node in np.flatnonzero(total[:, 0] <= 0).tolist():
            chances[node] = chances[self.parent[node]]
        return np.asarray(chances)

    @cached_property
    def used(self) -> list[int]:
        """The places of the questions that some node tests."""
        return sorted(set(self.question[self.question != LEAF].tolist()))

    @cached_property
    def deciding(self) -> Tree:
        """The tree of the tests that decide on a label: below its leaves all labels are alike."""
        common = np.where(self.question == LEAF, self.label, -1)
        for here in reversed(self.levels):
            for node in here[self.question[here] != LEAF].tolist():
                below = set(common[[child for _, child in self.branches(node)]].tolist())
                common[node] = below.pop() if len(below) == 1 else -1
        alike = np.flatnonzero((common >= 0) & (self.question != LEAF))
        return replace(self, label=np.where(common >= 0, common, self.label)).cut(alike.tolist())

    def list_tested(self, questions: int) -> NDArray[np.bool_]:
        """Tell of each node which of so many questions the tests above it ask."""
        tested = np.zeros((len(self), questions), bool)
        for here in self.levels[1:]:
            above = self.parent[here]
            tested[here] = tested[above]
            tested[here, self.question[above]] = True
        return tested

    def find_leaves(self, columns: Sequence[Codes]) -> Indices:
        """Find the leaf that each row of codes reaches; one column per feature."""
        node = np.zeros(len(columns[0]), np.intp)
        table = np.stack([np.asarray(column) for column in columns])
        rows = np.arange(len(node))
        while len(rows):
            asked = self.question[node[rows]]
            rows = rows[asked != LEAF]
            asked = asked[asked != LEAF]
            node[rows] = self.child[node[rows], table[asked, rows]]
        return node

    def branches(self, node: int) -> list[tuple[tuple[int, ...], int]]:
        """The (codes, child) pairs of a node's test, in the order of their first codes."""
        children = self.child[node]
        opened = dict.fromkeys(children[children >= 0].tolist())
        return [(tuple(np.flatnonzero(children == c).tolist()), c) for c in opened]

    def path(self, node: int) -> dict[int, tuple[int, ...]]:
        """The codes that each tested question must have on the way to a node."""
        where: dict[int, tuple[int, ...]] = {}
        while node:
            parent = int(self.parent[node])
            question = int(self.question[parent])
            codes = np.flatnonzero(self.child[parent] == node).tolist()
            narrower = where.get(question, codes)
            where[question] = tuple(code for code in codes if code in narrower)
            node = parent
        return where

    def find_open_codes(self, sizes: Sequence[int]) -> list[NDArray[np.bool_]]:
        """Tell for every feature which of its codes lead to each node, on the tests above it."""
        opened = [np.ones((len(self), size), bool) for size in sizes]
        for here in self.levels[1:]:
            above = self.parent[here]
            for feature, reached in enumerate(opened):
                tested = self.question[above] == feature
                led = self.child[above] == here[:, None]
                reached[here] = reached[above]
                reached[here[tested]] &= led[tested, : sizes[feature]]
        return opened

    def walk(self, node: int = 0) -> Iterator[int]:
        """A node and all below it, parents first."""
        yield node
        if self.question[node] != LEAF:
            for _, child in self.branches(node):
                yield from self.walk(child)

    def cut(self, leaves: Sequence[int]) -> Tree:
        """The tree with some of its nodes made leaves."""
        leaf, gone = np.zeros(len(self), bool), np.zeros(len(self), bool)
        leaf[list(leaves)] = True
        for here in self.levels[1:]:
            gone[here] = (leaf | gone)[self.parent[here]]
        question = np.where(leaf, LEAF, self.question)
        child = np.where(leaf[:, None], -1, self.child)
        gain = np.where(leaf, 0.0, self.gain)
        stump = replace(self, question=question, child=child, gain=gain)
        return stump.keep(np.flatnonzero(~gone))

    def keep(self, nodes: Indices) -> Tree:
        """The tree of some nodes, to whom no other leads and who lead to no other."""
        place = np.full(len(self) + 1, -1, np.intp)
        place[nodes] = np.arange(len(nodes))
        return Tree(
            self.question[nodes],
            place[self.child[nodes]],
            place[self.parent[nodes]],
            self.label[nodes],
            self.shares[nodes],
            self.gain[nodes],
        )

    def to_dict(self) -> Json:
        """Give the arrays as plain lists, by their keys in a model file."""
        return {
            "question": self.question.tolist(),
            "child": self.child.tolist(),
            "parent": self.parent.tolist(),
            "label": self.label.tolist(),
            "shares": self.shares.tolist(),
            "gain": self.gain.tolist(),
        }

    @classmethod
    def from_dict(cls, given: Json, sizes: Sequence[int], classes: int) -> Tree:
        """Read what `to_dict` wrote; a ValueError says that it cannot be a tree."""
        tree = cls(
            question=np.array(given["question"], np.intp),
            child=np.array(given["child"], np.intp),
            parent=np.array(given["parent"], np.intp),
            label=np.array(given["label"], np.intp),
            shares=np.array(given["shares"], float),
            gain=np.array(given["gain"], float),
        )
        tree._check(sizes, classes)
        return tree

    def _check(self, sizes: Sequence[int], classes: int) -> None:
        """Refuse arrays that do not fit each other, or that make no tree."""
        nodes = len(self.question)
        widest = max(sizes)
        shapes = [a.shape for a in (self.question, self.parent, self.label, self.gain)]
        if shapes != [(nodes,)] * 4 or self.child.shape != (nodes, widest):
            raise ValueError("arrays of other lengths")
        if self.shares.shape != (nodes, classes) or not np.isfinite(self.shares).all():
            raise ValueError("shares of other classes")
        if not ((self.question >= LEAF) & (self.question < len(sizes))).all():
            raise ValueError("a question that is not there")
        if not ((self.label >= 0) & (self.label < classes)).all():
            raise ValueError("a label that is not there")
        answers = np.where(self.question == LEAF, 0, np.array(sizes)[self.question])
        if ((self.child >= 0) != (np.arange(widest) < answers[:, None])).any():
            raise ValueError("an answer that leads nowhere")
        inner, value = np.nonzero(self.child >= 0)
        children = self.child[inner, value]
        if (children >= nodes).any() or (self.parent[children] != inner).any():
            raise ValueError("a child that is not there")
        if (children <= inner).any() or set(children.tolist()) != set(range(1, nodes)):
            raise ValueError("a loop, or a node out of reach")
