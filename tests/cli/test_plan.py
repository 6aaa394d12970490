"""confide plan, as a person types it."""

from __future__ import annotations

import json

import pytest

import confide as cf

PAIR = ["--event", "cheated=yes,drugs=yes"]


def test_the_example_of_its_help_prints_tables(confide, survey):
    shown = " ".join(confide("plan", "--help").out.split())
    assert "confide plan survey.toml --respondents 2000 --prevalence cheated=0.1" in shown
    ran = confide("plan", survey, "--respondents", 2000, "--prevalence", "cheated=0.1")
    assert ran.code == 0
    assert "cheated = yes: assumed share 0.1, 2,000 respondents" in ran.out
    assert "direct" in ran.out


def test_json_holds_what_python_gives(confide, survey):
    ran = confide(
        *("plan", survey, "--respondents", 900, "--json", "--margin", 0.05, *PAIR),
        *("--null", 0.02, "--one-sided", "--truth", "0.65", "--truth", "4/5"),
        *("--prevalence", "cheated=0.1"),
        *("--prevalence", "harassed=never:0.7,once:0.2,more than once:0.1"),
    )
    expected = cf.plan(
        cf.Design.load(survey),
        900,
        {"cheated": 0.1, "harassed": {"never": 0.7, "once": 0.2, "more than once": 0.1}},
        0.05,
        events=[{"cheated": "yes", "drugs": "yes"}],
        null=0.02,
        two_sided=False,
        truths=["0.65", "4/5"],
    )
    assert json.loads(ran.out) == json.loads(json.dumps(expected.to_dict()))


@pytest.mark.slow
def test_the_other_examples_of_its_help_run_and_the_best_design_is_written(
    confide, survey, tmp_path
):
    shown = " ".join(confide("plan", "--help").out.split())
    asked = ["plan", survey, "--respondents", 2000, "--prevalence", "cheated=0.1"]
    for option, said in [
        (
            ["--compare", "cheated=0.2", "--power", "0.9"],
            "to tell the share from the other group's",
        ),
        (["--largest-posterior", "0.6", "-o", "chosen.toml"], "than 0.6"),
    ]:
        assert " ".join(option) in shown
        ran = confide(*asked, *option)
        assert ran.code == 0, ran.err
        assert said in " ".join(ran.out.split())
    assert cf.Design.load(tmp_path / "chosen.toml").names == cf.Design.load(survey).names


def test_coefficients_means_and_refusal_are_planned_for_as_in_python(confide, tmp_path):
    questions = [cf.YesNo("cheated"), cf.YesNo("male"), cf.Number("age", 16, 80, step=1)]
    groups = [
        cf.Group(["cheated"], cf.RelatedQuestion(0.8)),
        cf.Group(["age"], cf.LaplaceNoise(5)),
    ]
    design = cf.Design(questions, groups)
    design.save(tmp_path / "small.toml")
    ran = confide(
        *("plan", "small.toml", "--respondents", 900, "--json", "--refusing", 0.05),
        *("--prevalence", "cheated=0.2", "--coefficient", "cheated~male=2"),
        *("--mean", "age=40:12:38", "--power", 0.8),
    )
    expected = cf.plan(
        design,
        900,
        {"cheated": 0.2},
        coefficients={("cheated", "male"): 2.0},
        means={"age": (40, 12, 38)},
        refusing=0.05,
        wanted_power=0.8,
    )
    found = json.loads(ran.out)
    assert found == json.loads(json.dumps(expected.to_dict()))
    assert {row["event"] for row in found["rows"]} == {
        "cheated = yes",
        "cheated ~ male",
        "mean of age",
    }
    printed = confide(
        *("plan", "small.toml", "--respondents", 900, "--refusing", 0.05),
        *("--coefficient", "cheated~male=2", "--mean", "age=40:12"),
    ).out
    assert "cheated ~ male: assumed odds ratio 2" in printed
    assert "mean of age: assumed 40 with deviation 12" in printed


@pytest.mark.slow
def test_a_picture_is_drawn_beside_the_tables(confide, survey, tmp_path):
    ran = confide("plan", survey, "--respondents", 900, "--picture", "plan.svg")
    assert ran.code == 0
    assert (tmp_path / "plan.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--prevalence", "cheated"], "must look like cheated=0.1"),
        (["--prevalence", "cheated=lots"], "must be made of numbers"),
        (["--prevalence", "lied=0.1"], "no question 'lied'"),
        (["--event", "cheated"], "must look like cheated=yes,drugs=yes"),
        (["--compare", "cheated"], "--compare must look like cheated=0.1"),
        (["--coefficient", "cheated=2"], "must look like cheated~male=2"),
        (["--coefficient", "cheated~drugs=1"], "odds_ratio must be above 0 and not 1"),
        (["--mean", "age=old"], "must look like age=40:12"),
        (["--refusing", "2"], "refusing must be a share"),
        (["--largest-posterior", "0.001"], "no truth keeps every posterior"),
        (["-o", "chosen.toml"], "give --largest-posterior"),
        (["--truth", "1/2"], "must differ from 1/2"),
        (["--margin", "7"], "margin must be above 0 and below 1"),
        (["--picture", "plan.bmp"], "must end in .svg, .png, .html"),
    ],
)
def test_a_mistake_is_one_clear_line(confide, survey, option, message):
    ran = confide("plan", survey, "--respondents", 900, *option)
    assert ran.code == 2
    assert message in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_the_power_is_the_one_that_rr_prints(confide, tmp_path):
    """power.rr.test of the R package rr: truth 2/3, forced 1/6 and 1/6, n = 200, 0.2 against 0."""
    forced = cf.ForcedResponse("2/3", {"known": {"yes": "1/2", "no": "1/2"}})
    cf.Design([cf.YesNo("known")], [cf.Group(["known"], forced)]).save(tmp_path / "rr.toml")
    ran = confide(
        *("plan", "rr.toml", "--respondents", 200, "--prevalence", "known=0.2", "--null", 0),
        *("--one-sided", "--significance", 0.01, "--json"),
    )
    (own,) = [row for row in json.loads(ran.out)["rows"] if row["own"]]
    assert own["power"] == pytest.approx(0.9868872, abs=1e-7)
    assert "at significance 0.01" in confide(
        *("plan", "rr.toml", "--respondents", 200, "--significance", 0.01)
    ).out.replace("\n", " ")
