"""Means and variances of a number from its moments: no histogram stands in between."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from confide.arrays import Array
from confide.crowd._finer_numbers import find_blur, tell_apart, weigh_number
from confide.crowd._ratio import estimate_ratio
from confide.crowd._subpopulation import Subpopulation
from confide.crowd.estimate import Approximation, Interval, Quantity
from confide.design import Number
from confide.errors import QueryError
from confide.estimators.event_weights import event_weights


def knows_mean(people: Subpopulation, question: Number) -> bool:
    """Whether the mean follows from the reports without a histogram, in every batch."""
    alone = replace(people, within={})
    return people.invertible([]) and _weigh(alone, question, 1) is not None


def estimate_mean(people: Subpopulation, question: Number) -> Quantity:
    """The mean of a number, unbiased where its noise has the mean 0.

    A report counts with the number that it stands for, times its weight in the sub-population.
    """
    if people.n < 2:
        raise QueryError(f"one report does not tell how {question.name} varies. Collect more.")
    people = tell_apart(people, [question.name])
    numbers = _weigh(people, question, 1)
    if numbers is None:
        raise QueryError(
            f"{question.name} is disguised so that its mean does not follow from the reports. Use "
            f"distribution({question.name!r}).mean, which takes intervals at their middles."
        )
    share = [event_weights(batch, people.within) for batch in people.batches]
    upper = [each * within for each, within in zip(numbers, share, strict=True)]
    squares = _weigh(people, question, 2)

    def scatter(mean: float) -> float:
        assert squares is not None
        apart = squares[0] - 2 * mean * numbers[0] + mean**2
        return float(people.counted[0].shares @ (share[0] * apart))

    truths = None if squares is None else scatter
    bounds = (question.low, question.high)
    found = estimate_ratio(people, upper, share, bounds, truths=truths)
    if (blur := find_blur(people, question.name)) and found.how is not None:
        return replace(found, how=_BlurredInterval(found.how, blur, bounds))
    return found


def estimate_variance(people: Subpopulation, question: Number) -> Approximation:
    """The variance of a number, without that of its noise.

    It is the mean of (x − mean)². To first order the uncertainty of the mean does not matter, as
    the mean is where such a sum of squares is least. With few reports an interval from its standard
    error covers too seldom (86 % of 30 reports in the clear), so it is not called one.
    """
    people = tell_apart(people, [question.name])
    mean = estimate_mean(people, question).value
    numbers, squares = (_weigh(people, question, power) for power in (1, 2))
    if numbers is None or squares is None:
        raise QueryError(f"the variance of {question.name} does not follow from the reports.")
    share = [event_weights(batch, people.within) for batch in people.batches]
    upper = [
        within * (square - 2 * mean * number + mean**2)
        for within, number, square in zip(share, numbers, squares, strict=True)
    ]
    most = (question.high - question.low) ** 2 / 4
    found = estimate_ratio(people, upper, share, (0.0, most))
    return Approximation(found.value, found.standard_error, found.n, found.total)


@dataclass(frozen=True, eq=False)
class _BlurredInterval(Interval):
    """The interval of a mean of numbers that are known by their intervals only."""

    mean: Interval
    blur: float
    bounds: tuple[float, float]

    def ends(self, level: float) -> tuple[float, float]:
        """The ends that the mean has wherever in their intervals the numbers lie."""
        low, high = self.mean.ends(level)
        return max(low - self.blur, self.bounds[0]), min(high + self.blur, self.bounds[1])


def _weigh(people: Subpopulation, question: Number, power: int) -> list[Array] | None:
    """The number, or its square, that each pattern of each batch stands for."""
    found = []
    for batch, counts in zip(people.batches, people.counted, strict=True):
        numbers = weigh_number(batch, counts, question.name, power)
        if numbers is None:
            return None
        found.append(np.asarray(numbers[batch.patterns[:, batch.design.position(question.name)]]))
    return found
