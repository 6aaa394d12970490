"""The histogram of a number, given back from its noise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.crowd._means import estimate_mean, estimate_variance, knows_mean
from confide.crowd._subpopulation import Size, Subpopulation, conditional
from confide.crowd.distribution import Distribution
from confide.crowd.estimate import Approximation, Quantity
from confide.design import Number
from confide.errors import QueryError
from confide.estimators.bootstrap import draw_replicates
from confide.estimators.merged_intervals import choose_intervals, has_noisy_number
from confide.estimators.reconstruction import Procedure, reconstruct

_ONE_SIGMA = 0.6827
_LEAST_INFORMATION = 16.0
"""The least information about a mean, in ranges: by the noise alone its standard error is at most a
quarter of the range."""


def reconstruct_distribution(
    people: Subpopulation, question: Number, wanted: int | None, procedure: Procedure
) -> Distribution:
    """The distribution of a number with noise over so many intervals."""
    name = question.name
    check_spread(people, question)
    intervals = choose_intervals(people.design, [*people.within, name], people.n)
    if wanted is not None:
        others = choose_intervals(people.design, list(people.within), people.n)
        intervals = {**others, name: wanted}
    observed = people.list_reported_tables([*people.within, name], intervals)
    fixed = people.locate(observed[0])
    truth = reconstruct(observed, procedure)
    drawn = draw_replicates(observed, truth, partial(reconstruct, procedure=procedure))
    replicates = np.array([conditional(each, fixed) for each in drawn])
    grid = observed[0].channel.merged[name].grid
    edges = grid.array.clip(max=question.high + (question.step or 0) / 2)  # not beyond the range
    size = people.size(float(truth[fixed].sum()))
    found = _Reconstructed(edges, conditional(truth, fixed), replicates, size)
    moments = found.mean, found.variance
    if knows_mean(people, question):
        moments = estimate_mean(people, question), estimate_variance(people, question)
    return Distribution(
        name,
        edges,
        question.interval_labels(grid),
        found.shares,
        np.std(replicates, axis=0, ddof=1),
        **size,
        moments=moments,
        quantiles=found,
    )


@dataclass(frozen=True, eq=False)
class _Reconstructed:
    """A reconstructed histogram, and those of surveys that were drawn from it."""

    edges: Array
    shares: Array
    replicates: Array
    size: Size

    @property
    def mean(self) -> Quantity:
        """The mean, each interval taken at its middle."""
        return self._infer(self._average)

    @property
    def variance(self) -> Quantity:
        """The variance, each interval taken at its middle."""
        middles = self._middles
        return self._infer(
            lambda shares: float(shares @ (middles - self._average(shares)) ** 2 / shares.sum())
        )

    def at(self, level: float) -> Quantity:
        """The number below which a share of the people lies."""

        def interpolate(shares: Array) -> float:
            below = np.r_[0, np.cumsum(shares)]
            return float(np.interp(level * below[-1], below, self.edges))

        return self._infer(interpolate)

    @property
    def _middles(self) -> Array:
        return (self.edges[1:] + self.edges[:-1]) / 2

    def _average(self, shares: Array) -> float:
        return float(shares @ self._middles / shares.sum())

    def _infer(self, function: Callable[[Array], float]) -> Approximation:
        """A function of the shares, with its standard deviation over the replicates."""
        drawn = [function(shares) for shares in self.replicates]
        return Approximation(function(self.shares), float(np.std(drawn, ddof=1)), **self.size)


def check_spread(people: Subpopulation, question: Number) -> None:
    """Refuse noise that is too wide to tell anything, and reports that no noise gives."""
    name, span = question.name, question.high - question.low
    if _information(people.batches, name) * span**2 < _LEAST_INFORMATION:
        raise QueryError(
            f"the noise on {name} is too wide for {people.n:,} reports: even its mean could "
            "be anywhere. Collect more reports, or use less noise."
        )
    seen = sum(len(np.unique(b.patterns[:, b.design.position(name)])) for b in people.batches)
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
