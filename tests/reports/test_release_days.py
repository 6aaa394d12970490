"""How many reports were released on each day, on both stores: in whole batches, and never less."""

import secrets

import pytest

import confide as cf
from confide.reports import sql_days
from confide.reports.sqlite import SQLiteStore
from confide.reports.store import open_store
from confide.reports.submissions import Submission


@pytest.fixture
def design():
    return cf.Design([cf.YesNo("cheated")], title=secrets.token_hex(8))


@pytest.fixture
def store(url, design):
    store = open_store(url, design, by_invitation=False)
    yield store
    store.close()


@pytest.fixture
def calendar(monkeypatch):
    """Set the day that it is."""
    return lambda day: monkeypatch.setattr(sql_days, "find_today", lambda: day)


def send(store, n):
    sent = [Submission(secrets.token_bytes(16), b"\1c") for _ in range(n)]
    store.settle(sent)
    return [each.id for each in sent]


def test_reports_count_on_the_day_on_which_their_batch_was_complete(store, calendar):
    assert store.count_days() == {}
    calendar("2026-02-27")
    send(store, 15)
    assert store.count_days() == {}
    calendar("2026-02-28")
    send(store, 5)
    send(store, 31)
    calendar("2026-03-01")
    send(store, 19)
    assert store.count_days() == {"2026-02-28": 51}
    send(store, 1)
    assert store.count_days() == {"2026-02-28": 51, "2026-03-01": 20}


def test_who_deletes_a_report_changes_no_day(store, calendar):
    for day in ("2026-02-27", "2026-02-28"):
        calendar(day)
        ids = send(store, 30)
    calendar("2026-03-01")
    before = store.count_days()
    assert store.withdraw(ids[3])
    assert store.count_days() == before and store.count_released() == 59


def test_a_report_that_was_deleted_while_it_waited_is_never_released(store, calendar):
    calendar("2026-02-27")
    assert store.withdraw(send(store, 1)[0])
    send(store, 20)
    assert store.count_days() == {"2026-02-27": 20}


def test_what_is_left_when_a_survey_is_closed_has_no_day_of_its_own(store, calendar):
    calendar("2026-02-27")
    send(store, 20)
    send(store, 3)
    calendar("2026-03-01")
    store.set_open(False)
    assert store.count_days() == {"2026-02-27": 23}


@pytest.mark.parametrize(("n", "days"), [(0, {}), (3, {"2026-02-27": 3})])
def test_a_survey_of_less_than_a_batch_has_one_day_at_most(store, calendar, n, days):
    calendar("2026-02-27")
    send(store, n)
    store.set_open(False)
    assert store.count_days() == days


def test_a_copy_keeps_the_days_and_adds_none(store, design, calendar, tmp_path):
    for day in ("2026-02-27", "2026-02-28"):
        calendar(day)
        send(store, 25)
    calendar("2026-03-01")
    store.backup(tmp_path / "copy.db")
    copy = SQLiteStore(tmp_path / "copy.db", design)
    assert copy.count_days() == store.count_days() == {"2026-02-27": 25, "2026-02-28": 25}
    copy.close()


def test_a_day_is_one_of_utc(store):
    from datetime import UTC, datetime

    before = datetime.now(UTC).date()
    send(store, 20)
    (day,) = store.count_days()
    assert day in {f"{before}", f"{datetime.now(UTC).date()}"}
