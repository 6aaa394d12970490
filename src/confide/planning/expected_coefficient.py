"""What to expect of a coefficient in a logistic regression on disguised reports.

The likelihood of a report is that of the whole house, Σ_truth M[report, truth]·P(truth | β); its
expected information, over the reports of outcome and predictor together, gives the covariance of
the estimates. The predictor's own distribution is estimated beside them where it is disguised.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from confide.arrays import Array
from confide.design import Design, Finite, Number
from confide.errors import QueryError
from confide.estimators.table_channel import TableChannel
from confide.planning.assumed_shares import AssumedShares, Prevalence, require_finite
from confide.planning.expectation import Expectation

_NODES = 41  # of a normally distributed number


def expect_coefficient(
    design: Design,
    outcome: str,
    predictor: str,
    odds_ratio: float,
    prevalence: Prevalence | AssumedShares | None = None,
) -> Expectation:
    """What to expect of the coefficient of a predictor in a logistic regression.

    The power is that of the coefficient's z-test, as `DisguisedRegression` prints it: the estimate
    over its own standard error.

    Parameters
    ----------
    design : Design
        How the answers are disguised: that of the outcome, of the predictor, or of both.
    outcome : str
        A question with two options.
    predictor : str
        A question with two options; or a number in the clear, taken as normally distributed.
    odds_ratio : float
        By which factor the odds of the outcome are assumed to be higher for the predictor's second
        option, or for a standard deviation more of the number.
    prevalence : mapping or None
        The assumed shares of both, such as ``{"cheated": 0.2, "male": 0.5}``.

    Examples
    --------
    >>> import confide as cf
    >>> design = cf.Design([cf.YesNo("cheated"), cf.YesNo("male")],
    ...                    [cf.Group(["cheated"], cf.RelatedQuestion(0.8))])
    >>> expected = expect_coefficient(design, "cheated", "male", 2, {"cheated": 0.2, "male": 0.5})
    >>> round(expected.value, 3), expected.respondents_for_power(0.8)
    (0.693, 1777)
    """
    if not odds_ratio > 0 or odds_ratio == 1:
        raise QueryError(f"odds_ratio must be above 0 and not 1. Got {odds_ratio}.")
    model = _read_model(design, outcome, predictor, AssumedShares.of(design, prevalence))
    slope = log(odds_ratio)
    deviation = model.slope_deviation(model.find_intercept(slope), slope)
    return Expectation(slope, slope, 0.0, deviation, deviation)


@dataclass(frozen=True, eq=False)
class _Model:
    """A logistic regression of a yes-no outcome on one predictor.

    Parameters
    ----------
    share : float
        The share of the outcome's second option.
    values, weights : arrays
        The predictor's values and how often each occurs.
    report : function
        From a table of outcome by predictor to that of the reports of both.
    disguised : bool
        Whether the predictor is, so that its distribution must be estimated, too.
    """

    share: float
    values: Array
    weights: Array
    report: Callable[[Array], Array]
    disguised: bool

    def find_intercept(self, slope: float) -> float:
        """The intercept that gives the outcome its share, by halving."""
        low, high = -50.0, 50.0
        for _ in range(100):
            middle = (low + high) / 2
            below = self.weights @ _logistic(middle + slope * self.values) < self.share
            low, high = (middle, high) if below else (low, middle)
        return low

    def slope_deviation(self, intercept: float, slope: float) -> float:
        """σ of the estimated slope: the root of its place in the inverse of the information."""
        chance = _logistic(intercept + slope * self.values)
        change = chance * (1 - chance) * self.weights
        truth = np.stack([1 - chance, chance])
        moves = [np.stack([-change * by, change * by]) for by in (1.0, self.values)]
        if self.disguised:
            moves.append(truth * [-1.0, 1.0])  # more people with the second option
        expected = np.maximum(self.report(truth * self.weights), 1e-300).ravel()
        moved_reports = np.stack([self.report(move).ravel() for move in moves])
        information = (moved_reports / expected) @ moved_reports.T
        return sqrt(float(np.linalg.inv(information)[1, 1]))


def _read_model(design: Design, outcome: str, predictor: str, assumed: AssumedShares) -> _Model:
    """Read which regression is planned for; refuse questions that it does not take."""
    _require_two_options(design, outcome)
    share = float(assumed.table([outcome])[1])
    if not 0 < share < 1:
        raise QueryError(
            f"{outcome} is assumed to have the share {share:g}; assume one above 0 and below 1."
        )
    asked = design.question(predictor)
    if isinstance(asked, Number):
        if design.block(predictor).mechanism is not None:
            raise QueryError(
                f"{predictor} is disguised by noise; plan for a predictor with two options or a "
                "number in the clear, or simulate with confide.simulate."
            )
        values, weights = np.polynomial.hermite_e.hermegauss(_NODES)
        channel = TableChannel(design, [outcome])
        return _Model(share, values, weights / weights.sum(), channel.apply, False)
    _require_two_options(design, predictor)
    both = TableChannel(design, [outcome, predictor])
    disguised = design.block(predictor).mechanism is not None
    return _Model(share, np.array([0.0, 1.0]), assumed.table([predictor]), both.apply, disguised)


def _require_two_options(design: Design, name: str) -> Finite:
    question = require_finite(design, name)
    if question.size != 2:
        raise QueryError(f"{name} must have two options; it has {question.size}.")
    return question


def _logistic(values: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-values)))
