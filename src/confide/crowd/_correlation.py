"""The correlation of two answers, each a question with two options or a number.

Every moment of two answers is a mean of per-report weights: that of an event for options, the
number that a report stands for under noise. The covariance is C, the product of both standard
deviations is S, and the correlation is the ratio C/S.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from confide.arrays import ROUNDING, Array
from confide.counts import Counts
from confide.crowd._finer_numbers import tell_apart, weigh_number
from confide.crowd._ratio import Weights, estimate_ratio
from confide.crowd._shares import require_somebody
from confide.crowd._subpopulation import Subpopulation
from confide.crowd.estimate import Quantity
from confide.design import Number
from confide.errors import QueryError
from confide.estimators.event_weights import event_weights

_LEAST = 10


def estimate_correlation(people: Subpopulation, first: str, second: str) -> Quantity:
    """The correlation of two answers."""
    for name in (first, second):
        _check_answer(people, name)
    if people.n < _LEAST:
        raise QueryError(
            f"a correlation is told from at least {_LEAST} reports. There are {people.n}."
        )
    asked = [people.design.question(name) for name in (first, second)]
    people = tell_apart(people, [each.name for each in asked if isinstance(each, Number)])
    inside, x, y, xx, yy, xy = (
        [
            _weigh(batch, counts, people, powers)
            for batch, counts in zip(people.batches, people.counted, strict=True)
        ]
        for powers in (
            {},
            {first: 1},
            {second: 1},
            {first: 2},
            {second: 2},
            {first: 1, second: 1} if first != second else {first: 2},
        )
    )
    share = _average(people, inside)
    require_somebody(share)
    mean_x, mean_y = (_average(people, each) / share for each in (x, y))
    var_x = [b2 - 2 * mean_x * b1 + mean_x**2 * b for b2, b1, b in zip(xx, x, inside, strict=True)]
    var_y = [b2 - 2 * mean_y * b1 + mean_y**2 * b for b2, b1, b in zip(yy, y, inside, strict=True)]
    found = {first: _average(people, var_x) / share, second: _average(people, var_y) / share}
    for name, squares in ((first, xx), (second, yy)):
        size = _average(people, [np.abs(each) for each in squares]) / share
        if found[name] <= ROUNDING * size or _is_constant(people, name):
            raise QueryError(
                f"as far as the reports tell, {name} does not vary, so nothing goes with it."
            )
    together = [
        b11 - mean_y * b10 - mean_x * b01 + mean_x * mean_y * b
        for b11, b10, b01, b in zip(xy, x, y, inside, strict=True)
    ]
    product = sqrt(found[first] * found[second])
    spread = [
        product / 2 * (a / found[first] + b / found[second])
        for a, b in zip(var_x, var_y, strict=True)
    ]
    return estimate_ratio(people, together, spread, (-1.0, 1.0), inside)


def _is_constant(people: Subpopulation, name: str) -> bool:
    """Whether all reports show one and the same option, or numbers of one interval."""
    shown = [batch.patterns[:, batch.design.position(name)] for batch in people.batches]
    return len(np.unique(np.concatenate(shown))) == 1


def _check_answer(people: Subpopulation, name: str) -> None:
    question = people.design.question(name)
    if not isinstance(question, Number) and question.size != 2:
        raise QueryError(
            f"a correlation is that of numbers and questions with two answers; {name} has "
            f"{question.size}. Use test_independence for it."
        )


def _weigh(batch: Counts, counts: Counts, people: Subpopulation, powers: dict[str, int]) -> Array:
    """The weight of each pattern in the mean of a product of powers of some answers."""
    options = [name for name in powers if not isinstance(batch.design.question(name), Number)]
    weights = event_weights(batch, {**people.within, **dict.fromkeys(options, 1)})
    for name, power in powers.items():
        if name in options:  # a yes squared is a yes
            continue
        numbers = weigh_number(batch, counts, name, power)
        if numbers is None:
            raise QueryError(f"{name} only tells intervals, so its correlation is not known.")
        weights = weights * numbers[batch.patterns[:, batch.design.position(name)]]
    return np.asarray(weights)


def _average(people: Subpopulation, weights: Weights) -> float:
    pairs = zip(people.batches, weights, strict=True)
    return sum(batch.n / people.n * float(batch.shares @ each) for batch, each in pairs)
