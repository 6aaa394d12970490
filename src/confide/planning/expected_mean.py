"""What to expect of an estimated mean of a number."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np

from confide.arrays import Array
from confide.design import Block, Design, Number
from confide.errors import QueryError
from confide.estimators.number_moments import weigh_reports
from confide.planning.expectation import Expectation


def expect_mean(
    design: Design,
    number: str,
    mean: float,
    deviation: float,
    *,
    null: float | None = None,
    missing: float | None = None,
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
        The assumed mean and standard deviation of the numbers that are given.
    null : float, optional
        The mean that is to be ruled out; left out, the power has nothing to tell.
    missing : float, optional
        The assumed share of people who prefer not to say the number, where it may be missing.

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
    added = _find_added_variance(design.block(number))
    shares = np.exp(-(((question.numbers - mean) / deviation) ** 2) / 2)
    spread = hypot(deviation, sqrt(float(added @ shares / shares.sum())))
    if number in design.declines:
        middle = int(question.grid.code(np.array([question.stand_in]))[0])
        beside = hypot(question.stand_in - mean, sqrt(added[middle]))
        teller = design.block(design.declines[number])
        spread = _widen(teller, spread, beside, _read_missing(number, missing))
    return Expectation(mean, mean, mean if null is None else null, spread, spread)


def _read_missing(number: str, share: float | None) -> float:
    if share is None or not 0 <= share < 1:
        raise QueryError(
            f"{number} may be missing: assume a share of people who prefer not to say it, from 0 "
            f"to below 1. Got {share}."
        )
    return share


def _widen(teller: Block, given: float, missing: float, share: float) -> float:
    """The deviation of the mean among those who gave a number.

    It is that of Σ w·(y − mean) / Σ w with w the weight of "it was given" from the report that
    tells so, and y that of the number's report. People who did not give it have weights, too, that
    vary around 0; ``given`` and ``missing`` are the roots of E(y − mean)² among both.
    """
    channel, no = teller.channel_on([0]).matrix(), teller.inverse_on([0]).matrix()[0]
    squares = no**2 @ channel
    gave = 1 - share
    return sqrt(gave * squares[0] * given**2 + share * squares[1] * missing**2) / gave


def _find_added_variance(block: Block) -> Array:
    """How much the disguise adds to the variance of one report, by the number's interval."""
    weights = weigh_reports(block, 1)
    if weights is None:
        raise QueryError(
            f"no mean of {block.number.name} can be told from reports that only name an interval."
        )
    if block.mechanism is None:
        return np.zeros(block.number.size)
    channel = block.channel_on([0]).matrix()
    return np.asarray((weights**2 @ channel - (weights @ channel) ** 2).clip(0))
