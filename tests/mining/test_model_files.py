"""Models survive their files."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from sklearn.datasets import load_iris
from support.designs import labelled, random_codes

import confide as cf
from confide.mining.likely_accuracy import Accuracy
from confide.mining.stored_estimate import StoredInterval

DESIGN = cf.Design(
    [cf.YesNo("y"), cf.YesNo("a"), cf.Choice("b", ["u", "v", "w"]), cf.Number("age", 16, 80)],
    [cf.Group(["y", "a"], cf.RelatedQuestion("4/5"))],
)


def table(rows, seed):
    codes = random_codes(DESIGN, rows, seed)
    return labelled(DESIGN, codes).set_column(3, "age", [(16 + codes[:, 3] * 0.6).tolist()])


@pytest.mark.parametrize("learner", [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes])
def test_a_loaded_model_predicts_and_scores_as_the_saved_one(learner, tmp_path):
    model = learner(DESIGN, "y", method="literal").fit(table(500, 1))
    score = model.score_disguised(table(300, 2))
    model.save(tmp_path / "model.json", accuracy=score)
    loaded = cf.load_model(tmp_path / "model.json")
    assert type(loaded) is learner
    assert loaded.design == DESIGN and loaded.n_ == 500
    assert loaded.accuracy_ == score
    np.testing.assert_array_equal(loaded.predict(table(90, 3)), model.predict(table(90, 3)))
    np.testing.assert_allclose(
        loaded.predict_proba(table(90, 3)), model.predict_proba(table(90, 3))
    )
    assert loaded.score_disguised(table(300, 2)) == score


@pytest.mark.parametrize("learner", [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes])
def test_a_model_of_ordinary_data_survives_too(learner, tmp_path):
    X, y = load_iris(return_X_y=True)
    model = learner().fit(X, y)
    model.save(tmp_path / "model.json")
    loaded = cf.load_model(tmp_path / "model.json")
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    assert loaded.accuracy_ is None


def test_a_file_says_what_the_documentation_promises(tmp_path):
    model = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal").fit(table(400, 1))
    model.save(tmp_path / "tree.json")
    contents = json.loads((tmp_path / "tree.json").read_text())
    assert contents["fingerprint"] == DESIGN.fingerprint
    assert contents["n"] == 400
    assert contents["design"]["group"][0]["truth"] == "4/5"
    assert set(contents) == {
        *("format", "version", "kind", "design", "fingerprint", "places", "target", "features"),
        *("classes", "class_kind", "n", "accuracy", "parameters", "learned", "intervals"),
        "checksum",
    }


def test_node_counts_are_those_of_the_crowd_and_travel_with_the_model(tmp_path):
    reports = table(400, 1)
    model = cf.DisguisedTreeClassifier(DESIGN, "y", method="literal", max_depth=2).fit(reports)
    first = model.features_[model.tree_.question[0]]
    crowd = cf.Crowd(DESIGN, reports)
    for codes, child in model.tree_.branches(0):
        if len(codes) == 1:
            value = DESIGN.question(first).labels[codes[0]]
            estimate = crowd.proportion({first: value})
            expected = [estimate.value, estimate.standard_error]
            np.testing.assert_allclose(model.node_shares_[child], expected, atol=1e-12)
            assert model.tree_.shares[child].sum() == pytest.approx(estimate.value, abs=1e-12)
    model.save(tmp_path / "tree.json")
    loaded = cf.load_model(tmp_path / "tree.json")
    np.testing.assert_allclose(loaded.node_shares_, model.node_shares_)


def test_a_loaded_model_knows_the_names_of_its_columns(tmp_path):
    X, y = load_iris(return_X_y=True, as_frame=True)
    cf.DisguisedTreeClassifier().fit(X, y).save(tmp_path / "tree.json")
    loaded = cf.load_model(tmp_path / "tree.json")
    with pytest.raises(ValueError, match="feature names"):
        loaded.predict(X[X.columns[::-1]])


def test_the_most_likely_accuracy_travels_with_one_that_hardly_tells(tmp_path):
    model = cf.DisguisedNaiveBayes(DESIGN, "y", method="literal").fit(table(300, 1))
    told = Accuracy(-90.0, 30.0, 100, how=StoredInterval(-90.0, 0.0, 1.0), find_likely=lambda: 0.7)
    model.save(tmp_path / "a.json", accuracy=told)
    cf.load_model(tmp_path / "a.json").save(tmp_path / "b.json")
    loaded = pickle.loads(pickle.dumps(cf.load_model(tmp_path / "b.json")))
    assert loaded.accuracy_.likely == 0.7
    assert repr(loaded.accuracy_) == repr(told)


@pytest.mark.slow
def test_the_accuracy_travels_on_when_a_loaded_model_is_saved_again(tmp_path):
    model = cf.DisguisedTreeClassifier(DESIGN, "y", max_depth=np.int64(2)).fit(table(300, 1))
    model.save(tmp_path / "a.json", accuracy=cf.Estimate(0.8, 0.01, 100))
    cf.load_model(tmp_path / "a.json").save(tmp_path / "b.json")
    loaded = cf.load_model(tmp_path / "b.json")
    assert loaded.accuracy_ == cf.Estimate(0.8, 0.01, 100)
    assert loaded.max_depth == 2
    assert loaded.fit(table(300, 2)).accuracy_ is None
