"""Probabilities as people write them in Python: floats become the fractions that they stand for."""

from decimal import Decimal
from fractions import Fraction
from math import exp, lcm

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.properties import examples

import confide as cf
from confide.mechanisms.probability import LARGEST_DENOMINATOR, read_probability


def personal(distribution, truth="1/2"):
    """What an unrelated question makes of a distribution."""
    return cf.UnrelatedQuestion(truth, {"q": distribution}).personal["q"]


@pytest.mark.parametrize("kind", [float, np.float64, np.float32, Decimal])
def test_a_twelfth_is_a_twelfth_whatever_holds_it(kind):
    twelfth = Decimal(1) / Decimal(12) if kind is Decimal else kind(1 / 12)
    rest = 1 - twelfth if kind is Decimal else kind(11 / 12)
    assert personal({"yes": twelfth, "no": rest}) == {
        "no": Fraction(11, 12),
        "yes": Fraction(1, 12),
    }


def test_what_is_left_of_one_is_exactly_that():
    assert personal({"yes": 1 / 12, "no": 1 - 1 / 12})["no"] == Fraction(11, 12)
    assert personal({"yes": 1, "no": 1 - 0.9 - 0.1}) == {"no": 0, "yes": 1}


@examples(300)
@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_quotient_of_whole_numbers_is_that_fraction(pair):
    part, whole = pair
    assert read_probability(part / whole, "truth") == Fraction(part, whole)


@given(st.integers(0, 10**9))
def test_a_plain_decimal_stays_that_decimal(billionths):
    assert read_probability(billionths / 10**9, "truth") == Fraction(billionths, 10**9)
    assert read_probability(Decimal(billionths) / 10**9, "truth") == Fraction(billionths, 10**9)


@given(st.floats(1e-4, 1 - 1e-4))
def test_any_float_is_taken_to_a_millionth(value):
    taken = read_probability(value, "truth")
    assert taken.denominator <= LARGEST_DENOMINATOR
    assert abs(taken - Fraction(value)) <= Fraction(min(value, 1 - value)) / 10**6


@examples(200)
@given(
    st.lists(st.integers(0, 10**6), min_size=2, max_size=40).filter(any),
    st.sampled_from(["1/2", 0.7, exp(1) / (1 + exp(1)), 1 / 3]),
)
def test_a_distribution_of_floats_sums_to_one_and_can_be_drawn(weights, truth):
    names = [f"o{i}" for i in range(len(weights))]
    shares = [weight / sum(weights) for weight in weights]
    mechanism = cf.UnrelatedQuestion(truth, {"q": dict(zip(names, shares, strict=True))})
    taken = [mechanism.personal["q"][name] for name in names]
    assert sum(taken) == 1
    assert all(abs(float(p) - share) < 2e-5 for p, share in zip(taken, shares, strict=True))
    assert all((p > 0) == (weight > 0) for p, weight in zip(taken, weights, strict=True))
    design = cf.Design([cf.Choice("q", names)], [cf.Group(["q"], mechanism)])
    (table,) = design.blocks[0].channel.weights()["questions"]
    assert all(sum(row) <= LARGEST_DENOMINATOR for row in table[0])


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_the_columns_of_a_matrix_of_floats_share_one_denominator(kind):
    generator = np.random.default_rng(5)
    matrix = (generator.dirichlet(np.ones(6), 6).T + 2 * np.eye(6)) / 3
    exact = cf.ChannelMatrix(matrix.astype(kind)).matrix
    assert all(sum(column) == 1 for column in zip(*exact, strict=True))
    assert lcm(*(p.denominator for row in exact for p in row)) <= LARGEST_DENOMINATOR
    assert np.allclose(np.array(exact, float), matrix, atol=1e-6)


def test_thirds_in_a_joint_distribution_are_thirds():
    cells = {("yes", "no"): 1 / 3, ("no", "yes"): 1 / 3, ("no", "no"): 1 / 3}
    assert set(cf.UnrelatedQuestion(2 / 3, cells).personal.values()) == {Fraction(1, 3)}


def test_what_is_written_exactly_stays_beside_floats():
    taken = personal(
        {"a": "1/7", "b": 0.25, "c": 0.1234567890123, "d": 1 - 1 / 7 - 0.3734567890123}
    )
    assert (taken["a"], taken["b"]) == (Fraction(1, 7), Fraction(1, 4))
    assert sum(taken.values()) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"a": 0.9},
        {"a": 0.5, "b": 0.6},
        {"a": 1 / 3, "b": 1 / 3},
        {"a": 1 / 3, "b": 0.6667},
        {"a": 0.333, "b": 0.667, "c": 1 / 7},
        {"a": np.float32(0.3), "b": np.float32(0.6)},
        {"a": Decimal(1) / 3, "b": Decimal("0.6666")},
    ],
)
def test_a_sum_that_is_off_by_more_than_rounding_is_refused(wrong):
    with pytest.raises(cf.DesignError, match=r"must sum to 1\. It sums to"):
        personal(wrong)


@pytest.mark.parametrize(
    ("value", "complaint"),
    [
        (float("nan"), "must be a probability"),
        (float("inf"), "must be a probability"),
        (Decimal("1e999999999"), "must be a probability"),
        (Decimal("sNaN"), "must be a probability"),
        (-1 / 3, "between 0 and 1"),
        (4 / 3, "between 0 and 1"),
        (1e-12, 'such as "1/12"'),
        (1 - 1e-12, 'such as "1/12"'),
        ("1/12345678901", 'such as "1/12"'),
        (Fraction(1, 10**1000), 'such as "1/12"'),
        (np.True_, "must be a probability"),
    ],
)
def test_what_is_no_probability_or_cannot_be_drawn_is_one_line_with_a_way_out(value, complaint):
    with pytest.raises(cf.DesignError, match=complaint):
        cf.RelatedQuestion(value)


def test_a_common_denominator_out_of_reach_is_refused_when_the_design_is_made():
    fine = cf.UnrelatedQuestion("1/65537", {"a": {"yes": "1/65539", "no": "65538/65539"}})
    with pytest.raises(cf.DesignError, match="common denominator"):
        cf.Design([cf.YesNo("a")], [cf.Group(["a"], fine)])
    many = {f"o{i}": f"1/{2**32 - 2 * i - 1}" for i in range(20_000)}
    with pytest.raises(cf.DesignError, match="common denominator"):
        personal(many)


def test_an_epsilon_in_floats_makes_a_survey_that_a_browser_can_draw():
    for options in (2, 3, 12, 100):
        keep = exp(1) / (exp(1) + options - 1)
        names = [f"o{i}" for i in range(options)]
        group = cf.Group(["q"], cf.RandomizedChoice(keep))
        design = cf.Design([cf.Choice("q", names)], [group])
        assert abs(group.mechanism.epsilon(design.questions) - 1) < 1e-5
        assert design.blocks[0].channel.weights()


@pytest.mark.parametrize(
    ("text", "expected"),
    [("0.3333333333333333", "1/3"), ("0.08333333333333333", "1/12"), ("0.75", "3/4")],
)
def test_a_float_that_was_copied_into_a_text_is_read_as_the_float(text, expected):
    """On a command line every number is a text."""
    assert read_probability(text, "truth") == Fraction(expected)
    assert cf.RandomizedChoice(text) == cf.RandomizedChoice(expected)
