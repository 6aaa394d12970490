"""How people answer one question by itself, as unevenly as its reports bear out."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binom
from support.properties import examples

import confide as cf
from confide.mining.joint.margins import estimate_margin

SAMPLES = st.tuples(
    st.integers(1, 3000), st.floats(0, 1), st.sampled_from(["51/100", "11/20", "3/5", "9/10"])
)


def count_yes(n, yes, truth):
    design = cf.Design([cf.YesNo("c")], [cf.Group(["c"], cf.RelatedQuestion(truth))])
    return cf.Crowd(design, (np.arange(n) < yes).astype(int)[:, None])


@examples(60)
@given(st.lists(SAMPLES, min_size=1, max_size=2, unique_by=lambda sample: sample[2]))
def test_a_yes_no_question_against_the_binomial_likelihood(samples):
    """Samples are pooled, each under a coin of its own."""
    counted = [(n, round(part * n), truth) for n, part, truth in samples]

    def lose(share):
        each = [(n, yes, float(Fraction(truth))) for n, yes, truth in counted]
        return -sum(binom.logpmf(yes, n, share * p + (1 - share) * (1 - p)) for n, yes, p in each)

    inside = minimize_scalar(lose, bounds=(0, 1), method="bounded", options={"xatol": 1e-10}).x
    likely = min(inside, 0.0, 1.0, key=lose)
    deviance = 2 * (lose(0.5) - lose(likely))
    kept = 1 - 4 / deviance if deviance > 4 else 0
    margin = estimate_margin(cf.Crowd.pool([count_yes(*sample) for sample in counted]), "c")
    assert margin == pytest.approx(
        [0.5 - kept * (likely - 0.5), 0.5 + kept * (likely - 0.5)], abs=1e-5
    )


@pytest.mark.statistical
def test_noise_is_no_uneven_answer_and_a_rare_one_is():
    """Of 300 surveys of 450 people each; the most likely margin is the twin."""
    generator, found = np.random.default_rng(3), {}
    for truth, share in (("11/20", 0.5), ("4/5", 0.07)):
        chance = float(Fraction(truth)) * share + (1 - float(Fraction(truth))) * (1 - share)
        crowds = [count_yes(450, yes, truth) for yes in generator.binomial(450, chance, 300)]
        margins = [estimate_margin(crowd, "c")[1] for crowd in crowds]
        likely = [crowd.proportion({"c": "yes"}, method="likelihood").value for crowd in crowds]
        found[share] = [
            np.sqrt(np.mean(np.subtract(each, share) ** 2)) for each in (margins, likely)
        ]
    assert found[0.5][0] < 0.13 < 0.2 < found[0.5][1]
    assert found[0.07][0] < 1.2 * found[0.07][1]


def test_options_are_drawn_towards_even_ones_together():
    design = cf.Design(
        [cf.Choice("faculty", ["arts", "law", "science"])],
        [cf.Group(["faculty"], cf.RandomizedChoice(keep="1/2"))],
    )
    reports = np.repeat([["arts"], ["law"], ["science"]], [300, 250, 350], axis=0)
    margin = estimate_margin(cf.Crowd(design, reports), "faculty")
    likely = (np.array([300, 250, 350]) / 900 - 1 / 4) * 4  # the inverse, inside 0 to 1
    moved = (margin - 1 / 3) / (likely - 1 / 3)
    told = 2 * np.sum([300, 250, 350] * np.log(np.array([300, 250, 350]) / 300))
    np.testing.assert_allclose(moved[1:], 1 - 8 / told, rtol=1e-6)


@pytest.mark.parametrize(
    ("people", "truth", "n"),
    [(0, "3/5", 300), (0, "99/100", 300), (1, "9/10", 300), (9, "51/100", 30)],
)
@pytest.mark.parametrize("learner", [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes])
def test_a_class_of_nobody_or_of_hardly_any_report_is_predicted_by_chances(
    people, truth, n, learner
):
    names = ["c", "q0", "q1"]
    design = cf.Design([cf.YesNo(x) for x in names], [cf.Group(names, cf.RelatedQuestion(truth))])
    answers = np.random.default_rng(n).integers(0, 2, (n, 3))
    answers[:, 0] = np.arange(n) < people
    model = learner(design, "c").fit(design.disguise(answers, seed=2))
    chances = model.predict_proba(answers[:, 1:])
    assert (chances >= 0).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1)
