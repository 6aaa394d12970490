"""The likelihood estimator against a direct maximisation and against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from support.designs import designs, labelled, random_codes, whole_matrix

import confide as cf
from confide.crowd import _subpopulation as part
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


def test_inside_the_simplex_it_is_the_inverse():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(0.75))])
    crowd = cf.Crowd(design, np.repeat([1, 0], [400, 600]))
    inverse, likelihood = (crowd.table(["a"], method=m) for m in ("inverse", "likelihood"))
    np.testing.assert_allclose(likelihood.values, inverse.values, atol=1e-8)
    np.testing.assert_allclose(likelihood.standard_errors, inverse.standard_errors, rtol=1e-6)


def test_outside_the_simplex_the_inverse_says_so_and_the_likelihood_stops_at_zero():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion(0.75))])
    crowd = cf.Crowd(design, np.repeat([1, 0], [200, 800]))
    inverse = crowd.proportion({"a": "yes"}, method="inverse")
    assert inverse.value == pytest.approx(-0.1)
    assert not inverse.possible
    assert "outside" in repr(inverse)
    likely = crowd.proportion({"a": "yes"}, method="likelihood")
    assert 0 <= likely.value < 1e-6
    assert likely.standard_error > 0


def test_a_likelihood_share_within_a_sub_population_is_the_ratio_of_its_cells():
    design = cf.Design(
        [cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"])],
        [cf.Group(["a"], cf.RelatedQuestion(0.8)), cf.Group(["b"], cf.RandomizedChoice(0.7))],
    )
    crowd = cf.Crowd(design, labelled(design, random_codes(design, 3000, 2)))
    joint = crowd.table(["a", "b"], method="likelihood").values
    part = crowd.given({"a": "no"}).table(["b"], method="likelihood").values
    np.testing.assert_allclose(part, joint[0] / joint[0].sum(), atol=1e-6)


def test_weighted_patterns_are_the_likelihood_table_and_train_a_model():
    from sklearn.linear_model import LogisticRegression

    design = cf.Design(
        [cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"]), cf.YesNo("y")],
        [cf.Group(["a", "y"], cf.RelatedQuestion(0.8))],
    )
    codes = random_codes(design, 2000, 4)
    crowd = cf.Crowd(design, labelled(design, codes))
    X, y, weight = crowd.weighted("y")
    table = crowd.table(["a", "b", "y"], method="likelihood").values
    assert weight.min() > 0
    assert weight.sum() == pytest.approx(crowd.n)
    for row, label, w in zip(X.astype(int), y, weight, strict=True):
        assert w / crowd.n == pytest.approx(table[row[0], row[1], int(label == "yes")], abs=1e-6)
    assert LogisticRegression().fit(X, y, sample_weight=weight).score(X, y) > 0


def test_patterns_beyond_a_table_weigh_the_same_as_the_table(monkeypatch):
    """The orbit-wise likelihood arrives where the dense one does."""
    design = cf.Design(
        [cf.YesNo(f"q{i}") for i in range(5)],
        [
            cf.Group(["q0", "q1", "q2"], cf.RelatedQuestion(0.8)),
            cf.Group(["q3", "q4"], cf.RelatedQuestion(0.7)),
        ],
    )
    crowd = cf.Crowd(design, labelled(design, random_codes(design, 2000, 3)))
    observed = [ReportedTable.of(batch, design.names) for batch in crowd.counts]
    truth = maximise_likelihood(observed, np.full((2,) * 5, 1 / 32))
    monkeypatch.setattr(part, "DENSE_CELLS", 4)
    X, y, weight = crowd.weighted("q4")
    found = np.zeros((2,) * 5)
    found[(*X.astype(int).T, (y == "yes").astype(int))] = weight / crowd.n
    np.testing.assert_allclose(found, truth, atol=1e-9)
