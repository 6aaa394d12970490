"""Standard errors by leaving people or clusters of a sample out, or by drawing them again.

Each replicate is the same crowd with other weights, so anything that can be asked of a crowd gets a
standard error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Literal, get_args

import numpy as np

from confide.arrays import Array
from confide.counts.drawn_sample import DrawnSample
from confide.crowd._raking import draw_alike
from confide.crowd._subpopulation import Subpopulation
from confide.errors import QueryError

Replication = Literal["jackknife", "bootstrap"]
_MOST_UNITS = 10_000


def find_variance(
    people: Subpopulation,
    ask: Callable[[Subpopulation], float],
    by: Replication,
    surveys: int,
    generator: np.random.Generator,
) -> float:
    """The variance of what is asked of some people, over replicates of each batch."""
    if by not in get_args(Replication):
        raise QueryError(f'by must be "jackknife" or "bootstrap". Got {by!r}.')
    whole, total = ask(people), 0.0
    for place, batch in enumerate(people.batches):
        drawn = batch.drawn or draw_alike(batch)
        if not (drawn.units > 1).all():
            raise QueryError(
                "a stratum of one person or one cluster cannot be drawn again. Join it to another."
            )

        def answer(factors: Array, place: int = place, drawn: DrawnSample = drawn) -> float:
            changed = replace(people.batches[place], drawn=drawn.weigh(factors))
            batches = (*people.batches[:place], changed, *people.batches[place + 1 :])
            return ask(replace(people, batches=batches))

        if by == "jackknife":
            left_out = _leave_out(drawn)
            total += sum(float(part) * (answer(each) - whole) ** 2 for part, each in left_out)
        else:
            found = [answer(factors) for factors in _draw_again(drawn, surveys, generator)]
            total += float(np.var(found, ddof=1))
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
