"""The histogram of a number, given back from its noise."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd._subpopulation import Subpopulation, conditional
from confide.crowd.distribution import Distribution
from confide.design import Number
from confide.errors import QueryError
from confide.estimators.bootstrap import draw_replicates
from confide.estimators.inverse import invert_tables
from confide.estimators.likelihood import ReportedTable
from confide.estimators.merged_intervals import choose_intervals, has_noisy_number
from confide.estimators.reconstruction import Procedure, reconstruct

_ONE_SIGMA = 0.6827
_LEAST_INFORMATION = 16.0
"""The least information about a mean, in ranges: by the noise alone its standard error is at most a
quarter of the range."""


def reconstruct_distribution(
    people: Subpopulation, question: Number, wanted: int | None, procedure: Procedure
) -> Distribution:
    """The distribution of a number over so many intervals."""
    name = question.name
    intervals = choose_intervals(people.design, [*people.within, name], people.n)
    if wanted is not None:
        others = choose_intervals(people.design, list(people.within), people.n)
        intervals = {**others, name: wanted}
    observed = people.reported_tables([*people.within, name], intervals)
    _check_spread(people, question, observed)
    fixed = people.locate(observed[0])

    def fit(batches: Sequence[ReportedTable]) -> Array:
        if all(batch.channel.invertible for batch in batches):
            return invert_tables(batches)
        return reconstruct(batches, procedure)

    truth = fit(observed)
    grid = observed[0].channel.merged[name].grid
    found = [conditional(each, fixed) for each in draw_replicates(observed, truth, fit)]
    shares = conditional(truth, fixed)
    highest = question.high + (question.step or 0) / 2
    edges = grid.array.clip(max=highest)  # not beyond the range
    labels = question.interval_labels(grid)
    return Distribution(name, edges, labels, shares, np.array(found), people.n)


def _check_spread(people: Subpopulation, question: Number, observed: list[ReportedTable]) -> None:
    """Refuse noise that is too wide to tell anything, and reports that no noise gives."""
    name, span = question.name, question.high - question.low
    if _information(people.batches, name) * span**2 < _LEAST_INFORMATION:
        raise QueryError(
            f"the noise on {name} is too wide for {people.n:,} reports: even its mean could "
            "be anywhere. Collect more reports, or use less noise."
        )
    others = tuple(range(len(people.within)))
    seen = sum(np.count_nonzero(batch.shares.sum(axis=others)) for batch in observed)
    if seen == 1 and has_noisy_number(people.design, [name]) and people.n > 1:
        raise QueryError(
            f"all {people.n:,} reports of {name} lie in one interval, which noise does not "
            "do. Were they disguised under this design?"
        )


def _information(batches: Sequence[Counts], question: str) -> float:
    """The inverse variance of a number's mean by the noise alone, summed over the reports."""
    total = 0.0
    for batch in batches:
        mechanism = batch.design.block(question).mechanism
        width = None if mechanism is None else mechanism.noise_width(_ONE_SIGMA)
        if width is None:
            return inf
        total += batch.n / (width / 2) ** 2
    return total
