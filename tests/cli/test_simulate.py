"""confide simulate: people, their answers and their reports, in a folder."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

import confide as cf
from confide.compliance import simulated_folder

SURVEY = """
[[question]]
name = "cheated"
kind = "yes-no"
[[question]]
name = "faculty"
kind = "choice"
options = ["arts", "law"]
[[question]]
name = "age"
kind = "number"
low = 18
high = 30
step = 0.1
[[group]]
questions = ["cheated"]
mechanism = "related-question"
truth = "3/4"
"""


@pytest.fixture
def small_survey(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(SURVEY)
    return path


def read(folder):
    return {kind: pq.read_table(folder / kind) for kind in ("answers", "reports")}


@pytest.mark.slow
def test_people_like_those_of_reports_have_their_most_likely_answers(
    confide, small_survey, tmp_path
):
    """Reports are not taken for answers: the share of yes is 0.1, that of reported yes 0.3."""
    drawn = ("simulate", small_survey, "--respondents", "20000", "--seed")
    assert confide(*drawn, "1", "--prevalence", "cheated=0.1", "-o", "first").code == 0
    reports = tmp_path / "first" / "reports" / "part-00000.parquet"
    refused = confide("disguise", small_survey, reports, "-o", "twice.parquet")
    assert refused.code == 2 and "holds reports, which are disguised" in refused.err
    assert confide(*drawn, "2", "--like", reports, "-o", "second").code == 0
    answers = read(tmp_path / "second")["answers"]["cheated"].to_pylist()
    assert abs(answers.count("yes") / 20_000 - 0.1) < 4 * 0.007


def test_the_reports_estimate_the_answers_that_lie_beside(confide, small_survey, tmp_path):
    ran = confide(
        "simulate", small_survey, "--respondents", "2e4", "--prevalence", "cheated=0.2",
        "--prevalence", "faculty=arts:0.7,law:0.3", "--seed", "1", "-o", "out",
    )  # fmt: skip
    assert ran.code == 0
    held = read(tmp_path / "out")
    assert held["answers"].num_rows == held["reports"].num_rows == 20_000
    true = held["answers"]["cheated"].to_pylist().count("yes") / 20_000
    assert abs(true - 0.2) < 4 * 0.0028
    crowd = cf.Crowd(cf.Design.load(small_survey), tmp_path / "out" / "reports")
    share = crowd.proportion({"cheated": "yes"})
    assert abs(share.value - true) < 4 * share.standard_error < 0.04
    # without the channel it would be the share of reports, far off
    assert abs(held["reports"]["cheated"].to_pylist().count("yes") / 20_000 - true) > 0.1
    # what is asked in the clear stays as it is, row by row
    assert held["answers"]["age"].equals(held["reports"]["age"])
    assert held["answers"]["faculty"].equals(held["reports"]["faculty"])


def test_a_seed_decides_whatever_the_number_of_cores(confide, small_survey, tmp_path, monkeypatch):
    monkeypatch.setattr(simulated_folder, "PART", 300)
    for cores in (1, 3):
        arguments = ("--respondents", 1000, "--seed", 5, "--cores", cores, "-o", f"by{cores}")
        assert confide("simulate", small_survey, *arguments).code == 0
    assert len(list((tmp_path / "by1" / "reports").iterdir())) == 4
    one, three = read(tmp_path / "by1"), read(tmp_path / "by3")
    assert one == three
    assert confide("simulate", small_survey, "--respondents", 1000, "-o", "free").code == 0
    assert read(tmp_path / "free") != one


@pytest.mark.slow
def test_people_like_those_of_a_file_answer_alike(confide, survey, tmp_path):
    ran = confide(
        "simulate", survey, "--respondents", 4000, "--like", "answers.csv", "--seed", 1, "-o", "out"
    )
    assert ran.code == 0
    design = cf.Design.load(survey)
    known = pq.read_table(tmp_path / "answers.parquet").select(list(design.names)).to_pylist()
    drawn = read(tmp_path / "out")["answers"].to_pylist()
    assert {tuple(map(str, row.values())) for row in drawn} <= {
        tuple(map(str, row.values())) for row in known
    }


def test_those_who_refuse_say_no(confide, small_survey, tmp_path):
    arguments = ("--respondents", 500, "--prevalence", "cheated=1", "--refusing", 1, "-o", "out")
    assert confide("simulate", small_survey, *arguments).code == 0
    assert set(read(tmp_path / "out")["reports"]["cheated"].to_pylist()) == {"no"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--respondents", "many"), "must be a whole number"),
        (("--respondents", "0"), "must be a whole number"),
        (("--respondents", "1.5"), "must be a whole number"),
        (("--respondents", 9, "--prevalence", "cheated=2"), "no share below 0 or above 1"),
        (("--respondents", 9, "--prevalence", "age=0.5"), "is a number"),
        (("--respondents", 9, "--like", "none.csv"), "there is no file none.csv"),
        (("--respondents", 9, "--refusing", 0.7, "--inattentive", 0.7), "together at most 1"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_no_folder(
    confide, small_survey, tmp_path, arguments, words
):
    ran = confide("simulate", small_survey, *arguments, "-o", "out")
    assert ran.code == 2 and words in ran.err and ran.err.count("\n") == 1
    assert not list(tmp_path.glob("out*"))


def test_a_folder_that_is_there_is_left_alone(confide, small_survey, tmp_path):
    (tmp_path / "out").mkdir()
    ran = confide("simulate", small_survey, "--respondents", 10, "-o", "out")
    assert ran.code == 2 and "already there" in ran.err
    assert not list((tmp_path / "out").iterdir())


def test_people_like_those_of_a_simulated_folder(confide, small_survey, tmp_path):
    """Answers are drawn from; reports beside them are not taken for answers."""
    drawn = ("simulate", small_survey, "--respondents", "20000", "--seed")
    assert confide(*drawn, "1", "--prevalence", "cheated=0.1", "-o", "first").code == 0
    for kind, seed in (("answers", "2"), ("reports", "3")):
        ran = confide(*drawn, seed, "--like", f"first/{kind}", "-o", f"like-{kind}")
        assert ran.code == 0, ran.err
        answers = read(tmp_path / f"like-{kind}")["answers"]["cheated"].to_pylist()
        assert abs(answers.count("yes") / 20_000 - 0.1) < 4 * 0.007
    pq.write_table(
        pq.read_table("first/reports/part-00000.parquet"), "first/answers/part-1.parquet"
    )
    ran = confide("disguise", small_survey, "first/answers", "-o", "twice.parquet")
    assert ran.code == 2 and "holds reports, which are disguised" in ran.err
    Path("first/answers/part-1.parquet").write_text("no Parquet")
    ran = confide("disguise", small_survey, "first/answers", "-o", "twice.parquet")
    assert ran.code == 2 and "cannot read part-1.parquet: it is damaged" in ran.err


def test_a_row_that_does_not_fit_is_counted_in_the_file_whoever_is_drawn(confide, small_survey):
    rows = ["cheated,faculty,age", *["yes,arts,20"] * 9_999, "perhaps,arts,20"]
    Path("answers.csv").write_text("\n".join(rows))
    ran = confide(
        "simulate", small_survey, "--respondents", 2, "--like", "answers.csv", "-o", "out"
    )
    assert ran.code == 2 and "in 1 of 10,000 answers" in ran.err
