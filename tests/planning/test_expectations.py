"""What is expected of differences, coefficients, means and refusal, against simulation."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import confide as cf
from confide.planning import (
    expect_coefficient,
    expect_difference,
    expect_mean,
    expect_share,
)

YES = {"cheated": "yes"}
WARNER = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])


def estimate(answers, repeats, *, refusing=0.0, seed=1):
    """Warner's estimate of each of many surveys, by his own formula."""
    reports = cf.simulate(WARNER, answers, refusing=refusing, seed=seed)
    return (reports.reshape(repeats, -1).mean(axis=1) - 0.25) / 0.5


def draw_people(share, repeats, n, seed):
    return (np.random.default_rng(seed).random(repeats * n) < share).astype(int)


def near(found, expected, repeats):
    """Within four binomial standard errors, and a hundredth for the normal approximation."""
    return abs(found - expected) < 4 * sqrt(expected * (1 - expected) / repeats) + 0.01


@pytest.mark.statistical
@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("part", [0.5, 0.2])
def test_two_groups_are_told_apart_as_often_as_expected(part, two_sided):
    repeats, n, shares = 2000, 900, (0.3, 0.1)
    sizes = round(part * n), n - round(part * n)
    found = [
        estimate(draw_people(share, repeats, size, seed), repeats, seed=seed)
        for share, size, seed in zip(shares, sizes, (3, 4), strict=True)
    ]
    expected = expect_difference(WARNER, YES, *({"cheated": s} for s in shares), part=part)
    gap = found[0] - found[1]
    assert abs(gap.std() / expected.standard_error(n) - 1) < 4 / sqrt(2 * repeats)
    together = part * shares[0] + (1 - part) * shares[1]
    reported = 0.25 + 0.5 * together
    error = sqrt(reported * (1 - reported) / 0.25 * (1 / sizes[0] + 1 / sizes[1]))
    critical = norm.ppf(0.975 if two_sided else 0.95) * error
    rejected = np.mean(np.abs(gap) > critical if two_sided else gap > critical)
    assert near(rejected, expected.power(n, two_sided=two_sided), repeats)
    assert not near(rejected, expected.power(2 * n, two_sided=two_sided), repeats)


@pytest.mark.statistical
@pytest.mark.parametrize("refusing", [0.05, 0.1])
def test_people_who_refuse_move_the_estimate_and_take_the_power_as_expected(refusing):
    repeats, n, share, null = 3000, 600, 0.25, 0.1
    found = estimate(draw_people(share, repeats, n, 5), repeats, refusing=refusing, seed=6)
    expected = expect_share(WARNER, YES, {"cheated": share}, null=null, refusing=refusing)
    error = expected.standard_error(n)
    assert abs(found.mean() - expected.mean) < 4 * error / sqrt(repeats)
    assert abs(found.mean() - share) > 10 * error / sqrt(repeats)  # the twin: nobody refuses
    assert abs(found.std() / error - 1) < 4 / sqrt(2 * repeats)
    reported = 0.25 + 0.5 * null
    critical = norm.ppf(0.975) * sqrt(reported * (1 - reported) / n) / 0.5
    assert near(np.mean(np.abs(found - null) > critical), expected.power(n), repeats)


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("share", [0.01, 0.1, 0.5])
def test_a_share_in_the_clear_is_told_from_0_by_one_person_who_says_yes(share, two_sided):
    """The chance of at least one yes; it was 1 for a single respondent."""
    expected = expect_share(cf.Design([cf.YesNo("cheated")]), YES, {"cheated": share}, null=0)
    for n in (1, 10, 300):
        found = expected.power(n, two_sided=two_sided)
        assert found == pytest.approx(1 - (1 - share) ** n, abs=1e-12)
    needed = expected.respondents_for_power(0.9, two_sided=two_sided)
    assert 1 - (1 - share) ** needed >= 0.9 > 1 - (1 - share) ** (needed - 1)


