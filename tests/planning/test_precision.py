"""Expected precision against brute force, against the mechanisms' formulas, against simulation."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from support.crowds import crowds
from support.designs import designs, group_matrix, whole_matrix
from support.properties import examples

import confide as cf
from confide.planning import (
    power,
    respondents_for_power,
    respondents_needed,
    standard_error,
)

YES = {"cheated": "yes"}
BOTH = {"cheated": "yes", "drugs": "yes"}


def yes_no(mechanism, *names):
    names = names or ("cheated",)
    return cf.Design([cf.YesNo(name) for name in names], [cf.Group(names, mechanism)])


@examples(60)
@given(designs(most_questions=4), st.data())
def test_the_standard_error_is_that_of_the_weights_of_the_papers_equations(design, data):
    prevalence, truth = data.draw(crowds(design))
    names = data.draw(st.lists(st.sampled_from(design.names), min_size=1, unique=True))
    event = {name: data.draw(st.sampled_from(design.question(name).labels)) for name in names}
    found = standard_error(design, event, prevalence, 100)
    assert found == pytest.approx(naive_error(design, event, truth) / 10, abs=1e-9)


def naive_error(design, event, truth):
    """The deviation of an event's row of the big inverse over the reports' distribution."""
    matrix, order = whole_matrix(design)
    truth = truth.transpose([design.names.index(name) for name in order])
    reports = matrix @ truth.ravel()
    rows = np.ones(truth.shape, bool)
    for name, label in event.items():
        codes = np.arange(design.question(name).size)
        shape = [-1 if name == each else 1 for each in order]
        rows = rows & (codes == design.question(name).code(label)).reshape(shape)
    weights = rows.ravel().astype(float) @ np.linalg.inv(matrix)
    return sqrt(reports @ weights**2 - (reports @ weights) ** 2)


SHARES = [0.01, 0.1, 0.5, 0.93]
TRUTHS = [0.1, 0.4, 0.6, 0.75, 0.9, 1]


@pytest.mark.parametrize("p", SHARES)
@pytest.mark.parametrize("theta", TRUTHS)
def test_the_utility_of_related_question_is_as_its_docstring_says(p, theta):
    variance = p * (1 - p) + theta * (1 - theta) / (2 * theta - 1) ** 2
    for names in (["cheated"], ["cheated", "drugs"]):
        design = yes_no(cf.RelatedQuestion(theta), *names)
        error = standard_error(design, YES, {"cheated": p}, 7)
        assert error == pytest.approx(sqrt(variance / 7))


@pytest.mark.parametrize("p", SHARES)
@pytest.mark.parametrize("theta", TRUTHS)
@pytest.mark.parametrize("kind", [cf.UnrelatedQuestion, cf.ForcedResponse])
def test_the_utility_of_unrelated_and_forced_questions_is_as_their_docstrings_say(p, theta, kind):
    reported = theta * p + (1 - theta) * 0.25
    design = yes_no(kind(theta, {"cheated": {"yes": "1/4", "no": "3/4"}}))
    error = standard_error(design, YES, {"cheated": p}, 7)
    assert error == pytest.approx(sqrt(reported * (1 - reported) / (7 * theta**2)))


@pytest.mark.parametrize("p", SHARES)
@pytest.mark.parametrize("keep", [0.1, 0.3, 0.5, 0.9])
def test_the_utility_of_randomized_choice_is_as_its_docstring_says(p, keep):
    options = ["arts", "law", "science", "other"]
    asked = cf.Choice("faculty", options)
    design = cf.Design([asked], [cf.Group(["faculty"], cf.RandomizedChoice(keep))])
    other = (1 - keep) / 3
    reported = other + (keep - other) * p
    shares = {"law": p, "arts": (1 - p) / 2, "other": (1 - p) / 2}
    error = standard_error(design, {"faculty": "law"}, {"faculty": shares}, 7)
    assert error == pytest.approx(sqrt(reported * (1 - reported) / (7 * (keep - other) ** 2)))


@pytest.mark.parametrize("p", SHARES)
def test_the_utility_of_a_channel_matrix_is_as_its_docstring_says(p):
    matrix = np.array([[0.9, 0.2], [0.1, 0.8]])
    row = np.linalg.inv(matrix)[1]
    variance = row**2 @ (matrix @ [1 - p, p]) - p**2
    error = standard_error(yes_no(cf.ChannelMatrix(matrix.tolist())), YES, {"cheated": p}, 7)
    assert error == pytest.approx(sqrt(variance / 7))


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("noise", "added"),
    [(cf.UniformNoise(9), 9**2 / 3), (cf.GaussianNoise(4), 4**2), (cf.LaplaceNoise(3), 2 * 3**2)],
)
def test_the_utility_of_noise_is_as_its_docstring_says(noise, added):
    ages = np.random.default_rng(1).uniform(16, 80, 100_000)
    design = cf.Design([cf.Number("age", 16, 80)], [cf.Group(["age"], noise)])
    reports = design.disguise(ages, seed=2).ravel()
    squares = (reports - reports.mean()) ** 2
    tolerance = 4 * squares.std() / sqrt(len(squares))
    assert abs(squares.mean() - (ages.var() + added)) < tolerance
    assert abs(squares.mean() - (ages.var() + 1.5 * added)) > tolerance  # a wrong formula is caught


def test_the_utility_of_intervals_is_as_its_docstring_says():
    asked = cf.Number("age", 0, 100)
    shares = np.random.default_rng(1).dirichlet(np.ones(asked.size))
    told = cf.Intervals([0, 18, 30, 65, 100]).matrix(asked) @ shares
    exact = np.add.reduceat(shares, [0, 18, 30, 65])
    np.testing.assert_allclose(told, exact)


SURVEYS = {
    "one group": ([(["cheated", "drugs"], cf.RelatedQuestion(0.7))], BOTH),
    "two groups": (
        [(["cheated"], cf.RelatedQuestion(0.7)), (["drugs"], cf.RelatedQuestion(0.7))],
        BOTH,
    ),
    "unrelated": (
        [(["cheated"], cf.UnrelatedQuestion(0.5, {"cheated": {"yes": 0.2, "no": 0.8}}))],
        YES,
    ),
}
CROWD = {("yes", "yes"): 0.1, ("yes", "no"): 0.1, ("no", "no"): 0.8}


def surveyed(name, repeats, n, crowd=(0.8, 0, 0.1, 0.1)):
    """Estimates of the same event from many simulated surveys, inverted by brute force."""
    groups, event = SURVEYS[name]
    design = cf.Design([cf.YesNo("cheated"), cf.YesNo("drugs")], [cf.Group(*g) for g in groups])
    cells = np.random.default_rng(3).choice(4, repeats * n, p=crowd)
    reports = design.disguise(np.stack([cells // 2, cells % 2], axis=1), seed=4)
    names, weights = list(event), np.ones(len(reports))
    for asked, mechanism in groups:
        wanted = [name for name in asked if name in names]
        inverse = np.linalg.inv(group_matrix(mechanism, [cf.YesNo(n) for n in asked]))
        codes = [reports[:, ["cheated", "drugs"].index(name)] for name in wanted]
        place = codes[0] if len(codes) == 1 else 2 * codes[0] + codes[1]
        weights *= inverse[-1, place]
    return design, event, weights.reshape(repeats, n).mean(axis=1)


@pytest.mark.statistical
@pytest.mark.parametrize("name", SURVEYS)
def test_the_standard_error_is_the_spread_of_simulated_surveys(name):
    repeats, n = 1500, 250
    design, event, estimates = surveyed(name, repeats, n)
    spread = estimates.std(ddof=1)
    tolerance = 4 / sqrt(2 * (repeats - 1))  # four standard errors of a normal sample's deviation
    expected = standard_error(design, event, CROWD, n)
    assert abs(spread / expected - 1) < tolerance
    # The twins: another truth, and independence where the answers are not, are caught.
    other = standard_error(wrong_truth(design), event, CROWD, n)
    assert abs(spread / other - 1) > tolerance
    if name == "two groups":
        independent = standard_error(design, event, {"cheated": 0.2, "drugs": 0.1}, n)
        assert independent != pytest.approx(expected, rel=1e-3)


def wrong_truth(design):
    groups = [cf.Group(g.questions, g.mechanism.with_truth(0.8)) for g in design.groups]
    return cf.Design(design.questions, groups)


@pytest.mark.statistical
@pytest.mark.parametrize("name", SURVEYS)
@pytest.mark.parametrize("two_sided", [True, False])
def test_the_power_is_the_share_of_simulated_surveys_that_reject_the_null(name, two_sided):
    repeats, n, null = 1500, 250, 0.04
    design, event, estimates = surveyed(name, repeats, n)
    truth = 0.2 if event == YES else 0.1
    # The null's own deviation, from the event's share moved by hand and the rest in proportion.
    rest = (1 - null) / (1 - truth)
    cells = {("yes", "yes"): 0.1 * rest, ("yes", "no"): 0.1 * rest, ("no", "no"): 0.8 * rest}
    moved = {"cheated": null} if event == YES else {**cells, ("yes", "yes"): null}
    critical = norm.ppf(0.975 if two_sided else 0.95) * standard_error(design, event, moved, n)
    gap = estimates - null
    rejected = np.mean(np.abs(gap) > critical if two_sided else gap > critical)
    expected = power(design, event, CROWD, n, null=null, two_sided=two_sided)
    # Four binomial standard errors, and a hundredth for the normal approximation itself.
    tolerance = 4 * sqrt(expected * (1 - expected) / repeats) + 0.01
    assert abs(rejected - expected) < tolerance
    larger = power(design, event, CROWD, 4 * n, null=null, two_sided=two_sided)
    assert abs(rejected - larger) > tolerance  # the twin: four times the respondents


@examples(30)
@given(designs(most_questions=2), st.floats(0.005, 0.5), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_respondents_needed_are_the_fewest_that_keep_the_margin(design, margin, level):
    name = design.names[0]
    event = {name: design.question(name).labels[1]}
    n = respondents_needed(design, event, None, margin, level=level)
    z = norm.ppf((1 + level) / 2)
    assert z * standard_error(design, event, None, n) <= margin * (1 + 1e-9)
    assert n == 1 or z * standard_error(design, event, None, n - 1) > margin * (1 - 1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("share", "null"), [(0.1, 0.0), (0.9, 1.0), (0.2, 0.1)])
def test_the_power_is_that_of_the_interval_of_a_share(share, null):
    """Against 0 and 1, beyond which no share lies, a test of two sides would tell them too rarely.

    The number of reports of yes decides; all numbers are tried by halving.
    """
    design, n = yes_no(cf.RelatedQuestion(0.75)), 300
    side = 1 if share > null else -1
    kept, told = round(n * (0.25 + 0.5 * null)), n if side > 0 else 0
    while abs(told - kept) > 1:
        middle = (kept + told) // 2
        reports = cf.Counts.gather(design, [np.repeat([1, 0], [middle, n - middle])])
        rejected = cf.Crowd(design, reports).proportion(YES).p_value(null) < 0.05
        kept, told = (kept, middle) if rejected else (middle, told)
    reported = 0.25 + 0.5 * share
    exact = binom.sf(told - 1, n, reported) if side > 0 else binom.cdf(told, n, reported)
    assert power(design, YES, {"cheated": share}, n, null=null) == pytest.approx(exact, abs=0.03)


@pytest.mark.parametrize("two_sided", [True, False])
def test_under_the_null_only_the_share_of_the_event_differs(two_sided):
    asked = cf.Choice("faculty", ["arts", "law", "science"])
    cover = {"arts": 0.6, "law": 0.3, "science": 0.1}
    mechanism = cf.UnrelatedQuestion(0.7, {"faculty": cover})
    design = cf.Design([asked, cf.YesNo("cheated")], [cf.Group(["faculty"], mechanism)])
    event = {"faculty": "law", "cheated": "yes"}
    truth = {"faculty": {"arts": 0.5, "law": 0.4, "science": 0.1}, "cheated": 0.5}
    moved = {
        ("law", "yes"): 0.12,
        **{("law", "no"): 0.22, ("arts", "yes"): 0.275, ("arts", "no"): 0.275},
        **{("science", "yes"): 0.055, ("science", "no"): 0.055},
    }  # by hand: 0.88/0.8 of what they were
    before, after = (standard_error(design, event, crowd, 300) for crowd in (moved, truth))
    critical = norm.ppf(0.975 if two_sided else 0.95) * before
    expected = norm.sf((critical - 0.08) / after)
    expected += norm.cdf((-critical - 0.08) / after) if two_sided else 0
    found = power(design, event, truth, 300, null=0.12, two_sided=two_sided)
    assert found == pytest.approx(expected, rel=1e-12)


def test_the_power_against_the_truth_itself_is_the_significance():
    design = yes_no(cf.RelatedQuestion(0.75))
    for two_sided in (True, False):
        found = power(design, YES, {"cheated": 0.1}, 500, null=0.1, two_sided=two_sided)
        assert found == pytest.approx(0.05)


def test_the_power_of_a_direct_question_against_nobody_at_all_is_that_of_seeing_anyone():
    direct = cf.Design([cf.YesNo("cheated")])
    assert power(direct, YES, {"cheated": 0.5}, 400) == pytest.approx(1)
    assert power(direct, YES, {"cheated": 0.0}, 400) == 0


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: standard_error(d, {}, None, 10), "say which event"),
        (lambda d: standard_error(d, {"lied": "yes"}, None, 10), "no question 'lied'"),
        (lambda d: standard_error(d, {"cheated": "maybe"}, None, 10), "no option 'maybe'"),
        (lambda d: standard_error(d, {"age": 20}, None, 10), "age is a number"),
        (lambda d: standard_error(d, YES, None, 0), "respondents must be a whole number"),
        (lambda d: standard_error(d, YES, {"cheated": 1.2}, 10), "no share below 0"),
        (lambda d: standard_error(d, YES, {"cheated": "x"}, 10), "made of numbers"),
        (lambda d: standard_error(d, YES, {"faculty": 0.2}, 10), "each of 2 values"),
        (lambda d: standard_error(d, YES, {"faculty": {"law": 0.2}}, 10), "must sum to 1"),
        (
            lambda d: standard_error(d, YES, {"cheated": 0.1, ("yes", "law"): 1}, 10),
            "3 options a combination, in the order cheated, faculty, age",
        ),
        (
            lambda d: standard_error(d, YES, {("yes", "law"): 1}, 10),
            r"such as \('no', 'arts', 0\): 0.1",
        ),
        (lambda d: respondents_needed(d, YES, None, 0), "margin must be above 0"),
        (lambda d: power(d, YES, None, 10, null=2), "null must be between 0 and 1"),
        (lambda d: power(d, YES, {"cheated": 1}, 10), "assumed to be certain"),
    ],
)
def test_a_mistake_is_named(call, message):
    questions = [
        cf.YesNo("cheated"),
        cf.Choice("faculty", ["arts", "law"]),
        cf.Number("age", 0, 99),
    ]
    design = cf.Design(questions, [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    with pytest.raises(cf.QueryError, match=message):
        call(design)


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("wanted", [0.3, 0.8, 0.99])
def test_the_respondents_for_a_power_have_it_and_one_fewer_has_not(wanted, two_sided):
    design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    asked, test = (design, YES, {"cheated": 0.1}), {"null": 0.02, "two_sided": two_sided}
    n = respondents_for_power(*asked, wanted, **test)
    assert power(*asked, n, **test) >= wanted > power(*asked, n - 1, **test)


def test_a_power_that_nobody_can_have_is_refused():
    design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    with pytest.raises(cf.QueryError, match="no number of respondents"):
        respondents_for_power(design, YES, {"cheated": 0.1}, 0.9, null=0.1)
