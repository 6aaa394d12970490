"""The scorer, importances and names that scikit-learn's tools ask for."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier
from support.designs import labelled, random_codes

import confide as cf

NAMES = ["y", "a", "b", "c"]
DESIGN = cf.Design(
    [cf.YesNo(name) for name in NAMES],
    [cf.Group(["y"], cf.RelatedQuestion("7/10")), cf.Group(["a", "b"], cf.RelatedQuestion("4/5"))],
)


def people(rows, seed):
    """y is a or b, nine times in ten; c is idle."""
    generator = np.random.default_rng(seed)
    table = generator.integers(0, 2, (rows, 4))
    table[:, 0] = (table[:, 1] | table[:, 2]) ^ (generator.random(rows) < 0.1)
    return table


def literal(**given):
    return cf.DisguisedTreeClassifier(DESIGN, "y", method="literal", **given)


@pytest.mark.parametrize("before", [(), (FunctionTransformer(),)], ids=["alone", "after a step"])
def test_a_learner_in_a_pipeline_is_scored_as_it_is_alone(before):
    reports = pd.DataFrame(DESIGN.disguise(people(600, 1), seed=2), columns=NAMES)
    given = (reports[NAMES[1:]], reports["y"])
    scorer, tree = cf.disguised_scorer(DESIGN), literal(max_depth=1)
    alone = cross_val_score(tree, *given, scoring=scorer, cv=2)
    piped = cross_val_score(make_pipeline(*before, tree), *given, scoring=scorer, cv=2)
    np.testing.assert_array_equal(piped, alone)


@pytest.mark.slow
def test_weights_of_a_search_count_in_its_scores():
    reports = pd.DataFrame(DESIGN.disguise(people(1_000, 1), seed=2), columns=NAMES)
    weight, scorer = 1.0 + 4 * reports["c"].to_numpy(), cf.disguised_scorer(DESIGN)
    crowd = cf.Crowd(DESIGN, reports.assign(w=weight), weights="w")
    tree = literal(max_depth=2).fit(crowd)
    found = scorer(tree, reports[NAMES[1:]], reports["y"], sample_weight=weight)
    assert found == tree.score_disguised(crowd).value
    assert found != scorer(tree, reports)
    search = GridSearchCV(literal(), {"max_depth": [1, 2]}, scoring=scorer, cv=KFold(2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        search.fit(reports[NAMES[1:]], reports["y"], sample_weight=weight)
    halves = [np.arange(500), np.arange(500, 1_000)]
    scores = []
    for test, train in (halves, halves[::-1]):
        crowds = [
            cf.Crowd(DESIGN, reports.iloc[i].assign(w=weight[i]), weights="w")
            for i in (train, test)
        ]
        scores.append(literal(max_depth=1).fit(crowds[0]).score_disguised(crowds[1]).value)
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(scores))


@pytest.mark.slow
@pytest.mark.statistical
def test_the_scorer_tells_the_truth_inside_cross_validation_and_searches():
    """20,000 reports: within four standard errors of the accuracy that only a simulation knows.

    The twin: without the scorer the same cross-validation is far off, and says so."""
    answers = people(20_000, 1)
    reports = DESIGN.disguise(answers, seed=2)
    scorer = cf.disguised_scorer(DESIGN)
    truth = literal().fit(reports).score(answers[:, 1:], answers[:, 0])
    error = literal().fit(reports).score_disguised(reports).standard_error
    together = cross_val_score(literal(), reports, scoring=scorer)
    apart = cross_val_score(literal(), reports[:, 1:], reports[:, 0], scoring=scorer, cv=KFold(5))
    np.testing.assert_allclose(together, apart, atol=1e-12)
    assert abs(together.mean() - truth) < 4 * error
    frame = pd.DataFrame(reports, columns=NAMES)
    search = GridSearchCV(literal(), {"max_depth": [1, 2]}, scoring=scorer).fit(frame)
    assert search.best_params_ == {"max_depth": 2}
    assert abs(search.best_score_ - truth) < 4 * error
    with pytest.warns(UserWarning, match=r"give scoring=confide\.disguised_scorer\(design\)"):
        wrong = cross_val_score(literal(), reports[:, 1:], reports[:, 0])
    assert abs(wrong.mean() - truth) > 20 * error


def test_clear_answers_are_scored_without_a_warning():
    answers = people(500, 1)
    tree = literal().fit(DESIGN.disguise(answers, seed=2))
    clear = cf.DisguisedTreeClassifier(cf.Design(DESIGN.questions), "y")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert tree.score(answers[:, 1:], answers[:, 0]) > 0.5
        assert clear.fit(answers[:, 1:], answers[:, 0]).score(answers[:, 1:], answers[:, 0]) > 0.8
    with pytest.raises(cf.ModelError, match="score takes clear answers and their labels"):
        tree.score(answers)


def test_the_scorer_refuses_what_it_cannot_score_in_one_line():
    scorer = cf.disguised_scorer(DESIGN)
    reports = DESIGN.disguise(people(100, 1), seed=2)
    assert pickle.loads(pickle.dumps(scorer)) == scorer
    for model in (LogisticRegression(), cf.DisguisedTreeClassifier()):
        with pytest.raises(cf.ModelError, match="scores learners of confide"):
            scorer(model, reports)
    with pytest.raises(cf.ModelError, match="design must be"):
        cf.disguised_scorer("survey.toml")


@pytest.mark.parametrize("kind", [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes])
def test_importances_are_what_is_lost_when_true_answers_are_dealt_anew(kind):
    """Without a disguise: everybody's answer replaced by each value, as often as it is given."""
    design = cf.Design([cf.YesNo("y"), cf.Choice("a", ["u", "v", "w"]), cf.YesNo("b")])
    codes = random_codes(design, 150, 3)
    table = labelled(design, codes)
    model = kind(design, "y").fit(table)
    found = model.importances_disguised(table)
    frame = table.to_pandas()
    right = (model.predict(frame) == frame["y"]).mean()
    for name in ("a", "b"):
        dealt = sum(
            share * (model.predict(frame.assign(**{name: value})) == frame["y"]).mean()
            for value, share in frame[name].value_counts(normalize=True).items()
        )
        assert found[name].value == pytest.approx(right - dealt, abs=1e-9)


