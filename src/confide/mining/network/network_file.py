"""A learned network as the plain values of a model file, which must fit each other when read."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Self

import numpy as np

from confide.arrays import Array
from confide.design import Design
from confide.files import Json
from confide.mining.network.edges import Edge
from confide.mining.network.graph import Graph, read_graph
from confide.mining.structure_model import read_distributions


@dataclass(frozen=True, eq=False)
class LearnedNetwork:
    """What was learned: edges and tables, with what is known of their errors.

    Parameters
    ----------
    names : tuple of str
        The questions.
    graph : Graph
        The parents of each.
    tables : list of arrays
        For each question P(answer | parents): (the parents' combinations, answers).
    covariance : array
        That of the log odds in all tables.
    edges : tuple of Edge
        The graph's edges, in its order.
    score : float
        The Bayesian information criterion.
    """

    names: tuple[str, ...]
    graph: Graph
    tables: list[Array]
    covariance: Array
    edges: tuple[Edge, ...]
    score: float

    def to_dict(self) -> Json:
        """Give it as plain values."""
        return {
            "questions": list(self.names),
            "parents": {
                name: [self.names[place] for place in own]
                for name, own in zip(self.names, self.graph.parents, strict=True)
            },
            "tables": [table.tolist() for table in self.tables],
            "covariance": self.covariance.tolist(),
            "edges": [vars(edge) for edge in self.edges],
            "score": self.score,
        }

    @classmethod
    def from_dict(cls, learned: Json, design: Design) -> Self:
        """Read what `to_dict` gave; raise ValueError where its parts do not fit each other."""
        names = tuple(learned["questions"])
        graph = read_graph(learned["parents"], names)
        tables = _read_tables(learned["tables"], graph, [design.question(n).size for n in names])
        free = sum(table[:, 1:].size for table in tables)
        covariance = np.array(learned["covariance"], float)
        if covariance.shape != (free, free):
            raise ValueError("a covariance of another shape")
        if not (covariance.diagonal() >= 0).all():
            raise ValueError("a negative variance")
        edges = tuple(_read_edge(edge) for edge in learned["edges"])
        if [(e.parent, e.child, e.directed) for e in edges] != [
            (names[parent], names[child], (parent, child) in graph.told_edges)
            for parent, child in graph.edges
        ]:
            raise ValueError("its edges are not those of its parents")
        return cls(names, graph, tables, covariance, edges, float(learned["score"]))


def _read_edge(given: Json) -> Edge:
    """Read an edge; raise ValueError where what is known of it is no number."""
    edge = Edge(**given)
    shares = [] if edge.support is None else [edge.support, edge.direction]
    if not all(isinstance(each, int | float) for each in (edge.gain, *shares)):
        raise ValueError("an edge whose strength is no number")
    return edge


def _read_tables(given: Json, graph: Graph, sizes: list[int]) -> list[Array]:
    """Read the table of each question."""
    if len(given) != len(sizes):
        raise ValueError(f"{len(given)} tables of {len(sizes)} questions")
    shapes = [
        (prod(sizes[place] for place in own), size)
        for own, size in zip(graph.parents, sizes, strict=True)
    ]
    return [read_distributions(table, shape) for table, shape in zip(given, shapes, strict=True)]
