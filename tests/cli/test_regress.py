"""confide regress, as a person types it."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def reports(confide, survey):
    assert confide("disguise", survey, "answers.csv", "-o", "reports.csv", "--seed", 1).code == 0
    return "reports.csv"


def test_a_regression_is_a_table_for_people(confide, survey, reports):
    ran = confide("regress", survey, reports, "cheated ~ age + faculty")
    assert ran.code == 0, ran.err
    for word in ("Disguised regression (logit)", "reports 2,000", "faculty[T.law]", "std err"):
        assert word in ran.out


def test_a_regression_is_json_for_programs_and_the_same_in_a_file(confide, survey, reports):
    command = ["regress", survey, reports, "cheated ~ age", "--family", "probit"]
    ran = confide(*command, "--errors", "robust", "--json", "-o", "result.json")
    found = json.loads(ran.out)
    assert found["n"] == 2000
    assert found["standard_errors"] == "robust"
    assert [each["name"] for each in found["parameters"]] == ["Intercept", "age"]
    assert json.loads((survey.parent / "result.json").read_text(encoding="utf-8")) == found


def test_weights_and_more_reports_under_a_survey_of_their_own(confide, survey, reports):
    text = (survey.parent / reports).read_text(encoding="utf-8").splitlines()
    weighed = [text[0] + ",w", *(f"{line},{1 + i % 3}" for i, line in enumerate(text[1:]))]
    (survey.parent / "weighed.csv").write_text("\n".join(weighed), encoding="utf-8")
    command = ["regress", survey, "weighed.csv", "cheated ~ age", "--weights", "w", "--json"]
    found = json.loads(confide(*command).out)
    assert (found["n"], found["standard_errors"]) == (2000, "linearised")
    pooled = confide("regress", survey, reports, "cheated ~ age", "--pool", f"{survey}={reports}")
    assert "reports 4,000" in pooled.out, pooled.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["cheated + age"], "an outcome, a tilde and its predictors"),
        (["nothing ~ age"], "must be a question with options"),
        (["cheated ~ nothing"], "there is no column 'nothing'"),
        (["cheated ~ age", "--clusters", "school"], "no column 'school'"),
        (["cheated ~ age", "--errors", "cluster"], "give both, or neither"),
        (["cheated ~ age", "--pool", "other.toml"], "--pool takes a survey=reports"),
        (["faculty ~ age"], "--family multinomial"),
        (["age ~ cheated"], "must be a question with options"),
    ],
)
def test_a_mistake_is_one_line(confide, survey, reports, arguments, said):
    ran = confide("regress", survey, reports, *arguments)
    assert ran.code == 2
    assert said in " ".join(ran.err.split())
