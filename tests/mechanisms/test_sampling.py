"""Sampling: integer weights are exact, draws follow them, and a wrong weight is caught."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from support.designs import group_matrix, mechanisms, questions, sound
from support.properties import examples

import confide as cf
from confide.mechanisms import Channel, Randomness

GROUPS = [
    (cf.RelatedQuestion("3/4"), [cf.YesNo("a")]),
    (cf.RelatedQuestion("2/7"), [cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"])]),
    (cf.RelatedQuestion(0.6), [cf.YesNo("a"), cf.YesNo("b"), cf.YesNo("c")]),
    (
        cf.UnrelatedQuestion("1/3", {"a": {"yes": "1/12", "no": "11/12"}, "b": {"x": 1}}),
        [cf.YesNo("a"), cf.Choice("b", ["x", "y"])],
    ),
    (
        cf.UnrelatedQuestion(0.4, {("yes", "no"): "1/4", ("no", "yes"): "3/4"}),
        [cf.YesNo("a"), cf.YesNo("b")],
    ),
    (cf.ForcedResponse("2/3", {"a": {"yes": 0.5, "no": 0.5}}), [cf.YesNo("a")]),
    (cf.RandomizedChoice(0.123457), [cf.Choice("a", range(5))]),
    (cf.ChannelMatrix([[0.9, 0.2], [0.1, 0.8]]), [cf.YesNo("a")]),
]


@examples(60)
@given(st.data())
def test_integer_weights_give_exactly_the_declared_channel(data):
    asked = data.draw(questions(data.draw(st.integers(1, 3))))
    mechanism = data.draw(mechanisms(asked))
    assume(sound(mechanism, asked))
    weights = mechanism.channel(asked).weights()
    cells = list(product(*(range(q.size) for q in asked)))
    total = Fraction(sum(weights["branches"]))
    matrix = group_matrix(mechanism, asked)
    pairs = list(product(enumerate(cells), enumerate(cells)))
    for (r, report), (t, truth) in pairs[:: 1 + len(pairs) // 400]:
        chance = Fraction()
        for branch, weight in enumerate(weights["branches"]):
            odds = Fraction(weight) / total
            for i, table in enumerate(weights["questions"]):
                row = table[branch][truth[i]]
                odds *= Fraction(row[report[i]], sum(row))
            chance += odds
        assert float(chance) == pytest.approx(matrix[r, t], abs=1e-15)


def deviation(channel, matrix, sizes, seed, draws=20_000):
    """The smallest p-value of χ² tests of the reports, one test a truth."""
    randomness, worst = Randomness(seed), 1.0
    for t, truth in enumerate(product(*map(range, sizes))):
        reports = channel.sample([np.full(draws, code) for code in truth], randomness)
        observed = np.bincount(np.ravel_multi_index(reports, sizes), minlength=len(matrix))
        expected = matrix[:, t] * draws
        possible = expected > 0
        if observed[~possible].any():
            return 0.0
        if possible.sum() > 1:
            worst = min(worst, stats.chisquare(observed[possible], expected[possible]).pvalue)
    return worst


@pytest.mark.statistical
@pytest.mark.parametrize(("mechanism", "asked"), GROUPS, ids=lambda g: str(g)[:40])
def test_draws_follow_the_channel(mechanism, asked):
    """20,000 draws a truth; by chance a p-value below 1e-6 appears once in ten thousand runs."""
    sizes = [q.size for q in asked]
    assert deviation(mechanism.channel(asked), group_matrix(mechanism, asked), sizes, 5) > 1e-6


@pytest.mark.statistical
@pytest.mark.parametrize(("mechanism", "asked"), GROUPS, ids=lambda g: str(g)[:40])
def test_two_swapped_weights_would_be_caught(mechanism, asked):
    """The twin: every mechanism here moves some cell by over 25 standard errors."""
    honest = mechanism.channel(asked)
    branches = [[[list(row) for row in matrix] for matrix in branch] for branch in honest.branches]
    first = branches[0][0]
    first[0][0], first[1][0] = first[1][0], first[0][0]
    sizes = [q.size for q in asked]
    mutant = Channel(honest.odds, branches)
    assert deviation(mutant, group_matrix(mechanism, asked), sizes, 5) < 1e-100


@pytest.mark.slow
@pytest.mark.statistical
def test_a_weight_rounded_to_a_byte_would_be_caught():
    """1/3 rounded to 85/256 is off by 0.0013: 9 standard errors in ten million draws."""
    rounded = cf.RelatedQuestion("85/256").channel([cf.YesNo("a")])
    matrix = group_matrix(cf.RelatedQuestion("1/3"), [cf.YesNo("a")])
    assert deviation(rounded, matrix, [2], 5, draws=10_000_000) < 1e-6


@pytest.mark.parametrize("bound", [2, 3, 6, 10, 100, 255, 4096, 60_000, 10**6, 2**32, 10**12])
def test_integers_are_uniform_below_any_bound(bound):
    drawn = Randomness(seed=3).integers(bound, 60_000)
    assert drawn.max() < bound
    cells = np.bincount((drawn.astype(float) * 6 / bound).astype(int).clip(max=5), minlength=6)
    edges = np.ceil(np.arange(7) * bound / 6)
    expected = np.diff(edges) / bound * 60_000
    assert stats.chisquare(cells[expected > 0], expected[expected > 0]).pvalue > 1e-6


def test_words_past_the_last_whole_multiple_are_drawn_again():
    class Fixed(Randomness):
        def __init__(self, stream):
            self._bytes = lambda size: bytes(stream.pop(0) for _ in range(size))

    # Bound 10 takes byte words below 250; 250 and 255 are refused and replaced in order.
    assert Fixed([250, 249, 255, 7, 12, 34]).integers(10, 4).tolist() == [2, 9, 4, 7]


def test_the_default_source_is_not_repeatable_and_a_seed_is():
    assert not np.array_equal(Randomness().integers(10**9, 50), Randomness().integers(10**9, 50))
    assert np.array_equal(Randomness(4).integers(99, 50), Randomness(4).integers(99, 50))


def test_disguising_with_certainty_returns_the_answer():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(1))])
    answers = np.array([0, 1, 1, 0])
    np.testing.assert_array_equal(design.disguise(answers), answers)


def test_a_related_group_of_yes_no_questions_flips_as_one():
    design = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b"), cf.YesNo("c")],
        [cf.Group(["a", "c"], cf.RelatedQuestion(0.6)), cf.Group(["b"], cf.RelatedQuestion(0.6))],
    )
    answers = np.random.default_rng(0).integers(0, 2, (2000, 3))
    flipped = design.disguise(answers, seed=1) != answers
    np.testing.assert_array_equal(flipped[:, 0], flipped[:, 2])
    assert (flipped[:, 0] != flipped[:, 1]).any()
    assert abs(flipped[:, 0].mean() - 0.4) < 5 * np.sqrt(0.24 / 2000)


def test_a_denominator_no_browser_can_draw_is_refused():
    with pytest.raises(cf.DesignError, match="2\\^32"):
        cf.RelatedQuestion(f"1/{2**33}")
    odd = cf.UnrelatedQuestion("1/999983", {"a": {"yes": "1/999979", "no": "999978/999979"}})
    with pytest.raises(cf.DesignError, match="common denominator"):
        odd.channel([cf.YesNo("a")]).weights()
