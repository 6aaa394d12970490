"""The table of truths that makes the reports most likely, by expectation–maximisation.

p ← p ∘ Mᵀ(π* / M p), always a distribution. On intervals with noise this *is* the reconstruction
of `agrawal-srikant-2000` (equation 3). Several batches under different designs multiply their
likelihoods: each adds its own term in proportion to its size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.table_channel import TableChannel

_ITERATIONS = 5_000
_TOLERANCE = 1e-10


@dataclass(frozen=True, eq=False)
class ReportedTable:
    """One batch's reported table, as shares, with the channel that made it."""

    channel: TableChannel
    shares: Array
    n: int

    @classmethod
    def of(
        cls, counts: Counts, questions: Sequence[str], cells: Mapping[str, int] | None = None
    ) -> ReportedTable:
        """The reported table of some questions, their numbers merged into so many intervals."""
        channel = TableChannel(counts.design, questions, cells)
        merged = {name: axis.report for name, axis in channel.merged.items()}
        return cls(channel, counts.table(questions, merged) / counts.n, counts.n)


def maximise_likelihood(batches: Sequence[ReportedTable], start: Array | None = None) -> Array:
    """Maximise the likelihood of the reports over all tables of truths."""
    if start is None:
        start = _interior(batches)
    return maximise(lambda p: em_step(batches, p), start)


def em_step(batches: Sequence[ReportedTable], truth: Array) -> Array:
    """One step of expectation–maximisation."""
    total = sum(batch.n for batch in batches)
    ratio = sum(
        batch.n / total * batch.channel.apply_transpose(_ratio(batch, truth)) for batch in batches
    )
    return np.asarray(truth * ratio)


def _ratio(batch: ReportedTable, truth: Array) -> Array:
    expected = batch.channel.apply(truth)
    return np.divide(batch.shares, expected, out=np.zeros_like(expected), where=expected > 0)


def _interior(batches: Sequence[ReportedTable]) -> Array:
    """A start with no zero: the inverse if it is a distribution, else the uniform table.

    The likelihood is concave, so the start decides the time taken, not the result.
    """
    shape = batches[0].channel.shape
    if len(batches) == 1 and batches[0].channel.invertible:
        inverse = batches[0].channel.invert(batches[0].shares)
        if inverse.min() >= 0:
            return inverse
    return np.full(shape, 1 / np.prod(shape))


def maximise(step: Callable[[Array], Array], truth: Array) -> Array:
    """Leap until a step changes nothing."""
    for _ in range(_ITERATIONS):
        first = step(truth)
        if np.abs(first - truth).sum() < _TOLERANCE:
            return first
        truth = squarem_step(step, truth, first)
    return truth


def squarem_step(step: Callable[[Array], Array], truth: Array, first: Array) -> Array:
    """Follow the steps' common direction as far as it stays a distribution (SQUAREM).

    Varadhan and Roland (2008), scheme S3; ``first`` is the step from ``truth``.
    """
    second = step(first)
    leap = extrapolate(truth, first, second)
    return step(leap / leap.sum()) if leap.min() > 0 else second


def extrapolate(start: Array, first: Array, second: Array, most: float = np.inf) -> Array:
    """Where two steps lead if their change keeps bending as it does; at least to the second.

    ``most`` bounds the length of the leap; at 1 it ends at the second step.
    """
    change, bend = first - start, second - 2 * first + start
    least = np.square(bend).sum()
    length = max(1.0, float(np.sqrt(np.square(change).sum() / least))) if least > 0 else 1.0
    length = min(length, most)
    return np.asarray(start + 2 * length * change + length**2 * bend)
