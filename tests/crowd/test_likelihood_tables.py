"""The likelihood tables of a crowd, and the weighted patterns that come from them."""

from __future__ import annotations

import numpy as np
import pytest
from support.designs import labelled, random_codes

import confide as cf
from confide.crowd import _subpopulation as part
from confide.estimators.expectation_maximisation import ReportedTable, maximise_likelihood


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
    patterns = crowd.weighted("y")
    X, y, weight = patterns
    assert patterns.names == ("a", "b = x", "b = y", "b = z")
    assert (X[:, 1:].sum(axis=1) == 1).all()
    table = crowd.table(["a", "b", "y"], method="likelihood").values
    assert weight.min() > 0
    assert weight.sum() == pytest.approx(crowd.n)
    for row, label, w in zip(X.astype(int), y, weight, strict=True):
        cell = row[0], row[1:].argmax(), int(label == "yes")
        assert w / crowd.n == pytest.approx(table[cell], abs=1e-6)
    assert LogisticRegression().fit(X, y, sample_weight=weight).score(X, y) > 0


def test_what_has_an_order_or_two_options_is_one_column_of_weighted_patterns():
    questions = [
        cf.Choice("often", ["never", "once", "twice"], ordered=True),
        cf.Choice("side", ["left", "right"]),
        cf.Number("age", 16, 80),
        cf.YesNo("y"),
    ]
    design = cf.Design(questions)
    crowd = cf.Crowd(
        design,
        labelled(design, random_codes(design, 50, 1))
        .drop(["age"])
        .append_column("age", [[20.0, 30.0] * 25]),
    )
    patterns = crowd.weighted("y")
    assert patterns.names == ("often", "side = right", "age")
    assert set(patterns[0][:, 0]) <= {0, 1, 2} and set(patterns[0][:, 1]) <= {0, 1}
    right = patterns[2] @ patterns[0][:, 1]
    assert right == pytest.approx(50 * crowd.proportion({"side": "right"}).value)


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
