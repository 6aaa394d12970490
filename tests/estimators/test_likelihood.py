"""The likelihood estimator against a direct maximisation and against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from support.designs import designs, labelled, random_codes, whole_matrix

import confide as cf
from confide.estimators.likelihood import ReportedTable, em_step, maximise_likelihood


def log_likelihood(batches, truth):
    return sum(
        batch.n * np.sum(batch.shares * np.log(np.maximum(batch.channel.apply(truth), 1e-300)))
        for batch in batches
    )


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=40, deadline=None)
@given(designs(most_questions=3), st.integers(0, 2**31))
def test_the_maximum_satisfies_the_conditions_of_a_maximum(design, seed):
    """At the top of a concave function on the simplex no cell's gradient exceeds n."""
    crowd = cf.Crowd(design, labelled(design, random_codes(design, 300, seed)))
    observed = [ReportedTable.of(batch, design.names) for batch in crowd.counts]
    truth = maximise_likelihood(observed)
    (batch,) = observed
    expected = batch.channel.apply(truth)
    ratio = np.divide(batch.shares, expected, out=np.zeros_like(expected), where=expected > 0)
    gradient = batch.channel.apply_transpose(ratio)
    assert gradient.max() < 1 + 1e-4
    np.testing.assert_allclose(gradient[truth > 1e-3], 1, atol=1e-4)


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
