"""One contract: every kind of model learns, predicts, is kept in a file and is shown on a page."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from sklearn.exceptions import SkipTestWarning
from sklearn.utils.estimator_checks import check_estimator
from support.web_models import DESIGN, people

import confide as cf
from confide.mining.learners import LEARNERS, find_learner
from confide.surveys.results_texts import results_texts_in
from confide.web.admin.background_learning import learn_model

pytestmark = pytest.mark.parametrize("learner", LEARNERS, ids=lambda kind: kind.kind)


@pytest.fixture(scope="module")
def reports():
    return DESIGN.disguise(people(2_000, 1), seed=2)


def test_it_has_a_public_name_and_is_found_by_its_command(learner):
    assert getattr(cf, learner.__name__) is learner
    assert learner.__name__ in cf.__all__
    assert find_learner(learner.command) is learner


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_every_check_of_scikit_learn_passes_without_a_design(learner):
    with pytest.warns(SkipTestWarning):  # the array interface of other libraries, not installed
        check_estimator(learner())


@pytest.mark.slow
def test_a_file_keeps_what_it_predicts_and_its_score(learner, reports, tmp_path):
    model, table = learner(DESIGN, "mood").fit(reports), people(300, 3)
    model.save(tmp_path / "model.json", accuracy=model.score_disguised(reports))
    loaded = cf.load_model(tmp_path / "model.json")
    assert type(loaded) is learner
    np.testing.assert_array_equal(loaded.predict_proba(table), model.predict_proba(table))
    assert loaded.accuracy_.value == model.score_disguised(reports).value
    shown = json.loads(json.dumps(model.predictor()))
    assert [question["name"] for question in shown["questions"]] == model.used_


@pytest.mark.slow
def test_the_dashboard_offers_it_and_learns_it(learner, reports):
    page = files("confide.web").joinpath("templates", "model-form.html").read_text("utf-8")
    assert f'"{learner.command}"' in page
    assert f"model_{learner.command}" in results_texts_in("en")
    assert "model" in learn_model(cf.Counts.of(DESIGN, reports), learner.command, "mood")
