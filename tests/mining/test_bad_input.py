"""Every mistake is named in one clear line."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pytest
from support.designs import labelled, random_codes

import confide as cf
from confide.mining import model_envelope
from confide.mining.learners import LEARNERS

DESIGN = cf.Design(
    [cf.YesNo("y"), cf.YesNo("a"), cf.Choice("b", ["u", "v", "w"])],
    [cf.Group(["y", "a"], cf.RelatedQuestion("4/5"))],
)
REPORTS = labelled(DESIGN, random_codes(DESIGN, 300, 1))


@pytest.fixture(params=LEARNERS, ids=lambda kind: kind.__name__)
def learner(request):
    quick = {"method": "literal"} if "method" in request.param().get_params() else {}
    return partial(request.param, **quick)


def one_line(error):
    return "\n" not in str(error.value)


def test_a_target_that_is_not_asked(learner):
    with pytest.raises(cf.ModelError, match="target must be one of the questions y, a, b") as error:
        learner(DESIGN, "cheated").fit(REPORTS)
    assert one_line(error)


def test_a_target_that_is_a_number(learner):
    design = cf.Design([cf.Number("age", 0, 9), cf.YesNo("a")])
    with pytest.raises(cf.ModelError, match="age is a number"):
        learner(design, "age").fit(np.array([[1, 0], [2, 1], [3, 0]]))


def test_a_target_of_which_one_class_is_seen(learner):
    reports = labelled(DESIGN, np.zeros((50, 3), int))
    with pytest.raises(cf.ModelError, match="fewer than two classes of y") as error:
        learner(DESIGN, "y").fit(reports)
    assert one_line(error)


def test_a_target_asked_in_two_designs_under_different_names(learner):
    renamed = cf.Design(
        [cf.YesNo("class"), *DESIGN.questions[1:]],
        [cf.Group(["class", "a"], cf.RelatedQuestion("3/4"))],
    )
    crowds = cf.Crowd(DESIGN, REPORTS), cf.Crowd(renamed, REPORTS.rename_columns({"y": "class"}))
    with pytest.raises(cf.QueryError, match="crowd 1 and crowd 2 differ in y, class") as error:
        cf.Crowd.pool(crowds)
    assert one_line(error)
    with pytest.raises(cf.ModelError, match="they ask class, a, b; the model") as error:
        learner(DESIGN, "y").fit(crowds[1])
    assert one_line(error)


def test_nothing_to_predict_from(learner):
    design = cf.Design([cf.YesNo("y")])
    with pytest.raises(cf.ModelError, match="no question but y"):
        learner(design, "y").fit(np.array([0, 1, 1]))


def test_fewer_reports_than_questions(learner):
    with pytest.raises(cf.ModelError, match=r"2 reports are too few .* 3 questions") as error:
        learner(DESIGN, "y").fit(REPORTS.slice(0, 2))
    assert one_line(error)


def test_reports_with_unknown_values_are_counted_but_never_shown(learner):
    frame = REPORTS.to_pandas()
    frame.loc[3, "b"] = "secret"
    with pytest.raises(
        cf.ReportsError, match="column 'b' holds none of its options in 1 of 300"
    ) as error:
        learner(DESIGN, "y").fit(frame)
    assert one_line(error) and "secret" not in str(error.value)


def test_predicting_with_missing_columns(learner):
    model = learner(DESIGN, "y").fit(REPORTS)
    first = model.used_[0]
    with pytest.raises(cf.ModelError, match=f"lack the column '{first}'") as error:
        model.predict(pd.DataFrame({"a": ["no"], "b": ["u"]}).drop(columns=first))
    assert one_line(error)
    with pytest.raises(cf.ModelError, match="must have 2 columns"):
        model.predict(np.zeros((4, 5)))
    with pytest.raises(cf.ModelError, match="dataframe"):
        model.predict("answers.csv")
    with pytest.raises(cf.ModelError, match=r"dataframe in memory .* Got LazyFrame of polars"):
        model.predict(pl.LazyFrame({"a": ["no"], "b": ["u"]}))


def test_predicting_values_outside_the_design(learner):
    model = learner(DESIGN, "y").fit(REPORTS)
    with pytest.raises(cf.AnswersError, match="holds none of its options") as error:
        model.predict(pd.DataFrame({"a": ["perhaps"], "b": ["perhaps"]}))
    assert "perhaps" not in str(error.value)


def test_validation_reports_of_another_design(learner):
    model = learner(DESIGN, "y").fit(REPORTS)
    other = cf.Design(DESIGN.questions, [cf.Group(["y", "a"], cf.RelatedQuestion("9/10"))])
    with pytest.raises(cf.ReportsError, match="another design") as error:
        model.score_disguised(cf.Counts.of(other, REPORTS))
    assert one_line(error)
    strange = cf.Design([cf.YesNo("x"), cf.YesNo("z")])
    with pytest.raises(cf.ModelError, match="another survey"):
        model.score_disguised(cf.Crowd(strange, np.array([[0, 1], [1, 1]])))


def test_a_part_of_a_crowd(learner):
    part = cf.Crowd(DESIGN, REPORTS).given({"b": "u"})
    with pytest.raises(cf.ModelError, match="whole crowd; this is the part with b given"):
        learner(DESIGN, "y").fit(part)
    with pytest.raises(cf.ModelError, match="whole crowd"):
        learner(DESIGN, "y").fit(REPORTS).score_disguised(part)
    with pytest.raises(cf.ModelError, match="whole crowd"):
        cf.DisguisedRules(DESIGN).fit(part)


def test_a_column_may_be_called_anything(learner):
    design = cf.Design([cf.YesNo("y"), cf.YesNo("cells"), cf.YesNo("n")])
    frame = pd.DataFrame(random_codes(design, 90, 1), columns=["y", "cells", "n"])
    assert learner(design, "y").fit(frame).n_ == 90


def test_a_model_file_of_an_unknown_kind(file):

    contents = {**json.loads(file.read_text()), "kind": "oracle"}
    file.write_text(json.dumps({**contents, "checksum": model_envelope._checksum(contents)}))
    with pytest.raises(cf.ModelError, match="no sound model"):
        cf.load_model(file)


def test_unknown_options_of_the_learners():
    for wrong in ({"method": "magic"}, {"criterion": "chi"}, {"max_depth": 0}):
        with pytest.raises(cf.ModelError, match=next(iter(wrong))):
            cf.DisguisedTreeClassifier(DESIGN, "y", **wrong).fit(REPORTS)


@pytest.fixture
def file(learner, tmp_path):
    path = tmp_path / "model.json"
    learner(DESIGN, "y").fit(REPORTS).save(path)
    return path


def test_a_model_file_of_another_version(file):
    contents = json.loads(file.read_text())
    file.write_text(json.dumps({**contents, "version": 99}))
    with pytest.raises(cf.ModelError, match="version 99; this program reads version 1") as error:
        cf.load_model(file)
    assert one_line(error)


@pytest.mark.parametrize("key", ["target", "n", "learned", "design", "accuracy", "checksum"])
def test_a_model_file_tampered_with(file, key):
    contents = json.loads(file.read_text())
    contents[key] = {"value": 1.0, "standard_error": 0.0, "n": 5} if key == "accuracy" else "x"
    file.write_text(json.dumps(contents))
    with pytest.raises(cf.ModelError, match="changed after it was written"):
        cf.load_model(file)


def test_a_model_file_of_a_kind_that_there_is_not(file):
    contents = json.loads(file.read_text()) | {"kind": "forest"}
    contents["checksum"] = model_envelope._checksum(contents)
    file.write_text(json.dumps(contents))
    with pytest.raises(cf.ModelError, match="its kind is none of tree, naive-bayes, clusters, net"):
        cf.load_model(file)


def check_that_a_forgery_is_refused(file, forge):
    """Change what was learned, with a checksum that is right again."""
    contents = json.loads(file.read_text())
    forge(contents["learned"])
    contents["checksum"] = model_envelope._checksum(contents)
    file.write_text(json.dumps(contents))
    with pytest.raises(cf.ModelError, match="no sound model"):
        cf.load_model(file)


def test_a_forged_model_that_lacks_something_is_refused(file):
    whole = file.read_text()
    for key in json.loads(whole)["learned"]:
        file.write_text(whole)
        check_that_a_forgery_is_refused(file, lambda learned, key=key: learned.pop(key))


@pytest.mark.parametrize("to", [0, -1])  # a loop, and an answer that leads nowhere
def test_a_forged_tree_is_refused(tmp_path, to):
    path = tmp_path / "model.json"
    cf.DisguisedTreeClassifier(DESIGN, "y", method="literal").fit(REPORTS).save(path)

    def forge(learned):
        learned["child"][0] = [to] * len(learned["child"][0])

    check_that_a_forgery_is_refused(path, forge)


def test_a_forged_model_with_a_negative_or_infinite_probability_is_refused(tmp_path):
    path = tmp_path / "model.json"
    for method in ("literal", "auto"):
        for wrong in (-1.0, float("inf")):

            def forge(learned, wrong=wrong):
                (learned["hidden"] or {"weights": learned["prior"]})["weights"][0] = wrong

            cf.DisguisedNaiveBayes(DESIGN, "y", method=method).fit(REPORTS).save(path)
            check_that_a_forgery_is_refused(path, forge)


def test_a_forged_model_of_infinitely_many_reports_is_refused(file):
    contents = json.loads(file.read_text())
    for number in (float("inf"), float("nan")):
        contents["n"] = number
        contents["checksum"] = model_envelope._checksum(contents)
        file.write_text(json.dumps(contents))
        with pytest.raises(cf.ModelError, match="no sound model"):
            cf.load_model(file)


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '{"format": "other"}'])
def test_a_file_that_is_no_model(tmp_path, text):
    path = tmp_path / "model.json"
    path.write_text(text)
    with pytest.raises(cf.ModelError, match=r"model\.json is no") as error:
        cf.load_model(path)
    assert one_line(error)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(cf.ModelError, match="cannot read"):
        cf.load_model(tmp_path / "nowhere.json")


def test_values_of_the_wrong_kind_are_named():
    tree, bayes = cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes
    for made, wrong in [
        (tree(DESIGN, "y", max_depth="3"), "max_depth must be a whole number"),
        (tree(DESIGN, "y", max_depth=2.5), "max_depth must be a whole number"),
        (tree(DESIGN, "y", max_depth=True), "max_depth must be a whole number"),
        (tree("survey.toml", "y"), "design must be a confide.Design"),
        (bayes(DESIGN, "y", smoothing="1"), "smoothing must be"),
        (bayes(DESIGN, "y", smoothing=float("inf")), "smoothing must be"),
        (cf.DisguisedRules(None), "design must be a confide.Design"),
        (cf.DisguisedRules(DESIGN, max_length=2.5), "max_length must be a whole number"),
        (cf.DisguisedRules(DESIGN, min_support="0.1"), "min_support must be above 0"),
    ]:
        with pytest.raises(cf.ModelError, match=wrong) as error:
            made.fit(REPORTS)
        assert one_line(error)


def test_features_and_labels_that_do_not_go_together(learner):
    X = REPORTS.drop(columns="y")
    for given, labels, said in [
        (X, REPORTS["y"][:5], "must have as many rows as y"),
        (REPORTS, REPORTS["y"], "X has a column 'y', and y gives it once more"),
        ([[1]], [1], "must be a dataframe"),
    ]:
        with pytest.raises(cf.ModelError, match=said):
            learner(DESIGN, "y").fit(given, labels)


def test_the_accuracy_on_personal_answers_is_a_share(learner):
    with pytest.raises(cf.ModelError, match="personal must be between 0 and 1"):
        learner(DESIGN, "y").fit(REPORTS).score_disguised(REPORTS, personal=5)


def test_reports_with_noise_cannot_vote_on_single_tests():
    design = cf.Design(
        [cf.Number("age", 0, 9, step=1), cf.YesNo("y")], [cf.Group(["age"], cf.UniformNoise(2))]
    )
    answers = np.column_stack([np.arange(400) % 10, np.arange(400) % 10 > 4])
    reports = design.disguise(answers, seed=1)
    tree = cf.DisguisedTreeClassifier(design, "y", prune="reduced-error")
    with pytest.raises(cf.ModelError, match='Prune by "cost-complexity" or "mdl"'):
        tree.fit(reports)
