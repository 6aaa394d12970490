"""Adversaries who have the reports: judged without knowing any answer, and without flattery."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import confide as cf
from confide.privacy.adversaries import ADVERSARIES, ByCell, KnowsCrowd, NaiveBayes
from confide.privacy.cross_fitting import _halve, _judge, score_guesses

TRUTH = 0.75


def simulate(n, seed, tells):
    """Two clear questions of 20 and 15 options; their cell tells the third answer, or not."""
    chance = np.random.default_rng(seed)
    first, second = chance.integers(0, 20, n), chance.integers(0, 15, n)
    by_cell = np.random.default_rng(1).integers(0, 2, (20, 15))[first, second]
    secret = np.where(chance.random(n) < tells, by_cell, chance.integers(0, 2, n))
    design = cf.Design(
        [
            cf.Choice("town", [f"town {i}" for i in range(20)]),
            cf.Choice("job", [f"job {i}" for i in range(15)]),
            cf.YesNo("secret"),
        ],
        [cf.Group(["secret"], cf.RelatedQuestion(TRUTH))],
    )
    answers = pa.table(
        {
            "town": [f"town {i}" for i in first],
            "job": [f"job {i}" for i in second],
            "secret": secret,
        }
    )
    return design, cf.Crowd(design, design.disguise(answers, seed=seed))


@pytest.mark.parametrize("seed", range(5))
def test_the_score_of_a_guess_is_how_often_it_is_right(seed):
    """Brute force over every belief, answer and report; the estimate's expectation is exact."""
    chance = np.random.default_rng(seed)
    size, beliefs = 2 + seed, 4
    matrix = chance.dirichlet(np.ones(size), size).T + 2 * np.eye(size)
    matrix /= matrix.sum(axis=0)
    believed = chance.dirichlet(np.ones(size), beliefs)
    joint = chance.dirichlet(np.ones(beliefs * size)).reshape(beliefs, size)
    inverse = np.linalg.inv(matrix)
    right = expected = 0.0
    scores = score_guesses(matrix, believed)
    for x in range(beliefs):
        for t in range(size):
            for r in range(size):
                guess = max(range(size), key=lambda a: matrix[r, a] * believed[x, a])
                right += joint[x, t] * matrix[r, t] * (guess == t)
                expected += joint[x, t] * matrix[r, t] * (scores[x] @ inverse[:, r])
    assert expected == pytest.approx(right, abs=1e-12)


@pytest.mark.slow
def test_an_answer_that_the_clear_ones_tell_is_said_to_be_exposed():
    """The classes stop early and say 75 to 77 of 100; a table for each cell gets far more."""
    design, crowd = simulate(5_000, 3, tells=1.0)
    statement = cf.privacy.of(design, crowd)
    tried = {each.adversary: each for each in statement.tried["secret"]}
    assert len(tried) == len(ADVERSARIES)
    best = tried[ByCell.name]
    assert best.right > 0.83
    assert best.without_report > 0.75  # the clear answers alone
    assert statement.guess_from_report("secret") >= best.right
    assert statement.guess_without_report("secret") == pytest.approx(best.without_report)
    assert statement.exposure.answers["secret"].mean < best.right - 0.03
    said = " ".join(statement.sentences())
    assert "this is a lower bound" in said and ByCell.name in said
    assert "without any report but with the answers in the clear" in said
    (described,) = (q for q in statement.to_dict()["questions"] if q["name"] == "secret")
    assert {each["adversary"] for each in described["adversaries"]} == set(tried)


@pytest.mark.slow
def test_nobody_flatters_themselves_where_nothing_is_to_be_learned():
    """Without a bond no guess beats θ, within four standard errors; learned by heart, one would."""
    design, crowd = simulate(5_000, 4, tells=0.0)
    statement = cf.privacy.of(design, crowd)
    for each in statement.tried["secret"]:
        assert each.right <= TRUTH + 4 * each.standard_error, each.adversary
    question = statement.question("secret")
    whole = crowd.counts[0]
    flattered = _judge(question, [(ByCell(whole), whole)])
    assert flattered.right > TRUTH + 4 * flattered.standard_error


def test_naive_bayes_hears_what_other_reports_say():
    """Three answers that are always equal, each with a coin of its own: two others tell the third.

    With θ = 3/4 the best of three votes is right in 27/32 of the cases; tolerance four errors.
    """
    chance = np.random.default_rng(5)
    names = ["a", "b", "c"]
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group([name], cf.RelatedQuestion(TRUTH)) for name in names],
    )
    answer = chance.integers(0, 2, 8_000)
    crowd = cf.Crowd(design, design.disguise(pa.table(dict.fromkeys(names, answer)), seed=5))
    tried = {each.adversary: each for each in cf.privacy.of(design, crowd).tried["a"]}
    for kind in (KnowsCrowd, NaiveBayes):
        found = tried[kind.name]
        assert abs(found.right - 27 / 32) < 4 * found.standard_error
    assert tried[NaiveBayes.name].without_report is None


@pytest.mark.slow
def test_an_answer_that_other_reports_tell_is_named_though_another_is_guessed_more_often():
    """The rest is hardly disguised, so that its own odds make it the most exposed."""
    sentences = _say_sum(follows=True).sentences()
    assert any(s.startswith("The most exposed answer is z") for s in sentences)
    assert any(s.startswith("The rest of the report tells most about sum:") for s in sentences)
    assert not any("The rest of the report" in s for s in _say_sum(follows=False).sentences())


def _say_sum(follows):
    """Six answers at θ = 9/10, and one at 3/5 that is their majority, or stands by itself."""
    chance = np.random.default_rng(4)
    rest = chance.random((5_000, 7)) < 0.5
    total = rest[:, :6].sum(axis=1) >= 3 if follows else rest[:, 6]
    names = [f"z{i}" for i in range(6)]
    design = cf.Design(
        [cf.YesNo(name) for name in [*names, "sum"]],
        [
            *(cf.Group([name], cf.RelatedQuestion("9/10")) for name in names),
            cf.Group(["sum"], cf.RelatedQuestion("3/5")),
        ],
    )
    answers = pa.table({**dict(zip(names, rest.T[:6], strict=True)), "sum": total})
    return cf.privacy.of(design, crowd=cf.Crowd(design, design.disguise(answers, seed=4)))


def test_halves_hold_each_report_once():
    _, crowd = simulate(501, 6, tells=0.5)
    whole = crowd.counts[0]
    first, second = _halve(crowd.counts)
    assert (first.n, second.n) == (250, 251)
    assert np.array_equal((first + second).patterns, whole.patterns)
    assert np.array_equal((first + second).reports, whole.reports)


def test_nothing_is_tried_without_reports_with_few_or_where_a_draw_is_shared():
    design, crowd = simulate(100, 7, tells=1.0)
    assert cf.privacy.of(design, crowd).tried == {}
    assert cf.privacy.of(design).tried == {}
    shared = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b")], [cf.Group(["a", "b"], cf.RelatedQuestion(TRUTH))]
    )
    answers = pa.table({"a": [0, 1] * 300, "b": [1, 1] * 300})
    assert cf.privacy.of(shared, cf.Crowd(shared, shared.disguise(answers, seed=1))).tried == {}
