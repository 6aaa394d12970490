"""Pooling batches under different designs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes, solved
from support.properties import examples

import confide as cf

ASKED = [cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"])]


def disguised_design(truth):
    return cf.Design(ASKED, [cf.Group(["a", "b"], cf.RelatedQuestion(truth))])


def two_parties(n, seed, truth=0.7):
    """One party disguises its records, the other has true ones."""
    design, clear = disguised_design(truth), cf.Design(ASKED)
    codes = random_codes(design, n, seed)
    answers = labelled(design, codes)
    first = cf.Crowd(design, design.disguise(answers.slice(0, n // 2), seed=seed))
    return first, cf.Crowd(clear, answers.slice(n // 2)), codes


@examples(30)
@given(designs(most_questions=3), st.integers(0, 1000))
def test_by_size_a_pool_is_the_mean_of_the_batches_solutions(design, seed):
    clear = cf.Design(design.questions)
    one, two = random_codes(design, 90, seed), random_codes(design, 210, seed + 1)
    pool = cf.Crowd.pool(
        [cf.Crowd(design, labelled(design, one)), cf.Crowd(clear, labelled(design, two))]
    )
    expected = 0.3 * solved(design, one) + 0.7 * solved(clear, two)
    found = pool.table(list(design.names), method="inverse").values
    np.testing.assert_allclose(found, expected, atol=1e-10)
    assert pool.n == 300


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("by", ["size", "precision"])
def test_pooled_standard_errors_match_the_spread_of_pooled_estimates(by):
    """150 surveys: the spread's own error is 6 %, the tolerance 20 %."""
    pools = [cf.Crowd.pool(two_parties(2000, seed)[:2], by=by) for seed in range(150)]
    found = [pool.proportion({"a": "yes"}) for pool in pools]
    spread = np.std([e.value for e in found])
    assert np.mean([e.standard_error for e in found]) == pytest.approx(spread, rel=0.2)


def test_precision_beats_size_when_batches_differ():
    first, second, _ = two_parties(4000, 1, truth=0.55)
    errors = {
        by: cf.Crowd.pool([first, second], by=by).proportion({"a": "yes"}).standard_error
        for by in ("size", "precision")
    }
    alone = second.proportion({"a": "yes"}).standard_error
    assert errors["precision"] < errors["size"]
    assert errors["precision"] <= alone


def test_the_pooled_likelihood_uses_both_batches():
    first, second, codes = two_parties(6000, 2)
    pool = cf.Crowd.pool([first, second])
    table = pool.table(["a", "b"], method="likelihood")
    truth = np.bincount(codes[:, 0] * 3 + codes[:, 1], minlength=6).reshape(2, 3) / len(codes)
    assert table.values.sum() == pytest.approx(1)
    assert np.all(np.abs(table.values - truth) < 5 * table.standard_errors + 0.01)
    alone = second.table(["a", "b"]).standard_errors
    assert table.standard_errors.mean() < alone.mean()


def test_a_pool_of_one_is_that_crowd():
    first, _, _ = two_parties(500, 3)
    np.testing.assert_array_equal(
        cf.Crowd.pool([first]).table(["a"]).values, first.table(["a"]).values
    )


def test_a_node_of_a_pool_crosses_all_batches():
    first, second, _ = two_parties(500, 3)
    node = cf.Crowd.pool([first, second]).given({"b": "x"})
    expected = [c.given({"b": "x"}).cross("a", ["a"])["a"] for c in (first, second)]
    np.testing.assert_allclose(node.cross("a", ["a"])["a"], np.mean(expected, axis=0), atol=1e-12)


def test_what_cannot_be_pooled_is_refused():
    first, _, _ = two_parties(200, 3)
    other = cf.Crowd(cf.Design([cf.YesNo("a")]), np.array([0, 1]))
    with pytest.raises(cf.QueryError, match="same questions"):
        cf.Crowd.pool([first, other])
    with pytest.raises(cf.QueryError, match="no crowds"):
        cf.Crowd.pool([])
    with pytest.raises(cf.QueryError, match="precision"):
        cf.Crowd.pool([first], by="luck")
    with pytest.raises(cf.QueryError, match="whole crowds"):
        cf.Crowd.pool([first.given({"a": 1})])


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("clear", [5, 40])
def test_few_reports_that_are_alike_are_not_taken_for_exact(clear):
    """A share of .05 from 2,000 disguised and few clear reports, by precision.

    In 100 surveys the 95 % interval covers at least 88 %, three standard errors below.
    """
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(0.75))])
    true = cf.Design([cf.YesNo("a")])
    generator, covered = np.random.default_rng(1), 0
    for seed in range(100):
        a, b = (generator.random((n, 1)) < 0.05 for n in (2_000, clear))
        crowds = [cf.Crowd(design, design.disguise(a, seed=seed)), cf.Crowd(true, b)]
        low, high = cf.Crowd.pool(crowds, by="precision").proportion({"a": "yes"}).interval()
        covered += low <= 0.05 <= high
    assert covered >= 88
