"""Replicates of a sample: the same people with other weights, some left out or drawn again.

What is estimated from each tells how much chance moves it (the jackknife, the bootstrap).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, get_args

import numpy as np

from confide.arrays import Array
from confide.counts.drawn_sample import DrawnSample
from confide.errors import QueryError

Replication = Literal["jackknife", "bootstrap"]
_MOST_UNITS = 10_000


def replicate_covariance(
    drawn: DrawnSample,
    answer: Callable[[Array], Array],
    by: Replication,
    surveys: int,
    generator: np.random.Generator,
) -> Array:
    """The covariance of several numbers over replicates of a sample.

    Parameters
    ----------
    drawn : DrawnSample
        How the people were drawn.
    answer : callable
        Gives the numbers, when the weights of each row's people are multiplied by a factor.
    by : {"jackknife", "bootstrap"}
        Whether people, or clusters, are left out one at a time, or drawn again.
    surveys : int
        How many times they are drawn again.
    generator : numpy Generator
        The chance by which they are.
    """
    if by not in get_args(Replication):
        raise QueryError(f'by must be "jackknife" or "bootstrap". Got {by!r}.')
    if not (drawn.units > 1).all():
        raise QueryError(
            "a stratum of one person or one cluster cannot be drawn again. Join it to another."
        )
    if by == "bootstrap":
        if surveys < 2:
            raise QueryError(f"surveys must be at least 2, better 200. Got {surveys}.")
        found = [answer(factors) for factors in _draw_again(drawn, surveys, generator)]
        return np.atleast_2d(np.cov(np.stack(found), rowvar=False))
    whole = answer(np.ones(len(drawn.reports)))
    total = np.zeros((len(whole), len(whole)))
    for part, factors in _leave_out(drawn):
        apart = answer(factors) - whole
        total += part * np.outer(apart, apart)
    return total


def _leave_out(drawn: DrawnSample) -> Iterator[tuple[float, Array]]:
    """Leave out one cluster or one person at a time: how much it counts, and the rows' factors."""
    units, strata, clusters = drawn.units, drawn.strata, drawn.clusters
    if (len(drawn.weights) if clusters is None else units.sum()) > _MOST_UNITS:
        raise QueryError(f'a jackknife takes at most {_MOST_UNITS:,} units. Use by="bootstrap".')
    rest, part = units / (units - 1), (units - 1) / units
    if clusters is not None:
        for cluster in np.unique(clusters):
            inside = clusters == cluster
            stratum = strata[inside][0]
            yield (
                part[stratum],
                np.where(inside, 0.0, np.where(strata == stratum, rest[stratum], 1)),
            )
        return
    for row, (n, stratum) in enumerate(zip(drawn.reports, strata, strict=True)):
        factors = np.where(strata == stratum, rest[stratum], 1.0)
        factors[row] *= (n - 1) / n
        # people of one row have one report, and their weights may differ
        alike = drawn.squares[row] * n / drawn.weights[row] ** 2
        yield part[stratum] * n * alike, factors


def _draw_again(
    drawn: DrawnSample, surveys: int, generator: np.random.Generator
) -> Iterator[Array]:
    """Draw one unit less than there are from each stratum, and weigh them up (Rao and Wu 1988)."""
    units, strata, clusters = drawn.units, drawn.strata, drawn.clusters
    rest = units / (units - 1)
    for _ in range(surveys):
        factors = np.ones(len(strata))
        for stratum in range(len(units)):
            rows = np.flatnonzero(strata == stratum)
            many = int(units[stratum]) - 1
            if clusters is None:
                n = drawn.reports[rows]
                times = generator.multinomial(many, n / n.sum())
                spread = np.sqrt((drawn.squares[rows] * n / drawn.weights[rows] ** 2 - 1).clip(0))
                times = times + spread * np.sqrt(times) * generator.standard_normal(len(rows))
                factors[rows] = times / n * rest[stratum]
            else:
                names, place = np.unique(clusters[rows], return_inverse=True)
                times = generator.multinomial(many, np.full(len(names), 1 / len(names)))
                factors[rows] = times[place] * rest[stratum]
        yield factors
