"""How often a tree is right no more where the answers to a question are dealt anew.

In each term of the inverse, the weight of a report for some true answers is a product of one number
per question. So a report comes to all children of a node, to each with the weight of the answers
that lead there. If a question is dealt anew, the shares of its answers stand in the place of these
weights at the nodes that test it. What a node adds to the loss of the question that it tests is

    (weight with which it is reached) · Σ_child (weight − share) · (weight of being right below).

One visit of every node serves all questions; an event for each leaf and each question on its path
would be many more. No path may test a question twice, as its answers are dealt only once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.design import Design
from confide.mining.trees.tree import LEAF, Tree
from confide.progress import track

_ROWS = 4_096
"""So many patterns are weighed at a time: what a path holds stays in the processor's caches."""
_MOST_TERMS = 64
"""With more terms of the inverse than this the leaves are asked one by one."""
Term = dict[str, Array]
"""For each question the weight of each answer by the report: (answers, reports)."""


def weigh_losses(
    tree: Tree,
    features: Sequence[str],
    target: str,
    batch: Counts,
    shares: Mapping[int, Array],
    most_visits: float,
) -> Array | None:
    """Weigh each pattern of reports in what is lost by each question: (questions, patterns).

    None where a path tests a question twice, or there would be too many visits.

    Parameters
    ----------
    tree, features, target
        The tree, the questions that its places are, and the one that it predicts.
    batch : Counts
        The reports.
    shares : mapping
        How often each answer is dealt, by the place of its question.
    most_visits : float
        How many nodes may be visited for each pattern: all of them in each term of the inverse.
    """
    inner = np.flatnonzero(tree.question != LEAF)
    twice = tree.list_tested(len(features))[inner, tree.question[inner]].any()
    asked = [target, *(features[place] for place in tree.used)]
    terms = None if twice else _list_terms(batch.design, asked, most_visits / len(tree))
    if terms is None:
        return None
    branches = {node: tree.branches(node) for node in inner.tolist()}
    positions = {name: batch.design.position(name) for name in terms[0]}
    lost = np.zeros((len(features), len(batch.reports)))
    for start in track(range(0, len(batch.reports), _ROWS)):
        rows = slice(start, start + _ROWS)
        codes = {name: batch.patterns[rows, position] for name, position in positions.items()}
        for term in terms:
            weights = {name: table[:, codes[name]] for name, table in term.items()}
            by_place = {place: weights[features[place]] for place in tree.used}
            _Visit(tree, branches, by_place, weights[target], shares, lost[:, rows]).start()
    return lost


def _list_terms(design: Design, asked: Sequence[str], most: float) -> list[Term] | None:
    """List the terms of the inverse on some questions; None where there are too many.

    A term's own weight is in the first question's.
    """
    choices = []
    for block in design.blocks:
        keep = [j for j, question in enumerate(block.questions) if question.name in asked]
        if keep:
            inverse = block.inverse_on(keep).marginal(range(len(keep)))
            names, factors = [block.questions[j].name for j in keep], inverse.factors
            tables = [dict(zip(names, each, strict=True)) for each in zip(*factors, strict=True)]
            choices.append(list(zip(inverse.weights.tolist(), tables, strict=True)))
    if prod(map(len, choices)) > min(most, _MOST_TERMS):
        return None
    return [_join_blocks(chosen, asked[0]) for chosen in product(*choices)]


def _join_blocks(chosen: Sequence[tuple[float, Term]], first: str) -> Term:
    """Join one term of each group."""
    tables = {name: table for _, each in chosen for name, table in each.items()}
    return {**tables, first: prod(weight for weight, _ in chosen) * tables[first]}


@dataclass(frozen=True, eq=False)
class _Visit:
    """A visit of all nodes by some reports, in one term of the inverse.

    Parameters
    ----------
    tree : Tree
        The tree.
    branches : mapping
        The codes that lead to each child, by node.
    weights : mapping
        The weight of each answer to a question: (answers, reports), by the question's place.
    right : array of shape (classes, reports)
        The weight of each class.
    shares : mapping
        How often each answer to a question is dealt.
    lost : array of shape (questions, reports)
        The loss of each question, which is added to.
    """

    tree: Tree
    branches: Mapping[int, Sequence[tuple[tuple[int, ...], int]]]
    weights: Mapping[int, Array]
    right: Array
    shares: Mapping[int, Array]
    lost: Array
    _summed: dict[tuple[int, tuple[int, ...]], Array] = field(default_factory=dict)

    def start(self) -> None:
        """Visit all nodes from the root on."""
        self._descend(0, np.ones(self.right.shape[1]))

    def _descend(self, node: int, reached: Array) -> Array:
        """Give the weight with which the tree is right below a node."""
        place = int(self.tree.question[node])
        if place == LEAF:
            return np.asarray(self.right[self.tree.label[node]])
        kept, dealt = [], []
        for codes, child in self.branches[node]:
            weight = self._add_codes(place, codes)
            below = self._descend(child, reached * weight)
            kept.append(weight * below)
            dealt.append(float(self.shares[place][list(codes)].sum()) * below)
        found = sum(kept[1:], start=kept[0])
        self.lost[place] += reached * (found - sum(dealt[1:], start=dealt[0]))
        return found

    def _add_codes(self, place: int, codes: tuple[int, ...]) -> Array:
        """Add the weights of several answers to a question."""
        if (place, codes) not in self._summed:
            self._summed[place, codes] = self.weights[place][list(codes)].sum(axis=0)
        return self._summed[place, codes]
