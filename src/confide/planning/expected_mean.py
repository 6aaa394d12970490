"""What to expect of an estimated mean of a number."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from confide.design import Block, Design, Number
from confide.errors import QueryError
from confide.estimators.number_moments import weigh_reports
from confide.planning.expectation import Expectation


def expect_mean(
    design: Design, number: str, mean: float, deviation: float, *, null: float | None = None
) -> Expectation:
    """What to expect of the estimated mean of a number.

    The mean is that of per-report weights whose expectation is the number itself; σ² is the
    variance of the numbers and that of the weights around them, averaged over numbers that are
    normally distributed within the question's range. For noise that is its own variance.

    Parameters
    ----------
    design : Design
        How the answers are disguised.
    number : str
        A number question, with noise or in the clear.
    mean, deviation : float
        The assumed mean and standard deviation of the numbers.
    null : float, optional
        The mean that is to be ruled out; left out, the power has nothing to tell.

    Examples
    --------
    >>> import confide as cf
    >>> group = cf.Group(["age"], cf.LaplaceNoise(10))
    >>> expected = expect_mean(cf.Design([cf.Number("age", 0, 100)], [group]), "age", 40, 12)
    >>> round(expected.deviation, 2)  # of 12² + 2 · 10²
    18.55
    >>> expected.respondents_needed(margin=1)
    1323
    """
    question = design.question(number)
    if not isinstance(question, Number):
        raise QueryError(f"{number} is no number; plan for the share of an event of it.")
    if not question.low <= mean <= question.high or not deviation > 0:
        raise QueryError(
            f"the mean of {number} must lie between {question.low:g} and {question.high:g}, and "
            f"its deviation be above 0. Got {mean:g} and {deviation:g}."
        )
    spread = hypot(deviation, _find_added_deviation(design.block(number), mean, deviation))
    return Expectation(mean, mean, mean if null is None else null, spread, spread)


def _find_added_deviation(block: Block, mean: float, deviation: float) -> float:
    """How much the disguise of a number adds to one report's deviation."""
    weights = weigh_reports(block, 1)
    if weights is None:
        raise QueryError(
            f"no mean of {block.number.name} can be told from reports that only name an interval."
        )
    if block.mechanism is None:
        return 0.0
    channel, numbers = block.channel_on([0]).matrix(), block.number.numbers
    spread = weights**2 @ channel - (weights @ channel) ** 2
    shares = np.exp(-(((numbers - mean) / deviation) ** 2) / 2)
    return sqrt(max(float(spread @ shares / shares.sum()), 0.0))
