"""Shares by the inverse: unbiased, with score-test intervals.

`TableMoments` inverts a table that is small enough to keep, `PatternMoments` sums over the patterns
of reports, and `EventMoments` does so for a single cell; all give the same numbers.
"""

from __future__ import annotations

from functools import partial
from math import prod

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd._effective_size import count_effective, stretch_variance
from confide.crowd._influence import Influence
from confide.crowd._intervals import ShareIntervals
from confide.crowd._score_test import Sample, ScoreTest
from confide.crowd._shares import estimate_shares, weigh_samples
from confide.crowd._subpopulation import Pooling, Subpopulation
from confide.crowd.estimate import Estimate
from confide.crowd.table import Table
from confide.errors import QueryError
from confide.estimators.event_weights import Where, event_weights
from confide.estimators.expectation_maximisation import ReportedTable
from confide.estimators.table_channel import DENSE_CELLS
from confide.estimators.weight_moments import (
    EventMoments,
    MadeUpMoments,
    PatternMoments,
    TableMoments,
    WeightMoments,
)

_MOST_CELLS = 4_096  # of a table whose reports were not drawn alike


def invert_event(people: Subpopulation, codes: Where) -> Estimate:
    """The share of an event by the inverse."""
    test = _make_event_test(people, codes)
    value, error = estimate_shares(test)
    how, source = ShareIntervals(test).at(()), partial(find_influence, people, codes)
    return Estimate(
        float(value), float(error), **people.size(float(test.mean(0, 1))), how=how, source=source
    )


def find_influence(people: Subpopulation, codes: Where) -> Influence:
    """How much each report moves the share of an event: the derivative of the ratio."""
    test = _make_event_test(people, codes)
    share, value = float(test.mean(0, 1)), float(test.mean(1, 0) / test.mean(0, 1))
    parts = []
    for weight, batch, source in zip(test.weights, people.batches, people.counted, strict=True):
        a = event_weights(batch, {**people.within, **codes})
        b = event_weights(batch, people.within)
        parts.append((source, weight * (a - value * b) / share))
    return Influence(tuple(parts))


def _make_event_test(people: Subpopulation, codes: Where) -> ScoreTest:
    """The score test of a single event."""
    samples = [
        Sample(
            EventMoments(batch, codes, people.within),
            MadeUpMoments(batch.design, codes, people.within),
            float(count_effective(batch, people.within, [codes])[0]),
            batch.n,
            stretch_variance(batch),
        )
        for batch in people.batches
    ]
    return weigh_samples(samples, people.by)


def invert_table(people: Subpopulation, names: list[str]) -> Table:
    """The unbiased table by the inverse: of a kept table, or pattern by pattern."""
    if not people.can_keep(names):
        raise QueryError(
            f"a table of {', '.join(names)} has {people.table_size(names):,} cells; at most "
            f"{DENSE_CELLS:,} are given. Ask for fewer questions."
        )
    test = make_cell_test(people, names, people.by)
    values, errors = estimate_shares(test)
    return Table(
        people.design,
        tuple(names),
        values,
        errors,
        **people.size(float(test.mean(0, 1))),
        method="inverse",
        intervals=ShareIntervals(test),
        influence=partial(find_influence, people),
    )


def make_cell_test(people: Subpopulation, names: list[str], by: Pooling) -> ScoreTest:
    """The score test of every cell of a table."""
    axes, samples = [*people.within, *names], []
    for batch in people.batches:
        observed: WeightMoments
        if people.can_keep(axes):
            table = ReportedTable.of(batch, axes)
            observed = TableMoments(table.channel, table.shares, tuple(people.within.values()))
        else:
            observed = PatternMoments(batch, people.within, names)
        made_up = MadeUpMoments(batch.design, {}, people.within, names)
        n = _count_cells(batch, people.within, names)
        samples.append(Sample(observed, made_up, n, batch.n, stretch_variance(batch)))
    return weigh_samples(samples, by)


def _count_cells(counts: Counts, within: Where, names: list[str]) -> float | Array:
    """Count how many reports drawn alike would tell as much about each cell of a table."""
    if counts.drawn is None:
        return float(counts.n)
    shape = tuple(counts.design.question(name).size for name in names)
    if prod(shape) > _MOST_CELLS:
        raise QueryError(
            f"a table of {prod(shape):,} cells is too large for reports with weights, strata or "
            f"clusters: at most {_MOST_CELLS:,} cells. Ask for fewer questions."
        )
    cells = [dict(zip(names, cell, strict=True)) for cell in np.ndindex(shape)]
    return count_effective(counts, within, cells).reshape(shape)
