"""The conditional tables of a network that make disguised reports most likely, and its score.

What is hidden is every true answer. A step of expectation–maximisation tells how many people are
expected to have each combination of true answers, given their reports and the tables so far; the
new tables are the shares among those people. As prior knowledge one person is added to each row of
each table, spread evenly over its answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from math import log, prod

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.expectation_maximisation import repeat_step
from confide.estimators.log_odds import Rows, find_covariance
from confide.estimators.sample_covariance import widen_by_sample
from confide.estimators.share_likelihood import ObservedShares, add_factors
from confide.estimators.table_channel import TableChannel
from confide.mining.network.graph import Graph

PRIOR = 1.0
"""So many people are added to each row of each table."""
_CLOSE = 1e-11  # a step that moves the whole table by less ends the fit


@dataclass(frozen=True, eq=False)
class ReportTables:
    """The reports to some questions as whole tables, one a batch.

    Parameters
    ----------
    sizes : tuple of int
        How many answers each question has.
    observed : list of ObservedShares
        Each batch's reports and the channel that they came through.
    n : float
        The number of reports; with weights, as many of equal weight as would tell as much.
    batches : sequence of Counts
        The reports as they were counted.
    names : sequence of str
        The questions.
    """

    sizes: tuple[int, ...]
    observed: list[ObservedShares]
    n: float
    batches: Sequence[Counts]
    names: Sequence[str]

    @classmethod
    def of(cls, batches: Sequence[Counts], names: Sequence[str]) -> ReportTables:
        """Lay out the reports of some batches to some questions."""
        n = sum(batch.effective_n for batch in batches)
        channels = [TableChannel(batch.design, names) for batch in batches]
        parts = [batch.effective_n / n / batch.n for batch in batches]
        observed = [
            ObservedShares(channel.apply, channel.apply_transpose, part * batch.table(names))
            for batch, channel, part in zip(batches, channels, parts, strict=True)
        ]
        return cls(channels[0].shape, observed, n, batches, names)

    def expect_people(self, joint: Array) -> Array:
        """Give how many people are expected to have each combination of true answers."""
        return np.asarray(self.n * joint * add_factors(self.observed, joint))

    def log_likelihood(self, joint: Array) -> float:
        """Give the log-likelihood of the reports if people's answers have this distribution."""
        total = 0.0
        for each in self.observed:
            seen = each.shares > 0
            total += float(each.shares[seen] @ np.log(each.apply(joint)[seen]))
        return self.n * total

    def list_log_chances(self, joint: Array) -> list[Array]:
        """Give the log P of each row of each batch if answers have this distribution."""
        found = []
        for batch, each in zip(self.batches, self.observed, strict=True):
            places = [batch.design.position(name) for name in self.names]
            found.append(np.log(each.apply(joint)[*batch.patterns[:, places].T]))
        return found


@dataclass(frozen=True, eq=False)
class FittedNetwork:
    """A network with its most likely tables.

    Parameters
    ----------
    graph : Graph
        The edges.
    joint : array
        The share of every combination of true answers, one axis per question.
    log_likelihood : float
        That of the reports.
    n : float
        The number of reports; with weights, as many of equal weight as would tell as much.
    """

    graph: Graph
    joint: Array
    log_likelihood: float
    n: float

    @property
    def tables(self) -> list[Array]:
        """For each question P(answer | parents): (the parents' combinations, answers)."""
        families = enumerate(self.graph.parents)
        return [_to_rows(sum_family(self.joint, child, own)) for child, own in families]

    @cached_property
    def score(self) -> float:
        """The Bayesian information criterion, the larger the better."""
        return self.log_likelihood - penalise(self.graph, self.joint.shape, self.n)


def penalise(graph: Graph, sizes: Sequence[int], n: float) -> float:
    """Give what a network's tables cost: half a log n for each of their free numbers."""
    return sum(penalise_family(c, own, sizes, n) for c, own in enumerate(graph.parents))


