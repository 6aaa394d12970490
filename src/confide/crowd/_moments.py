"""The moments of per-report weights, from which values and standard errors follow.

An estimate is a mean of per-report weights. For the share of an event within a sub-population it
is a ratio of two such means, v/s; its error is that of the mean of (a − p·b)/s, with a and b the
weights of both and p the ratio (delta method).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.counts import Counts
from confide.errors import QueryError
from confide.estimators.event_weights import Where, event_weights, invert_patterns
from confide.estimators.table_channel import TableChannel

NOBODY = (
    "as far as the reports tell, nobody has the true answers that are given, so nothing is known "
    "about such people. Give other answers, or collect more reports."
)


@dataclass(frozen=True, eq=False)
class Moments:
    """The moments of one batch, for all cells of a table within a sub-population.

    Parameters
    ----------
    values : array
        E a: the share of each cell's event.
    squares : array
        E a².
    products : array
        E ab.
    share : float
        E b: the share of the sub-population; 1 for all.
    share_square : float
        E b².
    n : int
        The number of reports.
    """

    values: Array
    squares: Array
    products: Array
    share: float
    share_square: float
    n: int

    @classmethod
    def from_table(
        cls, channel: TableChannel, reported: Array, n: int, within: Sequence[int]
    ) -> Moments:
        """Invert a whole table; ``within`` are the sub-population's codes on its first axes."""
        cell = tuple(within)
        event = np.zeros(channel.shape)
        event[cell] = 1
        weights = channel.weights(event) if cell else np.ones_like(reported)
        return cls(
            values=channel.invert(reported)[cell],
            squares=channel.invert_squares(reported)[cell],
            products=channel.invert(reported * weights)[cell],
            share=float((reported * weights).sum()),
            share_square=float((reported * weights**2).sum()),
            n=n,
        )

    @classmethod
    def from_patterns(cls, counts: Counts, where: Where, questions: Sequence[str]) -> Moments:
        """Invert pattern by pattern, where the whole table would be too large to keep."""
        reported = counts.reports / counts.n
        weights = event_weights(counts, where)
        return cls(
            values=invert_patterns(counts, reported, where, questions),
            squares=invert_patterns(counts, reported, where, questions, lambda m: m.squared),
            products=invert_patterns(counts, reported * weights, where, questions),
            share=float(reported @ weights),
            share_square=float(reported @ weights**2),
            n=counts.n,
        )

    @classmethod
    def of_event(cls, counts: Counts, event: Where, within: Where) -> Moments:
        """The moments of a single event, from the weights of the patterns."""
        reported = counts.reports / counts.n
        a, b = event_weights(counts, {**within, **event}), event_weights(counts, within)
        return cls(
            values=np.asarray(reported @ a),
            squares=np.asarray(reported @ a**2),
            products=np.asarray(reported @ (a * b)),
            share=float(reported @ b),
            share_square=float(reported @ b**2),
            n=counts.n,
        )

    def variance(self, ratio: Array) -> Array:
        """The variance of the mean of a − ratio·b."""
        second = self.squares - 2 * ratio * self.products + ratio**2 * self.share_square
        first = self.values - ratio * self.share
        return (second - first**2).clip(0) / self.n


def combine_moments(moments: Sequence[Moments], by: str) -> tuple[Array, Array]:
    """Pool batches into one ratio and its standard error.

    By "size" every report counts the same. By "precision" each batch counts in inverse proportion
    to the mean variance of its own cells, one weight for the whole table so that it still adds up.
    A variance is at least that of as many answers in the clear from the whole pool: few reports
    that happen to be alike are not exact.
    """
    weights = np.array([m.n for m in moments], dtype=float)
    weights /= weights.sum()
    if by == "precision" and len(moments) > 1:
        pool = sum(w * m.values for w, m in zip(weights, moments, strict=True)).clip(0, 1)
        clear = np.mean(pool * (1 - pool))
        noise = [
            max(np.mean(m.variance(np.zeros_like(m.values))), clear / m.n, 1e-300) for m in moments
        ]
        weights = 1 / np.array(noise)
        weights /= weights.sum()
    share = sum(w * m.share for w, m in zip(weights, moments, strict=True))
    if share <= 0:
        raise QueryError(NOBODY)
    value = sum(w * m.values for w, m in zip(weights, moments, strict=True)) / share
    variance = sum(w**2 * m.variance(value) for w, m in zip(weights, moments, strict=True))
    return np.asarray(value), np.sqrt(variance) / abs(share)
