"""One contract: whatever disguises a group, every room works with it, and it is what it says."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import product
from math import inf, isfinite, log, prod

import jsonschema
import numpy as np
import pyarrow as pa
import pytest
from support.designs import chance, group_matrix
from support.mechanisms import AUDITED, CERTAIN, EVERY

import confide as cf
from confide.design.survey_file import SurveyFile
from confide.design.survey_schema import survey_schema
from confide.mechanisms import MECHANISMS
from confide.surveys import sampler
from confide.surveys.explanations import explain_blocks
from confide.surveys.questionnaire import Questionnaire
from confide.surveys.survey import Survey, find_survey_problems
from confide.web.respondent.survey_page import render_page

FINITE = {name: each[:2] for name, each in (AUDITED | CERTAIN).items()}
MOST_DRAWS = 50_000


def design_of(name):
    """One group disguised as in an example."""
    asked, mechanism = EVERY[name]
    return cf.Design(asked, [cf.Group([question.name for question in asked], mechanism)])


def simulate_answers(design, people):
    """Answers of which most are the first option, or a small number."""
    generator = np.random.default_rng(7)
    columns = {}
    for question in design.questions:
        codes = (generator.random(people) ** 6 * question.size).astype(int)
        values = question.values if question.grid is None else question.numbers
        columns[question.name] = np.array(values)[codes]
    return pa.table(columns)


@pytest.mark.parametrize("kind", MECHANISMS, ids=lambda kind: kind.kind)
def test_it_has_an_example_a_public_name_and_the_parts_of_its_docstring(kind):
    assert any(type(mechanism) is kind for _, mechanism in EVERY.values())
    assert getattr(cf, kind.__name__) is kind
    assert kind.__name__ in cf.__all__
    for part in ("Parameters", "*Privacy.*", "*Utility.*", "Examples"):
        assert part in kind.__doc__
    assert re.fullmatch(r"[A-Z].*[^.]\.", kind.summary)


@pytest.mark.parametrize("name", EVERY)
def test_it_prints_as_it_is_made_and_can_be_a_key(name):
    _, mechanism = EVERY[name]
    again = eval(repr(mechanism), vars(cf))
    assert again == mechanism and {again: 1} == {mechanism: 1}
    assert "Fraction" not in repr(mechanism)


@pytest.mark.parametrize("ending", ["toml", "json"])
@pytest.mark.parametrize("name", EVERY)
def test_it_is_written_to_a_file_and_read_from_it_and_fits_the_schema(name, ending, tmp_path):
    design, path = design_of(name), tmp_path / f"survey.{ending}"
    design.save(path)
    assert cf.Design.load(path).fingerprint == design.fingerprint
    file = SurveyFile.read(path)
    assert find_survey_problems(file) == []
    jsonschema.Draft202012Validator(survey_schema()).validate(file.values)


@pytest.mark.parametrize("name", FINITE)
def test_its_epsilon_is_the_largest_log_ratio_of_its_definition(name):
    asked, mechanism = FINITE[name]
    rows = [row for row in group_matrix(mechanism, asked) if row.max() > 0]
    worst = max(inf if row.min() == 0 else log(row.max() / row.min()) for row in rows)
    assert mechanism.epsilon(asked) == pytest.approx(worst)


@pytest.mark.parametrize("name", FINITE)
def test_over_all_draws_the_browser_reports_exactly_as_its_definition_says(name):
    """Every draw once, by the sampler that the page runs, word for word: no chance left."""
    asked, mechanism = FINITE[name]
    (weights,) = Questionnaire(design_of(name)).weights
    bounds = sampler.bounds(weights)
    assert prod(bounds) <= MOST_DRAWS, "give an example with smaller denominators"
    cells = list(product(*(range(question.size) for question in asked)))
    for truth in cells:
        counted = Counter(
            tuple(sampler.disguise(weights, list(drawn), truth))
            for drawn in product(*map(range, bounds))
        )
        for report in cells:
            expected = chance(mechanism, asked, report, truth)
            assert counted[report] / prod(bounds) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", EVERY)
def test_the_page_explains_it(name):
    survey = Survey(design_of(name))
    texts = survey.texts("en")
    assert all(each.sentences for each in explain_blocks(survey.questionnaire, texts))
    assert json.dumps(survey.questionnaire.script())
    assert 'data-blocks="0"' in render_page(survey, "en", is_open=True)


@pytest.mark.parametrize("name", EVERY)
def test_its_privacy_is_stated(name):
    statement = cf.privacy.of(design_of(name))
    asked, mechanism = EVERY[name]
    assert statement.epsilon == mechanism.epsilon(asked)
    assert statement.sentences()
    assert json.dumps(statement.to_dict())


@pytest.mark.parametrize("name", FINITE)
def test_it_can_be_planned_with_and_costs_precision(name):
    rows = cf.plan(design_of(name), respondents=1_000).rows()
    own = [row for row in rows if row["own"]]
    assert own
    for row in own:
        direct = (row["prevalence"] * (1 - row["prevalence"]) / 1_000) ** 0.5
        assert isfinite(row["standard_error"]) and row["standard_error"] >= direct * 0.999


@pytest.mark.statistical
@pytest.mark.parametrize("name", FINITE)
def test_the_crowd_comes_back_within_five_standard_errors(name):
    """And reports taken at their word are further off: the twin that shows the test has power."""
    design = design_of(name)
    answers = simulate_answers(design, 40_000)
    reports = design.disguise(answers, seed=3)
    crowd, naive = cf.Crowd(design, reports), cf.Crowd(cf.Design(design.questions), reports)
    off = []
    for question in design.questions:
        for value in question.values:
            true = np.mean(answers[question.name].to_numpy() == value)
            found = crowd.proportion({question.name: value})
            assert abs(found.value - true) < 5 * found.standard_error
            off.append(
                abs(naive.proportion({question.name: value}).value - true) / found.standard_error
            )
    assert max(off) > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_a_model_learns_from_it(name):
    question, mechanism = EVERY[name]
    design = cf.Design(
        [*question, cf.YesNo("target")], [cf.Group([each.name for each in question], mechanism)]
    )
    answers = simulate_answers(design, 400)
    reports = design.disguise(answers, seed=4)
    model = cf.DisguisedTreeClassifier(design, target="target").fit(reports)
    assert set(model.predict(answers)) <= {"yes", "no"}
