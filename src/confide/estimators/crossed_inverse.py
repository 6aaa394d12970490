"""Class × answer in many nodes of a tree at once, by the inverse.

The people of a node gave some true answers, those of its path. Of the reports only the tables of
the path's questions and the class, crossed with every question, are needed: nodes whose paths ask
the same questions share them, and one pass over the reports serves all nodes of a level.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from confide.arrays import Array, Indices
from confide.counts.crossed_counts import CrossedCounts
from confide.design import Design
from confide.estimators.table_channel import TableChannel

Path = Mapping[str, Sequence[int]]
"""Questions with the codes of the true answers that a node's people may have given."""


class CrossedReports(Protocol):
    """Reports under one design, wherever they are, that can be crossed."""

    @property
    def design(self) -> Design:
        """The design under which they were made."""
        ...

    @property
    def n(self) -> int:
        """How many there are."""
        ...

    def cross(self, given: Sequence[Sequence[str]]) -> list[CrossedCounts]:
        """Take the reports of some questions together and cross them with every question."""
        ...


def cross_nodes(
    batches: Sequence[CrossedReports], paths: Sequence[Path], target: str, names: Sequence[str]
) -> dict[str, Array]:
    """The signed shares of class × answer, for each question: (nodes, classes, answers).

    They are shares of the whole population.
    """
    design, n = batches[0].design, sum(batch.n for batch in batches)
    contexts = _share_contexts(design, paths)
    tables = {
        name: np.zeros((len(paths), design.question(target).size, design.question(name).size))
        for name in names
    }
    for batch in batches:
        crossed = batch.cross([[*asked, target] for asked in contexts])
        for (asked, nodes), counts in zip(contexts.items(), crossed, strict=True):
            context = _Context.of(batch.design, asked, target, [paths[node] for node in nodes])
            for name in names:
                tables[name][nodes] += context.invert(counts, name) / n
    return tables


def _share_contexts(design: Design, paths: Sequence[Path]) -> dict[tuple[str, ...], Indices]:
    """Find the nodes whose paths ask the same questions."""
    shared: dict[tuple[str, ...], list[int]] = {}
    for node, path in enumerate(paths):
        asked = tuple(sorted(path, key=design.position))
        shared.setdefault(asked, []).append(node)
    return {asked: np.array(nodes) for asked, nodes in shared.items()}


@dataclass(frozen=True, eq=False)
class _Context:
    """Nodes whose paths ask the same questions.

    Parameters
    ----------
    design : Design
        The design of the reports.
    asked : tuple of str
        The questions of the paths.
    target : str
        The question that is the class.
    inside : array of shape (nodes, combinations of answers)
        1 where the people of a node may have given these answers to the paths' questions.
    """

    design: Design
    asked: tuple[str, ...]
    target: str
    inside: Array

    @classmethod
    def of(
        cls, design: Design, asked: tuple[str, ...], target: str, paths: Sequence[Path]
    ) -> _Context:
        """Write out which combinations of answers each path allows."""
        inside = np.ones((len(paths), 1))
        for name in asked:
            codes = np.arange(design.question(name).size)
            allowed = np.array([np.isin(codes, path[name]) for path in paths], float)
            inside = (inside[:, :, None] * allowed[:, None]).reshape(len(paths), -1)
        return cls(design, asked, target, inside)

    def invert(self, counts: CrossedCounts, name: str) -> Array:
        """The people of each node by class and answer: (nodes, classes, answers)."""
        if name in self.asked:
            return self._spread(counts, name)
        channel = TableChannel(self.design, [*self.asked, self.target, name])
        people = channel.invert(counts.beside(self.design.position(name)).astype(float))
        return np.tensordot(
            self.inside, people.reshape(self.inside.shape[1], *people.shape[-2:]), 1
        )

    def _spread(self, counts: CrossedCounts, name: str) -> Array:
        """The same of a question of the paths themselves."""
        channel = TableChannel(self.design, [*self.asked, self.target])
        people = channel.invert(counts.whole().astype(float))
        sizes = [self.design.question(each).size for each in self.asked]
        codes = np.indices(sizes)[self.asked.index(name)].ravel()
        answers = np.eye(sizes[self.asked.index(name)])[codes]
        flat = people.reshape(len(codes), -1)
        return np.einsum("np,pc,pv->ncv", self.inside, flat, answers)
