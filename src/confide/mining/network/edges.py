"""How strong each edge of a network is, and whether another survey would find it again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.estimators.bootstrap import draw_reports_again
from confide.mining.network.network_fit import FittedNetwork, ReportTables, fit_network
from confide.mining.network.network_learning import Method, learn_network
from confide.progress import track

_SEED = 20_000  # the same reports give the same support


@dataclass(frozen=True)
class Edge:
    """One question that depends on another.

    Parameters
    ----------
    parent, child : str
        The questions.
    gain : float
        How much the network's score would lose without the edge; the reports are e^gain times as
        likely with it, after the price of its numbers.
    directed : bool
        Whether data can tell the arrow's direction. Where not, the network is as good with it
        turned, and it is drawn without a head.
    support : float or None
        The share of redrawn surveys whose network joins the two, either way round.
    direction : float or None
        The share of redrawn surveys whose network tells this very direction.
    """

    parent: str
    child: str
    gain: float
    directed: bool
    support: float | None
    direction: float | None

    def __repr__(self) -> str:
        line = f"{self.parent} {'→' if self.directed else '—'} {self.child}: gain {self.gain:.1f}"
        if self.support is None:
            return line
        told = f", this way in {self.direction:.0%}" if self.directed else ""
        return f"{line}, in {self.support:.0%} of redrawn surveys{told}"


def find_edges(
    reports: ReportTables, fitted: FittedNetwork, method: Method, max_parents: int, surveys: int
) -> tuple[Edge, ...]:
    """Measure each edge: what the score loses without it, and how often it is found again."""
    generator, names = np.random.default_rng(_SEED), reports.names
    found = []
    for _ in track(range(surveys)):
        again = draw_reports_again(reports.batches, generator)
        found.append(learn_network(again, names, method, max_parents).graph)
    edges, told = [], fitted.graph.told_edges
    for parent, child in fitted.graph.edges:
        without = fitted.graph.change(((parent, child),), ())
        assert without is not None  # an edge less makes no cycle
        joins = sum({(parent, child), (child, parent)} & set(each.edges) != set() for each in found)
        points = sum((parent, child) in each.told_edges for each in found)
        edges.append(
            Edge(
                names[parent],
                names[child],
                fitted.score - fit_network(reports, without, fitted.joint).score,
                (parent, child) in told,
                joins / surveys if surveys else None,
                points / surveys if surveys else None,
            )
        )
    return tuple(edges)
