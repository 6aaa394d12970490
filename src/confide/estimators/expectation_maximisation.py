"""The table of truths that makes the reports most likely, by expectation–maximisation.

p ← p ∘ Mᵀ(π* / M p), always a distribution. On intervals with noise this *is* the reconstruction
of `agrawal-srikant-2000` (equation 3). Several batches under different designs multiply their
likelihoods: each adds its own term in proportion to its size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array, Indices
from confide.counts import Counts
from confide.estimators.projected_newton import climb_to_maximum
from confide.estimators.share_likelihood import ObservedShares, Operator, add_factors
from confide.estimators.table_channel import TableChannel

_MOST_STEPS = 5_000
_EARLY = 40
"""So many steps lead near enough to the maximum for Newton's method."""
_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class ReportedTable:
    """One batch's reported table of some questions.

    Parameters
    ----------
    channel : TableChannel
        The channel through which the truth became the reports.
    shares : array
        The share of each combination of reports, with one axis per question.
    n : int
        The number of reports; with weights, as many of equal weight as would tell as much.
    """

    channel: TableChannel
    shares: Array
    n: int

    @classmethod
    def of(
        cls,
        counts: Counts,
        questions: Sequence[str],
        intervals: Mapping[str, int | Indices] | None = None,
    ) -> ReportedTable:
        """The reported table of some questions, their numbers merged as `TableChannel` does."""
        channel = TableChannel(counts.design, questions, intervals)
        merged = {name: axis.report for name, axis in channel.merged.items()}
        size = max(1, round(counts.effective_n))
        return cls(channel, counts.table(questions, merged) / counts.n, size)


def maximise_likelihood(batches: Sequence[ReportedTable], start: Array | None = None) -> Array:
    """Maximise the likelihood of the reports over all tables of truths."""
    if start is None:
        start = _choose_start(batches)
    return maximise(_observe(batches), start)


def em_step(batches: Sequence[ReportedTable], truth: Array) -> Array:
    """Take one step of expectation–maximisation for all batches together."""
    return np.asarray(truth * add_factors(_observe(batches), truth))


def _observe(batches: Sequence[ReportedTable]) -> list[ObservedShares]:
    """Give each batch's reports as shares of the reports of all batches."""
    total = sum(batch.n for batch in batches)
    return [
        ObservedShares(
            batch.channel.apply, batch.channel.apply_transpose, batch.n / total * batch.shares
        )
        for batch in batches
    ]


def maximise(observed: Sequence[ObservedShares], start: Array) -> Array:
    """Find the most likely shares: some accelerated steps, then Newton's method to the end."""
    early = repeat_step(
        lambda truth: truth * add_factors(observed, truth),
        start,
        lambda before, after: bool(np.abs(after - before).sum() < _TOLERANCE),
        most_steps=_EARLY,
    )
    return climb_to_maximum(observed, early)


def repeat_step(
    step: Operator,
    start: Array,
    converged: Callable[[Array, Array], bool],
    accelerated: bool = True,
    most_steps: int = _MOST_STEPS,
) -> Array:
    """Repeat a step until the estimates before and after it have converged.

    Parameters
    ----------
    step : callable
        One step of expectation–maximisation.
    start : array
        The first estimate.
    converged : callable
        Whether the estimates before and after a step are close enough to stop.
    accelerated : bool
        Whether to go further than each step leads, by SQUAREM.
    most_steps : int
        How often at most.
    """
    truth = start
    for _ in range(most_steps):
        after = step(truth)
        if converged(truth, after):
            return after
        truth = squarem_step(step, truth, after) if accelerated else after
    return truth


def squarem_step(step: Operator, truth: Array, first: Array) -> Array:
    """Follow the steps' common direction as far as it stays a distribution (SQUAREM).

    Varadhan and Roland (2008), scheme S3; ``first`` is the step from ``truth``.
    """
    second = step(first)
    change, bend = first - truth, second - 2 * first + truth
    least = np.square(bend).sum()
    length = max(1.0, float(np.sqrt(np.square(change).sum() / least))) if least > 0 else 1.0
    leap = truth + 2 * length * change + length**2 * bend
    return step(leap / leap.sum()) if leap.min() > 0 else second


def _choose_start(batches: Sequence[ReportedTable]) -> Array:
    """A start with no zero: the inverse if it is a distribution, else the uniform table.

    The likelihood is concave, so the start decides the time taken, not the result.
    """
    shape = batches[0].channel.shape
    if len(batches) == 1 and batches[0].channel.invertible:
        inverse = batches[0].channel.invert(batches[0].shares)
        if inverse.min() >= 0:
            return inverse
    return np.full(shape, 1 / np.prod(shape))
