"""A mechanism made for an epsilon gives away that much, and never more, by its own channel."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import pytest
from support.mechanisms import FINITE, FOR_EPSILON, oracle_of

import confide as cf

EPSILONS = [0.05, 0.5, 1.0, 2.0, 5.0]
CERTAIN = [kind for kind in FINITE if not oracle_of(kind).FOR_EPSILON]
"""Whatever their parameters are, some report tells the answer."""


def largest_ratio(mechanism, asked):
    """The largest ratio within a row of the exact channel, report by report."""
    channel = mechanism.channel(asked)
    cells = list(product(*(range(question.size) for question in asked)))

    def chance(report, truth):
        return sum(
            odd * multiply(matrix[r][t] for matrix, r, t in zip(branch, report, truth, strict=True))
            for odd, branch in zip(channel.odds, channel.branches, strict=True)
        )

    reports = product(*(range(len(matrix)) for matrix in channel.branches[0]))
    rows = [[chance(report, truth) for truth in cells] for report in reports]
    return max(max(row) / min(row) for row in rows if any(row))


def multiply(values):
    product = Fraction(1)
    for value in values:
        product *= value
    return product


@pytest.mark.parametrize("kind", FINITE, ids=lambda kind: kind.kind)
def test_a_mechanism_is_made_for_an_epsilon_or_has_only_certain_reports(kind):
    made = oracle_of(kind).FOR_EPSILON.values()
    assert {type(make(1.0)) for _, make in made} == ({kind} if kind not in CERTAIN else set())


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", FOR_EPSILON)
def test_it_gives_away_epsilon_and_no_more(name, epsilon):
    asked, make = FOR_EPSILON[name]
    made = make(epsilon)
    cf.Design(asked, [cf.Group([question.name for question in asked], made)])
    with localcontext() as context:
        context.prec = 60
        allowed = Fraction(Decimal(epsilon).exp())
    assert largest_ratio(made, asked) <= allowed
    assert made.epsilon(asked) <= epsilon
    assert made.epsilon(asked) > epsilon - 0.03


@pytest.mark.parametrize("name", FOR_EPSILON)
def test_one_step_more_truth_would_give_away_too_much(name):
    asked, make = FOR_EPSILON[name]
    mechanism = make(1.0)
    if mechanism.coin is None:
        pytest.skip("it has no truth")
    more = mechanism.with_truth(mechanism.coin + Fraction(1, 2**16))
    assert more.epsilon(asked) > 1.0


def test_a_matrix_that_keeps_within_epsilon_stays_as_it_is():
    matrix = [["3/5", "2/5"], ["2/5", "3/5"]]
    assert cf.ChannelMatrix.for_epsilon(1.0, matrix) == cf.ChannelMatrix(matrix)


@pytest.mark.parametrize("epsilon", [0, -1, float("inf"), float("nan"), 100])
@pytest.mark.parametrize("name", FOR_EPSILON)
def test_an_epsilon_that_no_coin_has_is_refused(name, epsilon):
    with pytest.raises(cf.DesignError, match="epsilon must be above 0"):
        FOR_EPSILON[name][1](epsilon)


@pytest.mark.parametrize("kind", CERTAIN, ids=lambda kind: kind.kind)
def test_a_mechanism_with_a_certain_report_says_so(kind):
    with pytest.raises(cf.DesignError, match=r"no finite epsilon.*Crosswise\.for_epsilon\(1\)"):
        kind.for_epsilon(1.0)


@pytest.mark.parametrize(
    "forced",
    [
        {"cheated": {"yes": 1}},
        {"cheated": {"yes": 1, "no": 0}},
        {("yes", "no"): 0.5, ("no", "yes"): 0.5},
    ],
)
def test_a_cover_that_leaves_an_option_out_is_refused(forced):
    with pytest.raises(cf.DesignError, match="must give every option a probability above 0"):
        cf.ForcedResponse.for_epsilon(1.0, forced)
