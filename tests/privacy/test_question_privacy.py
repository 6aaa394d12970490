"""One question: posteriors, guesses, and what noise leaves of a number."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, group_matrix
from support.properties import examples

import confide as cf


def warner(truth=0.75):
    return cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(truth))])


def noisy(mechanism, low=0, high=100, step=None):
    return cf.Design([cf.Number("x", low, high, step=step)], [cf.Group(["x"], mechanism)])


@examples(60)
@given(designs(most_questions=3), st.data())
def test_the_posterior_is_bayes_rule_over_the_channel(design, data):
    for group in cf.privacy.of(design).groups:
        if len(group.names) > 1:
            continue
        question = group.questions[0]
        k = question.question.size
        weights = data.draw(st.lists(st.integers(1, 9), min_size=k, max_size=k))
        prior = [w / sum(weights) for w in weights]
        matrix = group_matrix(group.mechanism, group.block.questions)
        found = question.posterior(prior)
        guess = 0.0
        for report in range(k):
            total = sum(matrix[report, t] * prior[t] for t in range(k))
            for t in range(k):
                expected = matrix[report, t] * prior[t] / total
                assert found.table[report, t] == pytest.approx(expected)
                label = question.question.labels[t]
                assert found.after(question.question.options[report])[label] == pytest.approx(
                    expected
                )
            guess += max(matrix[report, t] * prior[t] for t in range(k))
        assert question.guess(prior) == pytest.approx(guess)


def test_of_100_people_who_report_yes_25_truly_did_if_one_in_ten_did():
    after = cf.privacy.of(warner()).question("cheated").posterior(0.1).after("yes")
    assert after == pytest.approx({"no": 0.75, "yes": 0.25})


def test_no_report_moves_the_odds_by_more_than_the_odds_ratio():
    question = cf.privacy.of(warner(0.8)).question("cheated")
    assert question.odds_ratio == pytest.approx(4)
    for prior in (0.01, 0.3, 0.9):
        for row in question.posterior(prior).table:
            moved = row[1] / row[0] / (prior / (1 - prior))
            assert 1 / 4 - 1e-12 <= moved <= 4 + 1e-12


def test_a_prior_may_be_a_probability_a_mapping_or_an_array():
    design = cf.Design(
        [cf.Choice("faculty", ["arts", "law", "science"])],
        [cf.Group(["faculty"], cf.RandomizedChoice(0.7))],
    )
    question = cf.privacy.of(design).question("faculty")
    by_name = question.posterior({"law": 0.2, "arts": 0.5, "science": 0.3}).table
    in_order = question.posterior(np.array([0.5, 0.2, 0.3])).table
    np.testing.assert_array_equal(by_name, in_order)
    np.testing.assert_allclose(question.posterior().joint.sum(axis=0), 1 / 3)


@pytest.mark.parametrize(
    ("prior", "message"),
    [
        (1.2, "no share below 0 or above 1"),
        ({"yes": 0.4}, "must sum to 1. It sums to 0.4"),
        ({"perhaps": 1.0}, "no option 'perhaps'"),
        ([0.2, 0.3, 0.5], "must have 2 shares"),
        ("often", "must be made of numbers"),
        ({"yes": "often"}, "must be made of numbers"),
        ([float("nan"), 1], "no share below 0"),
    ],
)
def test_a_prior_that_is_no_distribution_is_refused(prior, message):
    with pytest.raises(cf.QueryError, match=message):
        cf.privacy.of(warner()).question("cheated").posterior(prior)


def test_one_number_is_no_prior_for_three_options():
    design = cf.Design([cf.Choice("faculty", ["arts", "law", "science"])])
    with pytest.raises(cf.QueryError, match="to each of 3 values"):
        cf.privacy.of(design).question("faculty").posterior(0.5)


def test_after_a_report_that_cannot_come_in_nothing_is_believed():
    mechanism = cf.ForcedResponse(0.5, {"a": {"yes": 1, "no": 0}})
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], mechanism)])
    after = cf.privacy.of(design).question("a").posterior(1.0)
    assert np.isnan(after.table[0]).all()
    assert after.guess == 1.0


@pytest.mark.parametrize(
    ("mechanism", "confidence", "width"),
    [  # Table 1 of agrawal-srikant-2000; the print's 6.8 σ at 99.9 % is 6.58 σ
        (cf.Intervals([0, 20, 60, 100]), 0.5, 0.5 * 20),
        (cf.Intervals([0, 20, 60, 100]), 0.95, 0.95 * 20),
        (cf.UniformNoise(5), 0.5, 0.5 * 2 * 5),
        (cf.UniformNoise(5), 0.95, 0.95 * 2 * 5),
        (cf.UniformNoise(5), 0.999, 0.999 * 2 * 5),
        (cf.GaussianNoise(3), 0.5, 1.34 * 3),
        (cf.GaussianNoise(3), 0.95, 3.92 * 3),
        (cf.GaussianNoise(3), 0.999, 6.58 * 3),
    ],
)
def test_widths_are_those_of_table_1(mechanism, confidence, width):
    question = cf.privacy.of(noisy(mechanism)).question("x")
    assert question.width(confidence) == pytest.approx(width, rel=0.01)


def test_a_choice_has_no_width_and_a_width_needs_a_confidence():
    with pytest.raises(cf.QueryError, match="no width hides it"):
        cf.privacy.of(warner()).question("cheated").width()
    with pytest.raises(cf.QueryError, match="between 0 and 1"):
        cf.privacy.of(noisy(cf.UniformNoise(5))).question("x").width(1.0)


def test_intervals_leave_the_doubt_of_their_width():
    even = cf.privacy.of(noisy(cf.Intervals([0, 50, 100]))).question("x")
    assert even.entropy_width() == pytest.approx(50)
    # h = Σ P(interval)·log2(width): a quarter of the people in 25, three in 75
    uneven = cf.privacy.of(noisy(cf.Intervals([0, 25, 100]))).question("x")
    assert uneven.entropy_width() == pytest.approx(25**0.25 * 75**0.75)


def test_uniform_noise_leaves_the_doubt_of_the_closed_formula():
    """X uniform on [0, 1], noise on ±1/2: h(X|R) = h(X) + h(N) − h(X + N) = 0 + 0 − 1/2 nats."""
    question = cf.privacy.of(noisy(cf.UniformNoise(0.5), 0, 1)).question("x")
    assert question.entropy_width() == pytest.approx(exp(-0.5), rel=0.01)


def test_gaussian_noise_leaves_the_doubt_of_a_numerical_integral():
    deviation, low, high = 20.0, 0.0, 100.0
    x = np.linspace(low, high, 801)[:-1] + (high - low) / 1600
    r = np.arange(low - 6 * deviation, high + 6 * deviation, 0.5)
    density = np.exp(-((r[:, None] - x) ** 2) / (2 * deviation**2))
    density /= np.sqrt(2 * np.pi) * deviation * (high - low)
    reported = density.mean(axis=1) * (high - low)
    terms = density * np.log2(density / reported[:, None])
    entropy = -terms.sum() * 0.5 * (high - low) / 800
    question = cf.privacy.of(noisy(cf.GaussianNoise(deviation), low, high)).question("x")
    assert question.entropy_width() == pytest.approx(2**entropy, rel=0.01)


def test_more_noise_leaves_more_doubt_and_no_report_the_most():
    widths = [
        cf.privacy.of(noisy(cf.LaplaceNoise(scale))).question("x").entropy_width()
        for scale in (1, 10, 100)
    ]
    assert widths == sorted(widths) and widths[-1] < 100


def test_a_number_in_the_clear_leaves_no_doubt_and_a_choice_has_no_interval():
    assert cf.privacy.of(cf.Design([cf.Number("x", 0, 1)])).question("x").entropy_width() == 0
    with pytest.raises(cf.QueryError, match="no number"):
        cf.privacy.of(warner()).question("cheated").entropy_width()


def test_laplace_noise_has_the_epsilon_of_its_range():
    assert cf.privacy.of(noisy(cf.LaplaceNoise(50))).epsilon == pytest.approx(2)
    assert cf.privacy.of(noisy(cf.LaplaceNoise(50))).question("x").odds_ratio == pytest.approx(
        exp(2)
    )
