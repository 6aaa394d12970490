"""A network learned from counted reports, by either method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from confide.counts import Counts
from confide.mining.network.network_fit import FittedNetwork, ReportTables, fit_network
from confide.mining.network.search import grow_tree, search_network

Method = Literal["search", "tree"]


def learn_network(
    batches: Sequence[Counts], names: Sequence[str], method: Method, max_parents: int
) -> FittedNetwork:
    """Learn a network of some questions: the tree, or what a search from there finds."""
    tree = grow_tree(batches, names)
    reports = ReportTables.of(batches, names)
    if method == "tree":
        return fit_network(reports, tree)
    return search_network(reports, tree, max_parents)