def penalise_family(child: int, parents: Sequence[int], sizes: Sequence[int], n: float) -> float:
    """Give what one table costs."""
    return (sizes[child] - 1) * prod(sizes[place] for place in parents) * log(n) / 2


def fit_network(reports: ReportTables, graph: Graph, start: Array | None = None) -> FittedNetwork:
    """Find the most likely tables of a network, from the given or the uniform joint."""

    def step(joint: Array) -> Array:
        return multiply_tables(graph, update_tables(graph, reports.expect_people(joint)))

    if start is None:
        start = np.full(reports.sizes, 1 / prod(reports.sizes))
    joint = repeat_step(
        step, start, lambda before, after: bool(np.abs(after - before).sum() < _CLOSE)
    )
    return FittedNetwork(graph, joint, reports.log_likelihood(joint), reports.n)


def update_tables(graph: Graph, people: Array) -> list[Array]:
    """Give the tables that so many people of each combination of answers suggest."""
    return [
        (counts := count_family(people, child, own)) / counts.sum(axis=1, keepdims=True)
        for child, own in enumerate(graph.parents)
    ]


def count_family(people: Array, child: int, parents: Sequence[int]) -> Array:
    """Count people by the parents' combination of answers and the child's, with the prior."""
    counts = sum_family(people, child, parents)
    return np.asarray(counts + PRIOR / counts.shape[1])


def sum_family(table: Array, child: int, parents: Sequence[int]) -> Array:
    """Sum a table over all questions but a family's: (combinations of the parents, child)."""
    family = (*parents, child)
    summed = table.sum(axis=tuple(axis for axis in range(table.ndim) if axis not in family))
    places = sorted(family)
    ordered = summed.transpose([places.index(place) for place in family])
    return np.asarray(ordered.reshape(-1, table.shape[child]))


def multiply_tables(graph: Graph, tables: Rows) -> Array:
    """Give the joint distribution: the product of all tables."""
    sizes = [table.shape[1] for table in tables]
    factors = []
    for child, (own, table) in enumerate(zip(graph.parents, tables, strict=True)):
        family = (*own, child)
        shaped = table.reshape([sizes[place] for place in family])
        shape = [size if place in family else 1 for place, size in enumerate(sizes)]
        factors.append(shaped.transpose(np.argsort(family)).reshape(shape))
    return np.asarray(reduce(np.multiply, factors))


def measure_covariance(reports: ReportTables, fitted: FittedNetwork) -> Array:
    """Give the covariance of the log odds in all tables (observed information).

    Where people were drawn by weights, strata or clusters, what that adds is counted.
    """
    covariance = find_covariance(
        fitted.tables,
        lambda rows: _find_gradient(reports, fitted.graph, rows),
        _find_scale(fitted),
    )
    return widen_by_sample(
        covariance,
        reports.batches,
        fitted.tables,
        lambda rows: reports.list_log_chances(multiply_tables(fitted.graph, rows)),
    )


def _find_gradient(reports: ReportTables, graph: Graph, tables: Rows) -> Array:
    """Give the derivative of the log-posterior by the log odds of every row of every table."""
    people = reports.expect_people(multiply_tables(graph, tables))
    parts = []
    for child, (own, table) in enumerate(zip(graph.parents, tables, strict=True)):
        counts = count_family(people, child, own)
        parts.append((counts - counts.sum(axis=1, keepdims=True) * table)[:, 1:].ravel())
    return np.concatenate(parts)


def _find_scale(fitted: FittedNetwork) -> Array:
    """Give one over the standard error of each log odds if nothing were hidden."""
    people, parts = fitted.n * fitted.joint, []
    for child, own in enumerate(fitted.graph.parents):
        counts = count_family(people, child, own)
        total = counts.sum(axis=1, keepdims=True)
        parts.append((counts * (1 - counts / total))[:, 1:].ravel())
    return np.sqrt(np.concatenate(parts))


def _to_rows(counts: Array) -> Array:
    """Give each row as shares of itself."""
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))
