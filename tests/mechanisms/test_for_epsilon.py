"""A mechanism made for an epsilon gives away that much, and never more, by its own channel."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import pytest

import confide as cf
from confide.mechanisms import MECHANISMS, FiniteMechanism

EPSILONS = [0.05, 0.5, 1.0, 2.0, 5.0]
CHEATED, DRUGS = cf.YesNo("cheated"), cf.YesNo("drugs")
FACULTY = cf.Choice("faculty", ["arts", "law", "science"])
TEN = cf.Choice("colour", [str(i) for i in range(10)])
QUARTER = {"yes": "1/4", "no": "3/4"}
ROUNDED = {"cheated": {"yes": 2**-0.5, "no": 1 - 2**-0.5}}
SHARES = {"arts": 0.2, "law": 0.3, "science": 0.5}
JOINT = {("yes", "yes"): "1/8", ("yes", "no"): "1/8", ("no", "yes"): "1/4", ("no", "no"): "1/2"}
LOPSIDED = [["0.9", "0.2", "0.1"], ["0.1", "0.5", "0.1"], ["0", "0.3", "0.8"]]

MADE = {
    "related": ([CHEATED], cf.RelatedQuestion.for_epsilon),
    "related, ten options": ([TEN], lambda e: cf.RelatedQuestion.for_epsilon(e, 10)),
    "choice": ([FACULTY], lambda e: cf.RandomizedChoice.for_epsilon(e, 3)),
    "crosswise": ([CHEATED], cf.Crosswise.for_epsilon),
    "kuk": ([CHEATED], cf.Kuk.for_epsilon),
    "kuk, three draws": ([CHEATED], lambda e: cf.Kuk.for_epsilon(e, draws=3)),
    "unrelated": ([CHEATED], lambda e: cf.UnrelatedQuestion.for_epsilon(e, {"cheated": QUARTER})),
    "unrelated, rounded shares": (
        [CHEATED],
        lambda e: cf.UnrelatedQuestion.for_epsilon(e, ROUNDED),
    ),
    "unrelated, two questions": (
        [CHEATED, FACULTY],
        lambda e: cf.UnrelatedQuestion.for_epsilon(e, {"cheated": QUARTER, "faculty": SHARES}),
    ),
    "forced, joint": ([CHEATED, DRUGS], lambda e: cf.ForcedResponse.for_epsilon(e, JOINT)),
    "forced": ([FACULTY], lambda e: cf.ForcedResponse.for_epsilon(e, {"faculty": SHARES})),
    "matrix": ([FACULTY], lambda e: cf.ChannelMatrix.for_epsilon(e, LOPSIDED)),
}
CERTAIN = {cf.Mangat, cf.Triangular}
"""Whatever their parameters are, a report of no tells the answer."""


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


def test_every_mechanism_of_options_can_be_asked_for_an_epsilon():
    finite = {kind for kind in MECHANISMS if issubclass(kind, FiniteMechanism)}
    assert finite - CERTAIN == {type(make(1.0)) for _, make in MADE.values()}


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("name", MADE)
def test_it_gives_away_epsilon_and_no_more(name, epsilon):
    asked, make = MADE[name]
    made = make(epsilon)
    cf.Design(asked, [cf.Group([question.name for question in asked], made)])
    with localcontext() as context:
        context.prec = 60
        allowed = Fraction(Decimal(epsilon).exp())
    assert largest_ratio(made, asked) <= allowed
    assert made.epsilon(asked) <= epsilon
    assert made.epsilon(asked) > epsilon - 0.03


@pytest.mark.parametrize("name", MADE)
def test_one_step_more_truth_would_give_away_too_much(name):
    asked, make = MADE[name]
    mechanism = make(1.0)
    if mechanism.coin is None:
        pytest.skip("it has no truth")
    more = mechanism.with_truth(mechanism.coin + Fraction(1, 2**16))
    assert more.epsilon(asked) > 1.0


def test_a_matrix_that_keeps_within_epsilon_stays_as_it_is():
    matrix = [["3/5", "2/5"], ["2/5", "3/5"]]
    assert cf.ChannelMatrix.for_epsilon(1.0, matrix) == cf.ChannelMatrix(matrix)


@pytest.mark.parametrize("epsilon", [0, -1, float("inf"), float("nan"), 100])
@pytest.mark.parametrize("name", MADE)
def test_an_epsilon_that_no_coin_has_is_refused(name, epsilon):
    with pytest.raises(cf.DesignError, match="epsilon must be above 0"):
        MADE[name][1](epsilon)


@pytest.mark.parametrize("kind", sorted(CERTAIN, key=str))
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
