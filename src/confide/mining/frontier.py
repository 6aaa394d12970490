"""The open nodes of a growing tree, and what the reports say about each.

A tree asks one thing of a population: for every open node the estimated shares of class × value,
question by question. Where the population's cells can be written out, one pass over them serves a
whole level of the tree; where they cannot, the crowd is asked node by node.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from confide.design import Design

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

_NOTHING = 1e-9
"""A share this many times smaller than the largest cell is a rounding error, not a person."""


class Population(Protocol):
    """What a learner sees of a `confide.Crowd`, or of anything that stands in for one."""

    @property
    def design(self) -> Design: ...
    @property
    def n(self) -> int: ...
    def cells(self) -> tuple[NDArray[np.int16], Array] | None: ...


class Divisible(Population, Protocol):
    """A population that can be asked about its parts, where its cells cannot be written out."""

    def given(self, where: Mapping[str, Any]) -> Divisible: ...
    def cross(self, target: str, candidates: Sequence[str]) -> Mapping[str, Array]: ...


class Frontier(Protocol):
    """The open nodes of a growing tree."""

    def classes(self) -> Array:
        """The estimated share of each node's classes: (nodes, classes)."""
        ...

    def cross(self, questions: Sequence[int]) -> Array:
        """Each node's estimated shares of class × value: (questions, nodes, classes, values).

        The questions, given by their places, must have equally many values.
        """
        ...

    def split(self, question: Indices, child: Indices) -> Self:
        """Open the children.

        ``question`` is the place of each node's tested question; ``child`` (nodes, values) the
        number of the new node for each of its values, −1 where none is opened.
        """
        ...


def frontier(population: Population, target: str, features: Sequence[str]) -> Frontier:
    """The frontier of a tree that is only a root."""
    cells = population.cells()
    if cells is None:
        return CrowdFrontier(cast(Divisible, population), target, features, [{}])
    codes, shares = cells
    places = [population.design.position(name) for name in features]
    labels = codes[:, population.design.position(target)]
    sizes = [_size(population.design, name) for name in (*features, target)]
    columns = np.ascontiguousarray(codes[:, places].T)
    return CellFrontier(columns, labels.astype(np.intp), shares, sizes)


class CellFrontier:
    """Nodes as a partition of the population's cells."""

    def __init__(
        self,
        columns: NDArray[Any],
        labels: Indices,
        shares: Array,
        sizes: Sequence[int],
        node: Indices | None = None,
        nodes: int = 1,
        nothing: float | None = None,
    ) -> None:
        self._columns, self._labels, self._shares, self._sizes = columns, labels, shares, sizes
        self._node = np.zeros(len(labels), np.intp) if node is None else node
        self._nodes = nodes
        self._nothing = _NOTHING * np.abs(shares).max(initial=0) if nothing is None else nothing

    def classes(self) -> Array:
        return self._summed(self._node * self._sizes[-1] + self._labels, (self._sizes[-1],))

    def cross(self, questions: Sequence[int]) -> Array:
        classes, size = self._sizes[-1], self._sizes[questions[0]]
        row = (self._node * classes + self._labels) * size
        tables = [self._summed(row + self._columns[q], (classes, size)) for q in questions]
        return np.stack(tables)

    def _summed(self, cell: Indices, shape: tuple[int, ...]) -> Array:
        table = np.bincount(cell, self._shares, self._nodes * prod(shape))
        table[np.abs(table) <= self._nothing] = 0.0
        return np.asarray(table.reshape(self._nodes, *shape))

    def split(self, question: Indices, child: Indices) -> CellFrontier:
        asked = question[self._node]
        codes = self._columns[asked, np.arange(len(asked))]
        node = child[self._node, codes]
        kept = np.flatnonzero(node >= 0)
        return CellFrontier(
            np.take(self._columns, kept, axis=1),
            self._labels[kept],
            self._shares[kept],
            self._sizes,
            node[kept],
            int(child.max(initial=-1)) + 1,
            self._nothing,
        )


class CrowdFrontier:
    """Nodes as sub-populations of a crowd too large to write out."""

    def __init__(
        self,
        population: Divisible,
        target: str,
        features: Sequence[str],
        paths: list[dict[str, tuple[int, ...]]],
    ) -> None:
        self._population, self._target, self._features = population, target, features
        self._paths = paths

    def classes(self) -> Array:
        first = self._features[0]
        return np.stack([self._one(path, first).sum(axis=1) for path in self._paths])

    def cross(self, questions: Sequence[int]) -> Array:
        names = [self._features[question] for question in questions]
        return np.array([[self._one(path, name) for path in self._paths] for name in names])

    def _one(self, path: dict[str, tuple[int, ...]], name: str) -> Array:
        """Class × value in one node: a sum over the values that its path allows."""
        design = self._population.design
        allowed = path.get(name, range(_size(design, name)))
        others = {question: codes for question, codes in path.items() if question != name}
        table = np.zeros((_size(design, self._target), _size(design, name)))
        for codes in product(*others.values()):
            where = {q: _value(design, q, code) for q, code in zip(others, codes, strict=True)}
            part = self._population.given(where) if where else self._population
            table += part.cross(self._target, [name])[name]
        kept = np.isin(np.arange(table.shape[1]), allowed)
        return np.where(kept & (np.abs(table) > _NOTHING / self._population.n), table, 0.0)

    def split(self, question: Indices, child: Indices) -> CrowdFrontier:
        paths: dict[int, dict[str, tuple[int, ...]]] = {}
        for path, asked, children in zip(self._paths, question, child, strict=True):
            name = self._features[asked]
            for opened in sorted(set(children[children >= 0].tolist())):
                codes = np.flatnonzero(children == opened).tolist()
                before = path.get(name, codes)
                paths[opened] = {**path, name: tuple(c for c in codes if c in before)}
        return CrowdFrontier(
            self._population, self._target, self._features, [paths[i] for i in sorted(paths)]
        )


def _size(design: Design, name: str) -> int:
    question: Any = design.question(name)
    return int(question.size)


def _value(design: Design, name: str, code: int) -> Any:
    """A value that a crowd knows by its code."""
    question: Any = design.question(name)
    grid = getattr(question, "grid", None)
    return question.options[code] if grid is None else float(grid.middles[code])