def test_a_report_that_a_null_of_1_does_not_allow_rules_it_out():
    """Mangat: who would say yes always does, so that every no is of one whose answer is no."""
    design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.Mangat("1/2"))])
    expected = expect_share(design, YES, {"cheated": 0.9}, null=1)
    assert expected.power(50) == pytest.approx(1 - (1 - 0.1 / 2) ** 50)


def test_nothing_is_told_on_the_side_where_no_share_lies():
    """Almost in the clear three people cannot tell .1 from 0: one says yes in .27 of surveys."""
    design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion("0.999"))])
    expected = expect_share(design, YES, {"cheated": 0.1}, null=0)
    assert expected.power(3) < 0.7  # of three the normal distribution is no good guide; it was .86
    assert 18 < expected.respondents_for_power(0.9) < 25  # it was 9


def test_refusing_in_a_pair_leaves_what_is_asked_in_the_clear():
    questions = [cf.YesNo("cheated"), cf.YesNo("male")]
    design = cf.Design(questions, [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    pair, shares = {"cheated": "yes", "male": "yes"}, {"cheated": 0.2, "male": 0.4}
    found = expect_share(design, pair, shares, refusing=0.1).mean
    # a tenth of the men report no: their weight in the inverse is −1/2
    assert found == pytest.approx(0.9 * 0.08 + 0.1 * 0.4 * -0.5)


@pytest.mark.statistical
@pytest.mark.parametrize(
    "noise", [cf.UniformNoise(12), cf.GaussianNoise(8), cf.LaplaceNoise(6), None]
)
@pytest.mark.parametrize("step", [None, 1])
def test_a_mean_varies_as_expected(noise, step):
    repeats, n, mean, deviation = 1500, 100, 45, 9
    group = [] if noise is None else [cf.Group(["age"], noise)]
    design = cf.Design([cf.Number("age", 0, 100, step=step)], group)
    ages = np.random.default_rng(7).normal(mean, deviation, repeats * n).clip(0, 100)
    ages = ages if step is None else np.rint(ages)
    means = design.disguise(ages, seed=8).reshape(repeats, n).mean(axis=1)
    expected = expect_mean(design, "age", mean, deviation, null=43)
    off = abs(means.std() / expected.standard_error(n) - 1)
    assert off < 4 / sqrt(2 * repeats) + 0.003  # and for rounding to whole steps
    critical = norm.ppf(0.975) * expected.standard_error(n)
    assert near(np.mean(np.abs(means - 43) > critical), expected.power(n), repeats)


COINS = {
    "outcome": ([(["y"], 0.85)], 1500),
    "predictor": ([(["x"], 0.85)], 900),
    "both, one coin": ([(["y", "x"], 0.8)], 1200),
}


def coin_design(name):
    groups = [cf.Group(names, cf.RelatedQuestion(truth)) for names, truth in COINS[name][0]]
    return cf.Design([cf.YesNo("y"), cf.YesNo("x")], groups)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("name", COINS)
def test_a_coefficient_is_told_from_0_as_often_as_expected(name):
    repeats, n, design = 30, COINS[name][1], coin_design(name)
    expected = expect_coefficient(design, "y", "x", 2, {"y": 0.3, "x": 0.4})
    draw = np.random.default_rng(9)
    odds = find_odds(0.3, 0.4, 2)
    found = []
    for _ in range(repeats):
        x = (draw.random(n) < 0.4).astype(int)
        y = (draw.random(n) < np.where(x, 2 * odds / (1 + 2 * odds), odds / (1 + odds))).astype(int)
        reports = design.disguise(pd.DataFrame({"y": y, "x": x}), seed=draw)
        fit = cf.DisguisedRegression(design, "y ~ x").fit(reports)
        found.append((fit.params.iloc[1], fit.bse.iloc[1]))
    slopes, errors = np.array(found).T
    assert abs(slopes.std() / expected.standard_error(n) - 1) < 4 / sqrt(2 * repeats)
    assert np.median(errors) == pytest.approx(expected.standard_error(n), rel=0.1)
    assert abs(slopes.mean() - log(2)) < 4 * slopes.std() / sqrt(repeats)
    assert near(np.mean(slopes / errors > 1.96), expected.power(n), repeats)


def find_odds(y, x, ratio):
    """The odds of y without x that give y its share: the root of a quadratic, by trial."""
    odds = np.linspace(1e-4, 5, 2_000_001)
    share = (1 - x) * odds / (1 + odds) + x * ratio * odds / (1 + ratio * odds)
    return odds[np.abs(share - y).argmin()]


def test_a_coefficient_in_the_clear_has_the_textbook_error():
    """The log odds ratio of a two by two table has the variance Σ 1/cell."""
    design = cf.Design([cf.YesNo("y"), cf.YesNo("x")])
    expected = expect_coefficient(design, "y", "x", 3, {"y": 0.2, "x": 0.5})
    odds = find_odds(0.2, 0.5, 3)
    cells = [0.5 * odds / (1 + odds), 0.5 / (1 + odds)]
    cells += [0.5 * 3 * odds / (1 + 3 * odds), 0.5 / (1 + 3 * odds)]
    assert expected.deviation == pytest.approx(sqrt(sum(1 / cell for cell in cells)), rel=1e-5)


def test_a_number_as_predictor_has_the_information_of_its_normal_distribution():
    questions = [cf.YesNo("y"), cf.Number("age", 16, 80)]
    design = cf.Design(questions, [cf.Group(["y"], cf.RelatedQuestion(0.8))])
    expected = expect_coefficient(design, "y", "age", 1.5, {"y": 0.3})
    x = np.random.default_rng(1).normal(size=100_000)
    slope, low, high = log(1.5), -5.0, 5.0
    for _ in range(60):  # the intercept, by halving
        middle = (low + high) / 2
        below = np.mean(1 / (1 + np.exp(-middle - slope * x))) < 0.3
        low, high = (middle, high) if below else (low, middle)
    p = 1 / (1 + np.exp(-low - slope * x))
    reported = 0.2 + 0.6 * p
    weight = (0.6 * p * (1 - p)) ** 2 / (reported * (1 - reported))
    information = np.array([[weight.mean(), (weight * x).mean()], [0, (weight * x * x).mean()]])
    information[1, 0] = information[0, 1]
    assert expected.deviation == pytest.approx(sqrt(np.linalg.inv(information)[1, 1]), rel=0.02)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: expect_coefficient(d, "y", "x", 1), "odds_ratio must be above 0 and not 1"),
        (lambda d: expect_coefficient(d, "y", "colour", 2), "must have two options; it has 3"),
        (lambda d: expect_coefficient(d, "y", "age", 2), "age is disguised by noise"),
        (lambda d: expect_coefficient(d, "y", "x", 2, {"y": 0}), "has the share 0|have the share"),
        (lambda d: expect_mean(d, "y", 3, 1), "y is no number"),
        (lambda d: expect_mean(d, "age", 300, 1), "between 0 and 100"),
        (lambda d: expect_mean(d, "income", 3, 1), "only name an interval"),
        (lambda d: expect_mean(d, "age", 40, 12).respondents_needed(0), "margin must be above 0"),
        (lambda d: expect_share(d, {"y": 1}, refusing=1.5), "refusing must be a share"),
        (lambda d: expect_difference(d, {"y": 1}, None, None, part=1), "part must be above 0"),
    ],
)
def test_a_mistake_is_named(call, message):
    questions = [
        cf.YesNo("y"),
        cf.YesNo("x"),
        cf.Choice("colour", ["r", "g", "b"]),
        cf.Number("age", 0, 100),
        cf.Number("income", 0, 10),
    ]
    groups = [
        cf.Group(["age"], cf.LaplaceNoise(5)),
        cf.Group(["income"], cf.Intervals([0, 5, 10])),
    ]
    with pytest.raises(cf.QueryError, match=message):
        call(cf.Design(questions, groups))
