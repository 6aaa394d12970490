"""confide admin: the password of the results, and who is logged in."""

import io
import json
import sys

import pytest

from confide.surveys.survey import Survey
from confide.web.admin.accounts import Accounts, Role, hash_password
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
    code = Sessions(store).begin("password")
    typed(monkeypatch, PASSWORD + "\n")
    ran = confide("admin", "password", "survey.toml")
    assert (ran.code, ran.err) == (0, "")
    assert PASSWORD not in ran.out
    kept = store.read_secret("password")
    assert kept == hash_password(PASSWORD, kept[:16])
    assert not Sessions(store).find_account(code)


def test_a_short_password_changes_nothing(confide, store, monkeypatch):
    typed(monkeypatch, "short\n")
    ran = confide("admin", "password", "survey.toml")
    assert (ran.code, "at least 10 characters" in ran.err) == (2, True)
    assert store.read_secret("password") is None


def test_sessions_are_listed_and_ended(confide, store):
    assert json.loads(confide("admin", "sessions", "survey.toml", "--json").out)["sessions"] == []
    codes = [Sessions(store).begin("password") for _ in range(2)]
    listed = json.loads(confide("admin", "sessions", "survey.toml", "--json").out)
    assert (len(listed["sessions"]), listed["ended"]) == (2, False)
    assert all(map(Sessions(store).find_account, codes))
    ran = confide("admin", "sessions", "survey.toml", "--end")
    assert "2 sessions are ended." in ran.out
    assert not any(map(Sessions(store).find_account, codes))
    assert not any(code in ran.out for code in codes)


@pytest.mark.usefixtures("survey")
def test_a_survey_that_was_never_served_has_no_password_to_set(confide, tmp_path):
    ran = confide("admin", "sessions", "survey.toml")
    assert (ran.code, "no database survey.db" in ran.err) == (2, True)
    assert not (tmp_path / "survey.db").exists()


@pytest.mark.slow
def test_users_come_in_by_their_own_password_and_are_listed_and_removed(
    confide, store, monkeypatch
):
    typed(monkeypatch, PASSWORD + "\n")
    ran = confide("admin", "user", "survey.toml", "anna")
    assert (ran.code, ran.err, PASSWORD in ran.out) == (0, "", False)
    typed(monkeypatch, PASSWORD + "\n")
    assert confide("admin", "user", "survey.toml", "Bo B.", "--role", "owner").code == 0
    listed = json.loads(confide("admin", "users", "survey.toml", "--json").out)
    assert [(each["name"], each["role"]) for each in listed] == [
        *(("admin", "owner"), ("Bo B.", "owner"), ("anna", "reader"))
    ]
    code = Sessions(store).begin("user anna")
    shown = json.loads(confide("admin", "sessions", "survey.toml", "--json").out)
    assert [each["of"] for each in shown["sessions"]] == ["anna"]
    assert confide("admin", "user", "survey.toml", "anna", "--remove").code == 0
    assert store.read_secret("user anna") is None and not Sessions(store).find_account(code)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("user", "survey.toml", "admin"), "confide admin password"),
        (("user", "survey.toml", "a:b"), "none of them is a colon"),
        (("user", "survey.toml", "anna", "--role", "king"), "--role is owner or reader"),
        (("user", "survey.toml", "nobody", "--remove"), "there is no user 'nobody'"),
        (("link", "survey.toml", "nobody", "--revoke"), "there is no link for 'nobody'"),
        (("link", "survey.toml", " "), "a name has 1 to 60 characters"),
    ],
)
def test_what_cannot_be_done_is_one_line(confide, store, arguments, reason):
    before = store.find_secrets("")
    ran = confide("admin", *arguments)
    assert (ran.code, ran.err.count("\n"), reason in ran.err) == (2, 1, True)
    assert store.find_secrets("") == before


def test_a_link_is_printed_once_and_revoked_by_its_name(confide, store):
    made = confide("admin", "link", "survey.toml", "board", "--address", "https://a.example/s/b/")
    address, code = made.out.strip().split("#")
    assert address == "https://a.example/s/b/admin/shared"
    key = Accounts(store).find_link(code)
    assert key is not None and Accounts(store).find_role(key) is Role.READER
    listed = confide("admin", "users", "survey.toml").out
    assert "board" in listed and code not in listed
    assert confide("admin", "link", "survey.toml", "board", "--revoke").code == 0
    assert Accounts(store).find_link(code) is None
