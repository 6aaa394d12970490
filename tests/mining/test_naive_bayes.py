"""Naive Bayes against the paper's formula, read naively."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support import mining_oracles as oracles
from support.designs import designs, labelled, random_codes, solved
from support.properties import examples

import confide as cf

SEEDS = st.integers(0, 2**31)


def naive_scores(count, sizes, row):
    """P(v)·Π P(a_i ∧ v)/P(v) for each class v of question 0; a negative estimate is zero."""
    scores = []
    for v in range(sizes[0]):
        prior = max(count({0: {v}}), 0.0)
        score = prior
        for i in range(1, len(sizes)):
            tables = [max(count({0: {v}, i: {a}}), 0.0) for a in range(sizes[i])]
            score *= tables[row[i]] / sum(tables) if sum(tables) > 1e-9 else 1 / sizes[i]
        scores.append(score)
    return np.array(scores)


@examples(40)
@given(designs(most_questions=4), SEEDS)
def test_chances_are_those_of_the_papers_formula_under_any_mechanism(design, seed):
    assume(len(design.names) > 1)
    codes = random_codes(design, 120, seed)
    model = cf.DisguisedNaiveBayes(design, design.names[0], method="literal", smoothing=0)
    try:
        model.fit(labelled(design, codes))
    except cf.ModelError:
        assume(False)
    count = oracles.table_count(solved(design, codes), 1)
    sizes = [q.size for q in design.questions]
    rows = codes[:6]
    found = model.predict_proba(labelled(design, rows))
    for row, chances in zip(rows, found, strict=True):
        scores = naive_scores(count, sizes, row)
        if scores.max() > 1e-9:
            np.testing.assert_allclose(chances, scores / scores.sum(), atol=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("truth", [1, 0])
def test_reports_that_hide_nothing_give_the_plain_classifier(truth):
    names = [f"q{i}" for i in range(5)]
    design = cf.Design(
        [cf.YesNo(n) for n in names],
        [
            cf.Group(names[:3], cf.RelatedQuestion(truth)),
            cf.Group(names[3:], cf.RelatedQuestion(truth)),
        ],
    )
    answers = random_codes(design, 300, 4)
    model = cf.DisguisedNaiveBayes(design, "q0", method="literal", smoothing=0)
    model.fit(np.asarray(design.disguise(answers, seed=1)))
    rows = answers[:40]
    expected = [naive_scores(oracles.clear_count(answers), [2] * 5, row) for row in rows]
    found = model.predict_proba(rows[:, 1:])
    np.testing.assert_allclose(found, [e / e.sum() for e in expected], atol=1e-9)


def test_smoothing_adds_people_to_every_value():
    design = cf.Design([cf.YesNo("y"), cf.Choice("a", ["u", "v", "w"])])
    codes = np.array([[0, 0]] * 6 + [[1, 1]] * 4)
    model = cf.DisguisedNaiveBayes(design, "y", method="literal", smoothing=2)
    model.fit(labelled(design, codes))
    np.testing.assert_allclose(model.likelihood_[0], [[8 / 12, 2 / 12, 2 / 12], [0.2, 0.6, 0.2]])


def test_negative_smoothing_is_refused():
    design = cf.Design([cf.YesNo("y"), cf.YesNo("a")])
    with pytest.raises(cf.ModelError, match="smoothing"):
        cf.DisguisedNaiveBayes(design, "y", smoothing=-1).fit(np.array([[0, 1], [1, 0]]))


@pytest.mark.parametrize("truth", ["3/10", "2/5", "11/20", "7/10", "9/10"])
def test_what_nobody_has_is_nobodys_whatever_the_rounding(truth):
    """Of those who cheated exactly as many report drugs as if nobody of them took any."""
    group = cf.Group(["drugs"], cf.RelatedQuestion(truth))
    design = cf.Design([cf.YesNo("cheated"), cf.YesNo("drugs")], [group])
    for n in range(20, 401, 20):
        people = np.arange(n)
        reports = np.stack([np.ones(n, int), people < n * (1 - Fraction(truth))], axis=1)
        others = np.stack([np.zeros(n, int), people % 2], axis=1)
        model = cf.DisguisedNaiveBayes(design, "cheated", method="literal")
        model.fit(np.concatenate([reports, others]))
        assert model.likelihood_[0][1].tolist() == [1.0, 0.0]
