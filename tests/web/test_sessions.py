"""The administrator's sessions, in either store."""

import pytest
from support.web_surveys import small

from confide.reports.store import open_store
from confide.web.admin.accounts import Accounts
from confide.web.admin.sessions import HOURS, Sessions


@pytest.fixture
def store(new_url):
    opened = open_store(new_url, small().design, by_invitation=False)
    yield opened
    opened.close()


def test_a_session_is_good_until_it_ends_or_is_ended(store, monkeypatch):
    now = [1_000_000.0]
    monkeypatch.setattr("confide.web.admin.sessions.time.time", lambda: now[0])
    sessions = Sessions(store)
    first, second = sessions.begin("password"), sessions.begin("password")
    assert sessions.find_account(first) and sessions.find_account(second)
    sessions.end(first)
    assert not sessions.find_account(first) and sessions.find_account(second)
    now[0] += HOURS * 3600 - 1
    assert sessions.find_account(second)
    now[0] += 1
    assert not sessions.find_account(second)
    assert sessions.list_good() == []
    sessions.begin("password")
    assert len(store.find_secrets("session")) == 1  # what is over is forgotten


def test_sessions_are_listed_with_their_times_and_ended_together(store, monkeypatch):
    now = [1_000_000.0]
    monkeypatch.setattr("confide.web.admin.sessions.time.time", lambda: now[0])
    sessions, codes = Sessions(store), []
    for _ in range(3):
        codes.append(sessions.begin("password"))
        now[0] += 60
    listed = sessions.list_good()
    assert [each.began for each in listed] == [1_000_000, 1_000_060, 1_000_120]
    assert {each.until - each.began for each in listed} == {HOURS * 3600}
    sessions.end_all()
    assert not any(map(sessions.find_account, codes))


def test_another_password_ends_all_sessions(store):
    sessions = Sessions(store)
    code = sessions.begin("password")
    Accounts(store).set_password("a long password")
    assert not sessions.find_account(code)


@pytest.mark.parametrize("code", ["", "x", "é" * 5000, "password", "session "])
def test_what_is_no_code_opens_nothing(store, code):
    store.set_secret("password", b"hash")
    store.set_secret("session", b"k" * 32)  # the key of an earlier release
    assert not Sessions(store).find_account(code)
    assert Sessions(store).list_good() == []
