"""One contract: whatever kind of question is asked, every room works with it."""

from __future__ import annotations

import jsonschema
import numpy as np
import pyarrow as pa
import pytest

import confide as cf
from confide.design.questions import QUESTIONS
from confide.design.survey_file import SurveyFile
from confide.design.survey_schema import survey_schema
from confide.formats.surveyjs import to_form
from confide.surveys.survey import Survey, find_survey_problems
from confide.web.respondent.survey_page import render_page

EXAMPLES = {
    "yes-no": cf.YesNo("asked", "Have you?"),
    "yes-no that may be left out": cf.YesNo("asked", missing="option"),
    "choice": cf.Choice("asked", ["arts", "law", "science"], "Which?"),
    "ordered choice": cf.Choice("asked", [1, 2, 3, 4], ordered=True),
    "number": cf.Number("asked", 0, 10, "How many?"),
    "number in steps": cf.Number("asked", 16, 80, unit="years", step=1),
}
"""At least one of every kind."""


@pytest.fixture(params=EXAMPLES.values(), ids=EXAMPLES.keys())
def question(request):
    return request.param


def design_of(question):
    """The question disguised, beside another one."""
    finite = question.grid is None
    mechanism = cf.RandomizedChoice("4/5") if finite else cf.Intervals([-1, 4, 8, 20, 100])
    return cf.Design([question, cf.YesNo("other")], [cf.Group(["asked"], mechanism)], title="One")


def simulate(design, people=3_000):
    """Answers to the other question that depend on those to the first."""
    question, generator = design.questions[0], np.random.default_rng(5)
    codes = (generator.random(people) ** 2 * question.size).astype(int)
    values = question.numbers if question.grid else np.array(question.values)
    return pa.table({"asked": values[codes], "other": np.where(codes > 0, "yes", "no")}), codes


@pytest.mark.parametrize("kind", QUESTIONS, ids=lambda kind: kind.kind)
def test_every_kind_has_an_example_and_a_public_name(kind):
    assert any(type(question) is kind for question in EXAMPLES.values())
    assert getattr(cf, kind.__name__) is kind


@pytest.mark.parametrize("ending", ["toml", "json"])
def test_a_file_keeps_it_and_fits_the_schema(question, ending, tmp_path):
    design, path = design_of(question), tmp_path / f"survey.{ending}"
    design.save(path)
    assert cf.Design.load(path).questions == design.questions
    file = SurveyFile.read(path)
    assert find_survey_problems(file) == []
    jsonschema.Draft202012Validator(survey_schema()).validate(file.values)


def test_its_values_labels_and_codes_agree(question):
    assert question.size == len(question.labels) == len(question.values) == len(question.numbers)
    assert len(set(question.labels)) == question.size
    assert [question.code(value) for value in question.values] == list(range(question.size))


def test_its_crowd_comes_back_and_a_model_learns_from_it(question):
    """Of the most frequent value, or for a number of its lowest interval, within five errors."""
    design = design_of(question)
    answers, codes = simulate(design)
    reports = design.disguise(answers, seed=1)
    crowd = cf.Crowd(design, reports)
    if question.grid is None:
        found = crowd.proportion({"asked": question.values[0]})
        assert abs(found.value - np.mean(codes == 0)) < 5 * found.standard_error
    else:
        assert sum(crowd.distribution("asked").shares) == pytest.approx(1)
    model = cf.DisguisedTreeClassifier(design, target="other").fit(reports)
    assert np.mean(model.predict(answers) == answers["other"].to_numpy()) > 0.85


def test_the_page_asks_it_and_its_privacy_is_stated(question):
    design = design_of(question)
    page = render_page(Survey(design), "en", is_open=True)
    assert (question.text or "asked") in page
    assert cf.privacy.of(design).sentences()


def test_a_form_of_another_tool_refuses_a_kind_that_it_does_not_have():
    with pytest.raises(cf.DesignError, match=r"'scale'.* Save the survey as TOML or JSON"):
        to_form({"question": [{"name": "a", "kind": "scale"}]})