@pytest.mark.slow
@pytest.mark.statistical
def test_importances_from_disguised_reports_are_those_of_clear_ones():
    """Within four standard errors; an idle question is worth nothing."""
    answers, fresh = people(8_000, 1), people(8_000, 3)
    model = literal(max_depth=2).fit(DESIGN.disguise(answers, seed=2))
    hidden = model.importances_disguised(DESIGN.disguise(fresh, seed=4))
    clear = cf.Crowd(cf.Design(DESIGN.questions), fresh)
    known = model.importances_disguised(clear)
    for name in ("a", "b"):
        error = hidden[name].standard_error
        assert 0 < error < 0.1
        assert abs(hidden[name].value - known[name].value) < 4 * error
        assert hidden[name].value > 4 * error
    assert hidden["c"].value == hidden["c"].standard_error == 0


def test_importances_by_regions_are_those_by_cells(monkeypatch):
    from confide.mining import linear_means

    reports = DESIGN.disguise(people(300, 1), seed=2)
    model = literal().fit(reports)
    whole = model.importances_disguised(reports)
    monkeypatch.setattr(linear_means, "DENSE_CELLS", 1)
    monkeypatch.setattr(linear_means, "MOST_PARTS", 1)
    parts = model.importances_disguised(reports)
    for name, found in parts.items():
        assert found.value == pytest.approx(whole[name].value, abs=1e-9)
        assert found.standard_error == pytest.approx(whole[name].standard_error, abs=1e-9)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_gains_are_those_of_scikit_learn_on_clear_yes_no_answers(criterion):
    answers = people(400, 1)
    ours = cf.DisguisedTreeClassifier(cf.Design(DESIGN.questions), "y", criterion=criterion)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, max_depth=2)
    ours.set_params(max_depth=2).fit(answers)
    theirs.fit(answers[:, 1:], answers[:, 0])
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)
    assert ours.feature_names_in_.tolist() == ["a", "b", "c"]


def test_names_of_features_are_known_with_a_design_and_kept_in_files(tmp_path):
    reports = DESIGN.disguise(people(200, 1), seed=2)
    for kind in (cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes):
        model = kind(DESIGN, "y", method="literal").fit(reports)
        model.save(tmp_path / "model.json")
        for each in (model, cf.load_model(tmp_path / "model.json")):
            assert each.feature_names_in_.tolist() == ["a", "b", "c"]
