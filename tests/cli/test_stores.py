"""Every command that takes reports takes the database of the web app too."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import confide as cf
from confide.reports.store import open_store
from confide.reports.submissions import Submission
from confide.surveys.questionnaire import Questionnaire

SECRET = "sesame-open"
LEARNED = ("survey.toml", "reports.parquet", "--target", "cheated")


@pytest.fixture(params=["sqlite", "postgres"])
def url(request, tmp_path):
    """The address of an empty database; a password is in it where one can be."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/survey.db"
    return request.getfixturevalue("postgres").replace("postgres@", f"postgres:{SECRET}@")


@pytest.fixture
def store(confide, survey, url):
    """The example survey's reports in a database, and the same in reports.parquet."""
    assert confide("disguise", survey, "answers.parquet", "-o", "reports.parquet").code == 0
    form = Questionnaire(cf.Design.load(survey))
    table = pq.read_table("reports.parquet").to_pylist()
    codes = [
        [f.code(f.question.code(row[f.name]) if f.finite else row[f.name]) for f in form.fields]
        for row in table
    ]
    opened = open_store(url, form.design, by_invitation=False)
    opened.settle([Submission(secrets.token_bytes(16), form.pack(c, form.modes())) for c in codes])
    yield url
    if url.startswith("postgresql"):  # one server serves several tests
        opened._run_all((f"DROP SCHEMA {opened._schema} CASCADE", ()))
    opened.close()


@pytest.mark.slow
def test_a_report_of_a_database_has_its_days_and_one_of_a_file_has_none(confide, store, tmp_path):
    for reports, has_days in ((store, True), ("reports.parquet", False)):
        assert confide("report", "survey.toml", reports, "-o", "report.html").code == 0
        assert ("Reports by day" in (tmp_path / "report.html").read_text("utf-8")) == has_days


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["estimate", "survey.toml"], []),
        (["estimate", "survey.toml"], ["cheated", "faculty", "--where", "drugs=no"]),
        (["tree", "survey.toml"], ["--target", "cheated", "--max-depth", "2"]),
        (["bayes", "survey.toml"], ["--target", "cheated"]),
        (["rules", "survey.toml"], []),
        (["privacy", "survey.toml", "--reports"], []),
    ],
)
def test_a_database_says_what_its_reports_say_in_a_file(confide, store, before, after):
    from_file, from_store = (
        confide(*before, reports, *after, "--json") for reports in ("reports.parquet", store)
    )
    assert (from_store.code, from_store.err) == (0, "")
    assert json.loads(from_store.out) == json.loads(from_file.out)
    assert SECRET not in from_store.out


@pytest.mark.slow
def test_a_model_is_tested_and_scored_on_a_database(confide, store):
    learned = confide("tree", *LEARNED, "--max-depth", "2", "--test", store, "-o", "tree.json")
    assert "Accuracy" in learned.out
    scored = confide("score", "survey.toml", "tree.json", store, "--json")
    assert json.loads(scored.out)["scores"]["accuracy"]["n"] == 2_000


def test_in_python_the_address_stands_where_a_path_does(store, survey):
    design = cf.Design.load(survey)
    from_file, from_store = (cf.Counts.of(design, each) for each in ("reports.parquet", store))
    assert np.array_equal(from_file.patterns, from_store.patterns)
    assert np.array_equal(from_file.reports, from_store.reports)
    tree = cf.DisguisedTreeClassifier(design, "cheated", max_depth=1).fit(store)
    assert tree.n_ == 2_000


def refused(confide, *arguments):
    """The one line with which a command refuses."""
    ran = confide(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert len(ran.err.splitlines()) == 1
    assert SECRET not in ran.err
    return ran.err


def test_reports_under_another_design_are_refused(confide, store):
    other = Path("survey.toml").read_text().replace('truth = "3/4"', 'truth = "4/5"')
    Path("other.toml").write_text(other)
    said = refused(confide, "estimate", "other.toml", store)
    assert "Use the survey file" in said or "use the survey file" in said


@pytest.mark.usefixtures("survey")
def test_a_file_that_is_no_survey_or_not_there_is_named(confide, tmp_path):
    assert "no database absent.db" in refused(
        confide, "estimate", "survey.toml", "sqlite:///absent.db"
    )
    assert not (tmp_path / "absent.db").exists()
    said = refused(confide, "estimate", "survey.toml", "sqlite:///answers.csv")
    assert "answers.csv: file is not a database" in said
    said = refused(confide, "estimate", "survey.toml", "mysql://root@host/survey")
    assert "sqlite:///file.db or postgresql://" in said


@pytest.mark.usefixtures("survey")
@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        (f"me:{SECRET}@127.0.0.1:1/x", "Connection refused"),
        (f"me:{SECRET}@nowhere.invalid/x", "nowhere.invalid"),
        (f"me:@{SECRET}@127.0.0.1/x", "address of the database cannot be read"),
        (f"me:{SECRET}/@127.0.0.1/x", "address of the database cannot be read"),
        (f"me:%{SECRET}@127.0.0.1/x", "address of the database cannot be read"),
    ],
)
def test_a_server_that_cannot_be_reached_is_said_without_the_password(confide, address, complaint):
    pytest.importorskip("psycopg", reason="PostgreSQL takes confide[postgres]")
    assert complaint in refused(confide, "estimate", "survey.toml", f"postgresql://{address}")


def test_a_database_without_reports_is_said_to_have_none(confide, survey, url):
    design = cf.Design.load(survey)
    open_store(url, design, by_invitation=False).close()
    assert "there are no reports" in refused(confide, "estimate", "survey.toml", url)
