"""confide admin: the password of the results, and who is logged in."""

import io
import json
import sys

import pytest

from confide.surveys.survey import Survey
from confide.web.admin.access import hash_password
from confide.web.admin.sessions import Sessions
from confide.web.server import open_survey_store

PASSWORD = "correct horse battery"


@pytest.fixture
def store(survey):
    opened = open_survey_store(Survey.load(survey), "sqlite:///survey.db")
    yield opened
    opened.close()


def typed(monkeypatch, text):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_a_new_password_replaces_the_old_one_and_ends_all_sessions(confide, store, monkeypatch):
    code = Sessions(store).begin()
    typed(monkeypatch, PASSWORD + "\n")
    ran = confide("admin", "password", "survey.toml")
    assert (ran.code, ran.err) == (0, "")
    assert PASSWORD not in ran.out
    kept = store.read_secret("password")
    assert kept == hash_password(PASSWORD, kept[:16])
    assert not Sessions(store).is_good(code)


def test_a_short_password_changes_nothing(confide, store, monkeypatch):
    typed(monkeypatch, "short\n")
    ran = confide("admin", "password", "survey.toml")
    assert (ran.code, "at least 10 characters" in ran.err) == (2, True)
    assert store.read_secret("password") is None


def test_sessions_are_listed_and_ended(confide, store):
    assert json.loads(confide("admin", "sessions", "survey.toml", "--json").out)["sessions"] == []
    codes = [Sessions(store).begin() for _ in range(2)]
    listed = json.loads(confide("admin", "sessions", "survey.toml", "--json").out)
    assert (len(listed["sessions"]), listed["ended"]) == (2, False)
    assert all(map(Sessions(store).is_good, codes))
    ran = confide("admin", "sessions", "survey.toml", "--end")
    assert "2 sessions are ended." in ran.out
    assert not any(map(Sessions(store).is_good, codes))
    assert not any(code in ran.out for code in codes)


@pytest.mark.usefixtures("survey")
def test_a_survey_that_was_never_served_has_no_password_to_set(confide, tmp_path):
    ran = confide("admin", "sessions", "survey.toml")
    assert (ran.code, "no database survey.db" in ran.err) == (2, True)
    assert not (tmp_path / "survey.db").exists()
