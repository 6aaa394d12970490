"""The open nodes of a tree that grows on a mixture of products.

Within a component the answers are independent, so a node is the share of each component in it, and
all questions are crossed with the class in all nodes by one product of matrices, however many
questions there are. The components also bound what tests may still win: nobody can predict the
class better than one who knows the component.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Indices
from confide.mining.joint import JointPopulation
from confide.mining.trees.criteria import DIGITS

_NOTHING = 1e-12
"""A smaller share of the people is a rounding error."""
_MOST_OPEN = 1024
"""So many nodes are tested at a time, those where most can be won."""


def open_joint_root(
    joint: JointPopulation, target: str, features: Sequence[str]
) -> MixtureFrontier:
    """Open the frontier of a tree that is only a root."""
    mixture = joint.mixture
    tables = [mixture.tables[joint.design.position(name)] for name in features]
    allowed = [np.ones((1, table.shape[1]), bool) for table in tables]
    classes = mixture.tables[joint.design.position(target)]
    return MixtureFrontier(tables, classes, mixture.weights[None], allowed)


@dataclass(frozen=True, eq=False)
class MixtureFrontier:
    """Nodes as shares of a mixture's components.

    Parameters
    ----------
    tables : one array of shape (components, values) per question
        The distribution of the question's answer in each component.
    target : array of shape (components, classes)
        The distribution of the class in each component.
    weights : array of shape (nodes, components)
        The share of all people who are in a node and come from a component.
    allowed : one array of shape (nodes, values) per question
        Which values the path to a node leaves.
    """

    tables: list[Array]
    target: Array
    weights: Array
    allowed: list[NDArray[np.bool_]]

    def classes(self) -> Array:
        return _clear_rounding(self.weights @ self.target)

    def cross(self, questions: Sequence[int]) -> Array:
        nodes, classes = len(self.weights), self.target.shape[1]
        people = (self.weights[:, None] * self.target.T).reshape(nodes * classes, -1)
        tables = people @ np.concatenate([self.tables[q] for q in questions], axis=1)
        crossed = tables.reshape(nodes, classes, len(questions), -1).transpose(2, 0, 1, 3).copy()
        for place, question in enumerate(questions):
            narrowed = ~self.allowed[question].all(axis=1)
            crossed[place, narrowed] = self._cross_narrowed(question, np.flatnonzero(narrowed))
        return _clear_rounding(crossed)

    def _cross_narrowed(self, question: int, nodes: Indices) -> Array:
        """Cross class × value in nodes whose path leaves some values only."""
        allowed = self.allowed[question][nodes]
        whole = self.weights[nodes] @ self.target
        if (allowed.sum(axis=1) == 1).all():
            return np.asarray(whole[:, :, None] * allowed[:, None])
        left = self.tables[question] * allowed[:, None]
        people = self.weights[nodes] / np.maximum(left.sum(axis=2), _NOTHING)
        return np.einsum("nz,zc,nzv->ncv", people, self.target, left)

    def split(self, question: Indices, child: Indices) -> MixtureFrontier:
        opened = int(child.max(initial=-1)) + 1
        owner = np.zeros(opened, np.intp)
        node, value = np.nonzero(child >= 0)
        owner[child[node, value]] = node
        weights = self.weights[owner]
        allowed = [each[owner] for each in self.allowed]
        for asked in np.unique(question[owner]):
            ours = np.flatnonzero(question[owner] == asked)
            table, before = self.tables[asked], self.allowed[asked][owner[ours]]
            led = child[owner[ours], : table.shape[1]] == ours[:, None]
            allowed[asked][ours] = before & led
            left = allowed[asked][ours] @ table.T
            weights[ours] *= left / np.maximum(before @ table.T, _NOTHING)
        return replace(self, weights=weights, allowed=allowed)

    def keep_promising(self, least: float) -> tuple[MixtureFrontier, Indices]:
        """Keep the nodes in which tests can win more than a least share of people, and say which.

        Of more than are tested at a time those are kept in which most can be won.
        """
        known = self.weights @ self.target.max(axis=1)
        promise = np.round(known - (self.weights @ self.target).max(axis=1), DIGITS)
        best = np.argsort(-promise, kind="stable")[:_MOST_OPEN]
        kept = np.sort(best[promise[best] > least])
        return replace(
            self, weights=self.weights[kept], allowed=[each[kept] for each in self.allowed]
        ), kept


def _clear_rounding(shares: Array) -> Array:
    shares[np.abs(shares) <= _NOTHING] = 0.0
    return shares
