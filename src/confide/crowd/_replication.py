"""Standard errors by leaving people or clusters of a sample out, or by drawing them again.

Each replicate is the same crowd with other weights, so anything that can be asked of a crowd gets a
standard error.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from confide.arrays import Array
from confide.counts.drawn_sample import DrawnSample
from confide.counts.replicates import Replication, replicate_covariance
from confide.crowd._subpopulation import Subpopulation


def find_variance(
    people: Subpopulation,
    ask: Callable[[Subpopulation], float],
    by: Replication,
    surveys: int,
    generator: np.random.Generator,
) -> float:
    """The variance of what is asked of some people, over replicates of each batch."""
    total = 0.0
    for place, batch in enumerate(people.batches):
        drawn = batch.drawn or DrawnSample.alike(batch.reports)

        def answer(factors: Array, place: int = place, drawn: DrawnSample = drawn) -> Array:
            changed = replace(people.batches[place], drawn=drawn.weigh(factors))
            batches = (*people.batches[:place], changed, *people.batches[place + 1 :])
            return np.array([ask(replace(people, batches=batches))])

        total += float(replicate_covariance(drawn, answer, by, surveys, generator)[0, 0])
    return total
