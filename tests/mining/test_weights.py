"""Models of a crowd with weights are those of rows repeated, and its errors those of the sample."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf

NAMES = ["y", "a", "b", "c"]
DESIGN = cf.Design(
    [cf.YesNo(name) for name in NAMES],
    [cf.Group(["y", "a"], cf.RelatedQuestion("4/5")), cf.Group(["b"], cf.RelatedQuestion("3/4"))],
)


@pytest.fixture(scope="module")
def reports():
    draw = np.random.default_rng(1)
    answers = draw.integers(0, 2, (900, 4))
    answers[:, 0] = np.where(draw.random(900) < 0.8, answers[:, 1] | answers[:, 2], answers[:, 0])
    found = pd.DataFrame(DESIGN.disguise(answers, seed=2), columns=NAMES)
    return found.assign(w=1 + 3 * found["c"], school=np.arange(900) % 30)


@pytest.fixture(scope="module")
def repeated(reports):
    return reports.loc[np.repeat(reports.index, reports["w"])]


def weigh(reports, **columns):
    return cf.Crowd(DESIGN, reports, weights="w", **columns)


def test_naive_bayes_learns_from_weights_as_from_rows_repeated(reports, repeated):
    model = cf.DisguisedNaiveBayes(DESIGN, "y", method="literal")
    expected = model.fit(repeated).likelihood_, model.prior_
    found = model.fit(weigh(reports, clusters="school")).likelihood_, model.prior_
    for one, other in zip(found[0], expected[0], strict=True):
        np.testing.assert_allclose(one, other, atol=1e-9)
    np.testing.assert_allclose(found[1], expected[1], atol=1e-9)


def test_a_tree_learns_from_weights_as_from_rows_repeated(reports, repeated):
    tree = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal", max_depth=3)
    expected = tree.fit(repeated).tree_
    found = tree.fit(weigh(reports)).tree_
    np.testing.assert_array_equal(found.question, expected.question)
    np.testing.assert_allclose(found.shares, expected.shares, atol=1e-9)
    assert (tree.node_shares_[1:, 1] > 0).all()  # the root is everybody


@pytest.mark.slow
def test_rules_and_scores_take_weights_and_have_the_errors_of_the_sample(reports, repeated):
    rules = cf.DisguisedRules(DESIGN, min_support=0.15)
    expected = {repr(r.antecedent) + repr(r.consequent): r for r in rules.fit(repeated).rules_}
    found = rules.fit(weigh(reports, clusters="school")).rules_
    assert len(found) == len(expected) > 0
    for rule in found:
        same = expected[repr(rule.antecedent) + repr(rule.consequent)]
        for name in ("support", "confidence", "lift"):
            assert getattr(rule, name).value == pytest.approx(getattr(same, name).value, abs=1e-9)
    tree = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal", max_depth=2).fit(repeated)
    score = tree.score_disguised(weigh(reports))
    naive = tree.score_disguised(repeated)
    assert score.value == pytest.approx(naive.value, abs=1e-9)
    assert score.standard_error > 1.2 * naive.standard_error
    evaluated = tree.evaluate_disguised(weigh(reports))
    assert evaluated.log_loss.value == pytest.approx(
        tree.evaluate_disguised(repeated).log_loss.value, abs=1e-9
    )


@pytest.mark.slow
def test_the_default_method_learns_of_the_population_not_of_the_sample():
    """Half of the sample has c, but only a tenth of the population: there y goes with a."""
    draw = np.random.default_rng(3)
    answers = draw.integers(0, 2, (6_000, 4))
    answers[:, 0] = np.where(answers[:, 3] == 1, 1 - answers[:, 1], answers[:, 1])
    found = pd.DataFrame(DESIGN.disguise(answers, seed=4), columns=NAMES)
    found["w"] = np.where(found["c"] == 1, 1.0, 9.0)
    for learner in (cf.DisguisedNaiveBayes, cf.DisguisedTreeClassifier):
        model = learner(DESIGN, "y").fit(weigh(found))
        plain = learner(DESIGN, "y").fit(found)
        truth = answers[answers[:, 3] == 0][:500]
        assert (model.predict(truth[:, 1:]) == truth[:, 0]).mean() > 0.95
        assert plain.n_ == model.n_ == 6_000
    shares = model.tree_.shares[0]
    crowd = weigh(found)
    assert shares[1] / shares.sum() == pytest.approx(crowd.proportion({"y": "yes"}).value, abs=0.05)


def test_what_deals_people_into_folds_takes_no_weights(reports):
    model = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal")
    with pytest.raises(cf.QueryError, match="weights, strata or clusters"):
        cf.cross_validate_disguised(model, weigh(reports))
