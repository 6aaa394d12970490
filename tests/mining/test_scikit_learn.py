"""The learners as scikit-learn's own classifiers."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError, SkipTestWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator
from support.designs import random_codes

import confide as cf

LEARNERS = [
    cf.DisguisedTreeClassifier(),
    cf.DisguisedTreeClassifier(criterion="gini"),
    cf.DisguisedNaiveBayes(),
]


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_every_check_of_scikit_learn_passes_with_the_other_criterion_too():
    with pytest.warns(SkipTestWarning):  # the array interface of other libraries, not installed
        check_estimator(cf.DisguisedTreeClassifier(criterion="gini"))


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_they_work_in_pipelines_and_searches(learner):
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), clone(learner))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.85
    grid = {"max_depth": [1, 3]} if hasattr(learner, "max_depth") else {"smoothing": [0.1, 100.0]}
    best = GridSearchCV(clone(learner), grid, cv=3).fit(X, y).best_params_
    assert best in ({"max_depth": 3}, {"smoothing": 0.1})


def test_a_clone_has_the_same_parameters_and_no_memory():
    design = cf.Design([cf.YesNo("y"), cf.YesNo("a")])
    tree = cf.DisguisedTreeClassifier(design, "y", max_depth=3, method="literal")
    tree.fit(random_codes(design, 50, 1))
    copy = clone(tree)
    assert copy.get_params() == tree.get_params()
    assert not hasattr(copy, "tree_")


def test_columns_of_texts_are_choices_and_their_names_are_remembered():
    frame = pd.DataFrame({"town": ["Bern", "Rome", "Bern", "Oslo"] * 20, "age": range(80)})
    y = np.where(frame["town"] == "Bern", "north", "south")
    tree = cf.DisguisedTreeClassifier().fit(frame, y)
    assert tree.feature_names_in_.tolist() == ["town", "age"]
    assert (tree.predict(frame) == y).all()
    with pytest.raises(cf.ModelError, match="'town' has 1 value"):
        tree.predict(pd.DataFrame({"town": ["Lima"], "age": [3]}))


def test_features_and_labels_may_come_apart_under_a_design():
    design = cf.Design([cf.YesNo("a"), cf.YesNo("y"), cf.YesNo("b")])
    codes = random_codes(design, 200, 1)
    X, y = codes[:, [0, 2]], codes[:, 1]
    whole = cf.DisguisedTreeClassifier(design, "y").fit(codes)
    apart = cf.DisguisedTreeClassifier(design, "y").fit(X, y)
    np.testing.assert_array_equal(whole.tree_.shares, apart.tree_.shares)
    framed = cf.DisguisedTreeClassifier(design, "y").fit(
        pd.DataFrame({"a": X[:, 0], "b": X[:, 1]}), y
    )
    np.testing.assert_array_equal(whole.tree_.shares, framed.tree_.shares)
    assert whole.score(X, y) == framed.score(pd.DataFrame({"b": X[:, 1], "a": X[:, 0]}), y)


def test_classes_come_back_in_the_kind_they_came_in():
    design = cf.Design([cf.YesNo("y"), cf.YesNo("a")])
    codes = random_codes(design, 60, 1)
    words = pd.DataFrame(np.array(["no", "yes"])[codes], columns=["y", "a"])
    truths = pd.DataFrame(codes.astype(bool), columns=["y", "a"])
    for reports, kind in ((codes, "i"), (words, "U"), (truths, "b")):
        model = cf.DisguisedNaiveBayes(design, "y").fit(reports)
        assert model.predict(words).dtype.kind == model.classes_.dtype.kind == kind


def test_a_pool_of_disguised_and_true_data_trains_like_any_crowd():
    questions = [cf.YesNo(n) for n in ("y", "a", "b")]
    hidden = cf.Design(questions, [cf.Group(["y", "a"], cf.RelatedQuestion("4/5"))])
    clear = cf.Design(questions)
    answers = random_codes(clear, 3000, 1)
    pool = cf.Crowd.pool(
        [cf.Crowd(hidden, hidden.disguise(answers[:1500], seed=2)), cf.Crowd(clear, answers[1500:])]
    )
    tree = cf.DisguisedTreeClassifier(hidden, "y", method="literal").fit(pool)
    table = pool.table(["a", "y"]).values
    np.testing.assert_allclose(tree.tree_.shares[0], table.sum(axis=0), atol=1e-10)
    assert tree.n_ == 3000
    assert (
        cf.DisguisedNaiveBayes(hidden, "y", method="literal").fit(pool).score_disguised(pool).n
        == 3000
    )


@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_whole_numbers_of_many_values_are_cut_like_any_number(learner):
    X = np.column_stack([np.arange(500), np.random.default_rng(1).integers(0, 2, 500)])
    y = (X[:, 0] > 250).astype(int)
    assert clone(learner).fit(X, y).score(X, y) > 0.97


def test_a_missing_text_is_called_missing():
    frame = pd.DataFrame({"town": ["Bern", None, "Rome", "Oslo"]})
    with pytest.raises(cf.ModelError, match="'town' has missing values"):
        cf.DisguisedTreeClassifier().fit(frame, [0, 1, 0, 1])


@pytest.mark.parametrize("kind", [float, object])
def test_zeros_and_ones_of_any_kind_come_back_as_numbers(kind):
    design = cf.Design([cf.YesNo("y"), cf.YesNo("a")])
    table = random_codes(design, 80, 1)
    X, y = table[:, 1:].astype(kind), table[:, 0]
    tree = cf.DisguisedTreeClassifier(design, "y").fit(X, y)
    assert tree.classes_.tolist() == [0, 1]
    assert tree.score(X, y) >= 0.5


def test_what_failed_to_fit_is_not_fitted():
    design = cf.Design([cf.YesNo("y"), cf.YesNo("a")])
    tree = cf.DisguisedTreeClassifier(design, "y", criterion="bad")
    table = random_codes(design, 80, 1)
    with pytest.raises(cf.ModelError, match="criterion"):
        tree.fit(table)
    with pytest.raises(NotFittedError):
        tree.predict(table[:, 1:])
    with pytest.raises(cf.ModelError, match="criterion"):
        tree.set_params(criterion="gini").fit(table).set_params(criterion="bad").fit(table)
    with pytest.raises(NotFittedError):
        tree.predict(table[:, 1:])
