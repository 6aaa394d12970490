"""The dashboard's counts grow by what came in, and the archive is not read again."""

import secrets

import pytest
from support.web_surveys import small

from confide.counts.stores import count_store
from confide.reports.store import open_store
from confide.reports.submissions import Submission

pytestmark = pytest.mark.slow


def send(survey, store, n):
    """Send reports, one of them damaged; gives the id of one."""
    good = [survey.questionnaire.pack((i % 2, 0), "bc") for i in range(n - 1)]
    sent = [Submission(secrets.token_bytes(16), record) for record in [*good, b"\xff\xff\xff\xff"]]
    store.settle(sent)
    return sent[0].id


def look(client):
    """What the dashboard and programs are shown of all reports."""
    state, counts = client.get("/admin/state").json(), client.get("/api/counts").json()
    patterns = {tuple(each["report"]): each["n"] for each in counts["patterns"]}
    return state["n"], state["damaged"], patterns


def count(survey, store):
    """The same, from all reports of the store."""
    whole = count_store(survey.questionnaire, store)
    rows = zip(whole.counts.patterns.tolist(), whole.counts.reports.tolist(), strict=True)
    return whole.n, whole.damaged, {tuple(report): n for report, n in rows}


@pytest.fixture
def readings(monkeypatch):
    """List the statements by which a store's archive is read."""
    found = []

    def watch(store):
        read = store._read

        def noted(sql):
            if "FROM archive" in sql:
                found.append(sql)
            return read(sql)

        monkeypatch.setattr(store, "_read", noted)
        return found

    return watch


def test_only_new_reports_are_counted(admin, new_url, readings):
    survey = small(minimum=1)
    client = admin(survey, database=new_url)
    reader = open_store(new_url, survey.design)
    found = readings(client.store)
    for n in (20, 31, 45, 20):
        send(survey, client.store, n)
        for _ in range(2):
            assert look(client) == count(survey, reader)
    assert len(found) == 1
    reader.close()


def test_a_deleted_report_is_missed_at_once_though_another_came(admin, new_url):
    survey = small(minimum=1)
    client = admin(survey, database=new_url)
    other = open_store(new_url, survey.design)
    first = send(survey, client.store, 25)
    assert look(client)[:2] == (24, 1)
    assert other.withdraw(first)
    other.settle([Submission(secrets.token_bytes(16), survey.questionnaire.pack((1, 1), "bc"))])
    other.set_open(False)
    assert look(client) == count(survey, other)
    assert look(client)[:2] == (24, 1)
    assert look(client)[2][1, 1] == 1
    other.close()
