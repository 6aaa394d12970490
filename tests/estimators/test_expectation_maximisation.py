"""The likelihood estimator against a direct maximisation and against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from support.designs import designs, labelled, random_codes, whole_matrix
from support.properties import examples

import confide as cf
from confide.estimators.expectation_maximisation import ReportedTable, em_step, maximise_likelihood


def log_likelihood(batches, truth):
    return sum(
        batch.n * np.sum(batch.shares * np.log(np.maximum(batch.channel.apply(truth), 1e-300)))
        for batch in batches
    )


@examples(60)
@given(designs(most_questions=3), st.integers(0, 2**31))
def test_every_step_raises_the_likelihood_and_keeps_a_distribution(design, seed):
    crowd = cf.Crowd(design, labelled(design, random_codes(design, 200, seed)))
    observed = [ReportedTable.of(batch, design.names) for batch in crowd.counts]
    truth = np.full(observed[0].channel.shape, 1 / np.prod(observed[0].channel.shape))
    for _ in range(5):
        better = em_step(observed, truth)
        assert log_likelihood(observed, better) >= log_likelihood(observed, truth) - 1e-9
        assert better.min() >= 0
        assert better.sum() == pytest.approx(1)
        truth = better


def factors(batches, truth):
    """By how much a step of expectation–maximisation would multiply each share."""
    total = sum(batch.n for batch in batches)
    found = 0
    for batch in batches:
        expected = batch.channel.apply(truth)
        ratio = np.divide(batch.shares, expected, out=np.zeros_like(expected), where=expected > 0)
        found = found + batch.n / total * batch.channel.apply_transpose(ratio)
    return found


@examples(60)
@given(designs(most_questions=3), st.sampled_from([1, 5, 30, 300]), st.integers(0, 2**31))
def test_the_maximum_satisfies_the_conditions_of_a_maximum(design, people, seed):
    """At the top of a concave function on the simplex no cell's gradient exceeds n."""
    crowd = cf.Crowd(design, labelled(design, random_codes(design, people, seed)))
    observed = [ReportedTable.of(batch, design.names) for batch in crowd.counts]
    truth = maximise_likelihood(observed)
    assert truth.min() >= 0
    assert truth.sum() == pytest.approx(1)
    gradient = factors(observed, truth)
    assert gradient.max() < 1 + 1e-9
    np.testing.assert_allclose(gradient[truth > 0], 1, atol=1e-9)


def yes_no_reports(truth, count, groups, people=5_000):
    names = [f"q{i}" for i in range(count)]
    parts = np.array_split(names, groups)
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part.tolist(), cf.RelatedQuestion(truth)) for part in parts],
    )
    generator = np.random.default_rng(1)
    kind = generator.random((people, 1)) < 0.4
    answers = (generator.random((people, count)) < np.where(kind, 0.15, 0.6)).astype(int)
    return ReportedTable.of(cf.Counts.of(design, design.disguise(answers, seed=2)), names)


@pytest.mark.slow
@pytest.mark.parametrize("truth", [0.51, 0.55, 0.7])
@pytest.mark.parametrize("groups", [1, 2, 8])
def test_no_table_is_likelier_also_where_coins_hide_much(truth, groups):
    """By concavity no table's log-likelihood is larger by more than n·log max factor.

    Steps of expectation–maximisation alone stop short: 10,000 of them by 0.1 at 0.55, 8 groups.
    """
    batch = yes_no_reports(truth, 8, groups)
    found = maximise_likelihood([batch])
    assert batch.n * np.log(factors([batch], found).max()) < 1e-6
    stepped = np.full_like(found, 1 / found.size)
    for _ in range(200):
        stepped = em_step([batch], stepped)
    assert batch.n * np.log(factors([batch], stepped).max()) > 1e-3


@pytest.mark.parametrize("people", [30, 2_000])
def test_batches_under_two_designs_have_the_maximum_that_scipy_finds(people):
    batches = [yes_no_reports(0.6, 3, 3, people), yes_no_reports(0.8, 3, 1, people)]
    found = maximise_likelihood(batches)

    def loss(logits):
        table = np.exp(logits - logits.max())
        return -log_likelihood(batches, (table / table.sum()).reshape(2, 2, 2))

    best = minimize(loss, np.zeros(8), method="BFGS", options={"gtol": 1e-9, "maxiter": 5_000})
    assert log_likelihood(batches, found) >= -best.fun - 1e-9
    table = np.exp(best.x - best.x.max()).reshape(2, 2, 2)
    np.testing.assert_allclose(found, table / table.sum(), atol=1e-3)


def test_it_equals_a_direct_maximisation_on_a_small_table():
    design = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b")], [cf.Group(["a", "b"], cf.RelatedQuestion(0.6))]
    )
    codes = np.array([[1, 1]] * 30 + [[0, 0]] * 25 + [[1, 0]] * 3 + [[0, 1]] * 2)
    found = cf.Crowd(design, codes).table(["a", "b"], method="likelihood").values
    matrix, _ = whole_matrix(design)
    observed = np.array([25, 2, 3, 30])

    def loss(z):
        p = np.exp(z - z.max())
        return -observed @ np.log(matrix @ (p / p.sum()))

    best = min((minimize(loss, start) for start in np.eye(4)), key=lambda r: r.fun).x
    p = np.exp(best - best.max())
    np.testing.assert_allclose(found.ravel(), p / p.sum(), atol=2e-3)
