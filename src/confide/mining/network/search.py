"""Which questions depend on which: a tree by Chow and Liu, and a search for the best network.

A network is judged by the Bayesian information criterion on the reports as they came in:

    score = log P(all reports | most likely tables) − ½ log(n) · free numbers of the tables

The likelihood is that of the *disguised* reports, through the channel, so a dependence is worth
what the reports tell of it. A score computed from an estimated table of truths as if it had been
counted would take the noise of the inversion for dependence, and add edges. The penalty is that of
n reports. A disguised report tells less than a clear one, so log(n) is more than what is known of
each number: where they differ the score errs towards fewer edges. As n grows it finds the edges,
and their directions as far as any data can tell them. Where nothing is disguised it is the usual
criterion.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.mining.network.graph import Graph
from confide.mining.network.network_fit import (
    FittedNetwork,
    ReportTables,
    count_family,
    fit_network,
    penalise_family,
)

_TRIED = 10  # of the neighbours, those that promise most are fitted
_ALIKE = 20  # graphs that no data could tell from the present one, whose neighbours are looked at
_LEAST = 1e-3  # a smaller gain is rounding
_DIGITS = 9  # of mutual information that are compared


def grow_tree(batches: Sequence[Counts], names: Sequence[str]) -> Graph:
    """Find the tree, or trees, that keep most of the dependence between pairs (Chow and Liu 1968).

    Of all pairs whose dependence is worth its numbers, those with the most mutual information that
    make no circle. Edges lead away from the first question of each tree.
    """
    found = []
    for pair in combinations(range(len(names)), 2):
        reports = ReportTables.of(batches, [names[place] for place in pair])
        alone = fit_network(reports, Graph(((), ())))
        joined = fit_network(reports, Graph(((), (0,))), alone.joint)
        if joined.score > alone.score + _LEAST:
            found.append((-round(_measure_information(joined.joint), _DIGITS), pair))
    group = list(range(len(names)))
    edges = []
    for _, (first, second) in sorted(found):
        if group[first] != group[second]:
            edges.append((first, second))
            group = [group[first] if each == group[second] else each for each in group]
    return _lead_away(edges, len(names))


def search_network(reports: ReportTables, start: Graph, most_parents: int) -> FittedNetwork:
    """Climb from a graph to one whose neighbours are no better.

    A neighbour has one edge more, one less, or one the other way round than the graph, or than one
    that no data could tell from it. All are ranked by what the people who are expected now promise;
    the best ranked are fitted, and the best of these is taken. Where two are alike, the first in a
    fixed order.
    """
    here = fit_network(reports, start)
    while True:
        best = here
        for graph in _rank_neighbours(reports, here, most_parents)[:_TRIED]:
            there = fit_network(reports, graph, here.joint)
            best = there if there.score > best.score + _LEAST else best
        if best is here:
            return here
        here = best


def _rank_neighbours(reports: ReportTables, here: FittedNetwork, most_parents: int) -> list[Graph]:
    """List one graph of each pattern beside this one's, the most promising first."""
    worth = FamilyScores(reports.expect_people(here.joint), reports.n)
    found = {here.graph.pattern: here.graph}
    for alike in here.graph.list_alike(_ALIKE):
        for graph in alike.neighbours(most_parents):
            found.setdefault(graph.pattern, graph)
    _, *others = found.values()
    return sorted(others, key=lambda graph: -worth.compare(here.graph, graph))


class FamilyScores:
    """What each table would be worth if the expected people had been counted."""

    def __init__(self, people: Array, n: float) -> None:
        self._people, self._n = people, n
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    def compare(self, before: Graph, after: Graph) -> float:
        """Give how much more one graph would be worth than another, to a few digits."""
        families = zip(range(len(before.parents)), before.parents, after.parents, strict=True)
        gains = [self._find(c, new) - self._find(c, old) for c, old, new in families if new != old]
        return round(sum(gains), _DIGITS // 2)

    def _find(self, child: int, parents: tuple[int, ...]) -> float:
        if (child, parents) not in self._known:
            counts = count_family(self._people, child, parents)
            rows = counts.sum(axis=1, keepdims=True)
            cost = penalise_family(child, parents, self._people.shape, self._n)
            self._known[child, parents] = float((counts * np.log(counts / rows)).sum()) - cost
        return self._known[child, parents]


def _measure_information(joint: Array) -> float:
    """The mutual information of two answers, in nats."""
    apart = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    return float((joint * np.log(joint / apart)).sum())


def _lead_away(edges: Sequence[tuple[int, int]], count: int) -> Graph:
    """Turn the edges of a tree so that they lead away from the first place of each."""
    parents: list[tuple[int, ...]] = [()] * count
    reached: set[int] = set()
    for root in range(count):
        waiting = [] if root in reached else [root]
        while waiting:
            here = waiting.pop(0)
            reached.add(here)
            for edge in edges:
                (other,) = set(edge) - {here} if here in edge else (here,)
                if other not in reached:
                    parents[other] = (here,)
                    waiting.append(other)
    return Graph(tuple(parents))
