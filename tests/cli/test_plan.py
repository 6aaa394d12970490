"""`confide plan`, as a user types it."""

from __future__ import annotations

import json

import pytest
import typer
from typer.testing import CliRunner

import confide as cf
from confide.cli.plan import plan


@pytest.fixture
def survey(tmp_path):
    design = cf.Design(
        [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Choice("faculty", ["arts", "law"])],
        [
            cf.Group(["cheated", "drugs"], cf.RelatedQuestion(0.75)),
            cf.Group(["faculty"], cf.RandomizedChoice(0.8)),
        ],
    )
    design.save(tmp_path / "survey.toml")
    return tmp_path / "survey.toml"


def run(*arguments):
    app = typer.Typer()
    app.command()(plan)
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_example_of_its_help_prints_a_table(survey):
    shown = run("--help").output
    assert "--respondents 2000 --prevalence cheated=0.1" in " ".join(shown.split())
    result = run(survey, "--respondents", 2000, "--prevalence", "cheated=0.1", "--margin", 0.03)
    assert result.exit_code == 0
    assert "cheated = yes: assumed share 0.1, 2,000 respondents" in result.output
    assert "direct" in result.output


def test_json_holds_what_python_gives(survey):
    result = run(
        survey,
        *("--respondents", 900, "--json", "--margin", 0.05, "--null", 0.02, "--one-sided"),
        *("--prevalence", "cheated=0.1", "--prevalence", "faculty=arts:0.3,law:0.7"),
        *("--event", "cheated=yes,drugs=yes", "--truth", "0.65", "--truth", "4/5"),
    )
    expected = cf.plan(
        cf.Design.load(survey),
        900,
        {"cheated": 0.1, "faculty": {"arts": 0.3, "law": 0.7}},
        0.05,
        events=[{"cheated": "yes", "drugs": "yes"}],
        null=0.02,
        two_sided=False,
        truths=["0.65", "4/5"],
    )
    assert json.loads(result.output) == json.loads(json.dumps(expected.to_dict()))


def test_a_picture_is_drawn_beside_the_table(survey, tmp_path):
    result = run(survey, "--respondents", 900, "--picture", tmp_path / "plan.svg")
    assert result.exit_code == 0
    assert (tmp_path / "plan.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--prevalence", "cheated"], "must look like cheated=0.1"),
        (["--prevalence", "cheated=lots"], "between 0 and 1"),
        (["--prevalence", "lied=0.1"], "no question 'lied'"),
        (["--event", "cheated"], "must look like cheated=yes,drugs=yes"),
        (["--truth", "1/2"], "must differ from 1/2"),
        (["--margin", "7"], "margin must be above 0 and below 1"),
    ],
)
def test_a_mistake_is_one_clear_error(survey, option, message):
    result = run(survey, "--respondents", 900, *option)
    assert isinstance(result.exception, cf.ConfideError)
    assert message in str(result.exception)
    assert "\n" not in str(result.exception)
