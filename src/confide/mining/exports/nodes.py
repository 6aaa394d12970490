"""What a tree's nodes and branches say, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.arrays import Z95, Array
from confide.crowd import Estimate
from confide.crowd.estimate import Approximation
from confide.estimators.merged_intervals import has_noisy_number

if TYPE_CHECKING:
    from confide.mining.classifier import DisguisedClassifier
    from confide.mining.trees.tree_classifier import DisguisedTreeClassifier


@dataclass(frozen=True)
class Condition:
    """The answers that lead down a branch.

    Parameters
    ----------
    question : str
        The tested question.
    codes : tuple of int
        The option numbers, or numbers of interval.
    values : tuple of str
        The options as people read them; empty for a number.
    low, high : float or None
        For a number: not below low, and below high.
    """

    question: str
    codes: tuple[int, ...]
    values: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        if self.values:
            return " or ".join(self.values)
        low = "" if self.low is None else f"≥ {self.low:.10g}"
        high = "" if self.high is None else f"< {self.high:.10g}"
        return " and ".join(filter(None, (low, high))) or "any"


@dataclass(frozen=True)
class ShownNode:
    """A node as a reader sees it."""

    node: int
    question: str | None
    label: str
    people: Estimate
    chances: tuple[float, ...]
    branches: tuple[tuple[Condition, int], ...]


class TreeReader:
    """Puts the nodes of a fitted tree into words."""

    def __init__(self, model: DisguisedTreeClassifier) -> None:
        self.model, self.tree = model, model.tree_
        self.classes = model.design_.question(model.target_).labels
        asked = [*model.features_, model.target_]
        self._kind = Approximation if has_noisy_number(model.design_, asked) else Estimate

    def node(self, node: int) -> ShownNode:
        """Say what one node asks, predicts and holds."""
        tree, n = self.tree, self.model.n_
        share, error = self.model.node_shares_[node].tolist()
        if np.isnan(share):
            share = float(tree.shares[node].sum())
        asked = int(tree.question[node])
        branches = () if asked < 0 else tuple(self._list_branches(node, asked))
        return ShownNode(
            node,
            None if asked < 0 else self.model.features_[asked],
            self.classes[tree.label[node]],
            self._kind(n * share, n * error, n),
            tuple(tree.chances[node].tolist()),
            branches,
        )

    def _list_branches(self, node: int, asked: int) -> Iterator[tuple[Condition, int]]:
        for codes, child in self.tree.branches(node):
            yield self._describe_condition(asked, codes), child

    def _describe_condition(self, asked: int, codes: tuple[int, ...]) -> Condition:
        name = self.model.features_[asked]
        question = self.model.design_.question(name)
        if question.grid is None:
            return Condition(name, codes, tuple(question.labels[code] for code in codes))
        inner = find_inner_edges(self.model, name)
        first, last = min(codes), max(codes)
        return Condition(
            name,
            codes,
            low=float(inner[first - 1]) if first else None,
            high=float(inner[last]) if last < len(inner) else None,
        )


def find_inner_edges(model: DisguisedClassifier, name: str) -> Array:
    """Find where a model cuts a number: the code of one is how many edges are not above it."""
    inferred, grid = model._inferred, model.design_.question(name).grid
    if inferred is not None:
        return inferred.edges[model.features_.index(name)]
    assert grid is not None
    return grid.array[1:-1]


def find_upper_limit(people: Estimate) -> float | None:
    """Find how many people there are at most, where they cannot be told from none; else None.

    >>> round(find_upper_limit(Estimate(12, 20, 4000))), find_upper_limit(Estimate(312, 20, 4000))
    (51, None)
    """
    off = Z95 * people.standard_error
    return max(people.value + off, 1.0) if people.value <= off else None


def say_people(people: Estimate) -> str:
    """Write a number of people with its interval or its standard error (s.e.), where it is known.

    People who cannot be told from none are not written as found.

    >>> say_people(Estimate(312, 20, 4000)), say_people(Estimate(12, 24, 4000))
    ('n ≈ 312 ± 39', 'n < 59, perhaps none')
    >>> say_people(Approximation(312, 20, 4000))
    'n ≈ 312, s.e. 20'
    """
    most, error = find_upper_limit(people), people.standard_error
    if most is not None:
        return f"n < {most:,.0f}, perhaps none"
    found = f"n ≈ {people.value:,.0f}"
    if np.isnan(error):
        return found
    if isinstance(people, Approximation):
        return f"{found}, s.e. {error:,.0f}"
    return f"{found} ± {Z95 * error:,.0f}"
