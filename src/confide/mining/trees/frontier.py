"""The open nodes of a growing tree, and what the reports say about each.

A tree asks one thing of a population: for every open node the estimated shares of class × value,
question by question. Where the population's cells can be written out, one pass over them serves a
whole level of the tree; where they cannot, one pass over the reports does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self, cast

import numpy as np
from scipy.sparse import csc_matrix

from confide.arrays import Array, Codes, Indices
from confide.design import Design
from confide.estimators.crossed_inverse import Path
from confide.mining.population import CrossedPopulation, Population

_NOTHING = 1e-9
"""A share this many times smaller than the largest cell is a rounding error, not a person."""


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
        """Replace the open nodes by their children.

        ``question`` is the place of each node's tested question; ``child`` (nodes, values) the
        number of the new node for each of its values, −1 where none is opened.
        """
        ...


def open_root(population: Population, target: str, features: Sequence[str]) -> Frontier:
    """Open the frontier of a tree that is only a root."""
    found = population.cells()
    if found is None:
        return CrowdFrontier(cast(CrossedPopulation, population), target, features, [{}])
    return open_roots(population.design, [found], target, features)


def open_roots(
    design: Design, cells: Sequence[tuple[Codes, Array]], target: str, features: Sequence[str]
) -> CellFrontier:
    """Open the frontier of several trees that are only roots, one for each population's cells."""
    codes = np.concatenate([rows for rows, _ in cells])
    sizes = [len(rows) for rows, _ in cells]
    together = Cells(
        np.ascontiguousarray(codes[:, [design.position(name) for name in features]].T),
        codes[:, design.position(target)].astype(np.intp),
        np.concatenate([shares for _, shares in cells]),
        [design.question(name).size for name in features],
        design.question(target).size,
    )
    root = np.repeat(np.arange(len(cells)), sizes)
    return CellFrontier(together, np.arange(len(root)), root, len(cells))


@dataclass(frozen=True, eq=False)
class Cells:
    """A population's cells: codes of the features, class, share."""

    columns: Codes
    labels: Indices
    shares: Array
    sizes: list[int]
    classes: int

    @cached_property
    def nothing(self) -> float:
        """The largest share that is only a rounding error."""
        return _NOTHING * float(np.abs(self.shares).max(initial=0))

    @cached_property
    def bits(self) -> tuple[list[int], Array]:
        """The places of the features of two values, and their codes with one row per cell."""
        places = [place for place, values in enumerate(self.sizes) if values == 2]
        return places, np.ascontiguousarray(self.columns[places].T, dtype=float)


class CellFrontier:
    """Nodes as a partition of the population's cells.

    Parameters
    ----------
    cells : Cells
        All cells.
    alive, node : integer arrays
        The cells that some open node holds, and which.
    nodes : int
        The number of open nodes.

    Every table has its nodes last in memory, so that sums over classes and values are quick.
    """

    def __init__(self, cells: Cells, alive: Indices, node: Indices, nodes: int) -> None:
        self._cells, self._alive, self._node, self._nodes = cells, alive, node, nodes
        self._labels, self._shares = cells.labels[alive], cells.shares[alive]

    def classes(self) -> Array:
        return self._clear_rounding(self._sum(self._labels, self._cells.classes)).T

    def cross(self, questions: Sequence[int]) -> Array:
        values = self._cells.sizes[questions[0]]
        shape = (self._cells.classes, values, len(questions), self._nodes)
        tables = (
            self._cross_bits(questions) if values == 2 else self._cross_values(questions, values)
        )
        return np.moveaxis(self._clear_rounding(tables).reshape(shape), (2, 3), (0, 1))

    def _cross_values(self, questions: Sequence[int], values: int) -> Array:
        columns = self._cells.columns
        cells = (self._labels * values + columns[q, self._alive] for q in questions)
        tables = [self._sum(cell, self._cells.classes * values) for cell in cells]
        return np.stack(tables, axis=1)

    def _cross_bits(self, questions: Sequence[int]) -> Array:
        """Cross all yes-no questions at once, as a sparse matrix times their bits."""
        places, bits = self._cells.bits
        classes, ends = self._cells.classes, np.zeros(len(bits) + 1, np.intp)
        ends[self._alive + 1] = 1
        gather = csc_matrix(
            (self._shares, self._labels * self._nodes + self._node, np.cumsum(ends)),
            shape=(classes * self._nodes, len(bits)),
        )
        ones = (gather @ bits)[:, [places.index(q) for q in questions]]
        tables = np.empty((classes, 2, len(questions), self._nodes))
        tables[:, 1] = ones.reshape(classes, self._nodes, -1).swapaxes(1, 2)
        whole = self._sum(self._labels, classes)
        np.subtract(whole[:, None], tables[:, 1], out=tables[:, 0])
        return tables

    def _sum(self, cell: Indices, cells: int) -> Array:
        size = cells * self._nodes
        table = np.bincount(cell * self._nodes + self._node, self._shares, size)
        return np.asarray(table.reshape(cells, self._nodes), dtype=float)

    def _clear_rounding(self, tables: Array) -> Array:
        tables[np.abs(tables) <= self._cells.nothing] = 0.0
        return tables

    def split(self, question: Indices, child: Indices) -> CellFrontier:
        codes = self._cells.columns[question[self._node], self._alive]
        node = child[self._node, codes]
        kept = node >= 0
        nodes = int(child.max(initial=-1)) + 1
        return CellFrontier(self._cells, self._alive[kept], node[kept], nodes)


class CrowdFrontier:
    """Nodes as sub-populations of a crowd too large to write out.

    Parameters
    ----------
    population : CrossedPopulation
        Whoever knows the sub-populations.
    target, features : str, sequence of str
        The question to predict, and those to predict it from.
    paths : list of Path
        Each node's questions, with the codes that it leaves.
    """

    def __init__(
        self,
        population: CrossedPopulation,
        target: str,
        features: Sequence[str],
        paths: list[Path],
    ) -> None:
        self._population, self._target, self._features = population, target, features
        self._paths = paths

    @cached_property
    def _tables(self) -> list[Array]:
        """Class × value of every question in every node, all found in one go."""
        found = self._population.cross_nodes(self._paths, self._target, self._features)
        nothing = _NOTHING / self._population.n
        tables = (found[name] for name in self._features)
        return [np.where(np.abs(table) > nothing, table, 0.0) for table in tables]

    def classes(self) -> Array:
        return np.asarray(self._tables[0].sum(axis=2))

    def cross(self, questions: Sequence[int]) -> Array:
        return np.stack([self._tables[question] for question in questions])

    def split(self, question: Indices, child: Indices) -> CrowdFrontier:
        paths: dict[int, Path] = {}
        for path, asked, children in zip(self._paths, question, child, strict=True):
            name = self._features[asked]
            for opened in sorted(set(children[children >= 0].tolist())):
                codes = np.flatnonzero(children == opened).tolist()
                before = path.get(name, codes)
                paths[opened] = {**path, name: tuple(c for c in codes if c in before)}
        return CrowdFrontier(
            self._population, self._target, self._features, [paths[i] for i in sorted(paths)]
        )
