"""On which days reports were released: on the overview, in the report, and from the minimum on."""

import re
from html import escape

import pytest
from support.web_reports import send
from support.web_surveys import small

from confide.reports import sql_days
from confide.surveys.page_texts import LANGUAGES
from confide.surveys.results_texts import results_texts_in
from confide.web.admin.release_days import show_days
from confide.web.admin.result_words import ResultWords


def send_on(monkeypatch, survey, store, days):
    """Send so many reports on each day."""
    for day, n in days.items():
        monkeypatch.setattr(sql_days, "find_today", lambda day=day: day)
        send(survey, store, [(1, 0)] * n)


def read_rows(page):
    """The days of a page and their numbers, in the order in which they are shown."""
    return re.findall(r"<bdi>(.+?)</bdi></th><td class=.number.>(.+?)</td>", page)


@pytest.mark.slow
def test_nothing_is_said_of_days_below_the_minimum(admin, monkeypatch):
    survey = small(minimum=50)
    client = admin(survey)
    send_on(monkeypatch, survey, client.store, {"2026-02-27": 20, "2026-02-28": 20})
    page = client.get("/admin").text
    assert "days-title" not in page and "2026-02" not in page
    send_on(monkeypatch, survey, client.store, {"2026-03-02": 20})
    expected = [("2026-02-27", "20"), ("2026-02-28", "20"), ("2026-03-02", "20")]
    assert read_rows(client.get("/admin").text) == expected


@pytest.mark.slow
def test_the_overview_and_the_report_show_days_in_every_language(admin, monkeypatch):
    survey = small(minimum=20)
    client = admin(survey)
    send_on(monkeypatch, survey, client.store, {"2026-02-27": 25, "2026-03-01": 31})
    for language in LANGUAGES:
        for path in ("/admin", "/admin/report"):
            page = client.get(path, params={"language": language}).text
            assert escape(results_texts_in(language)["days_picture"]) in page
            assert read_rows(page) == [("2026-02-27", "25"), ("2026-03-01", "31")]
            assert page.count('<rect class="estimate" x=') == 3  # the day between has a place


def test_days_that_nobody_knows_are_called_earlier():
    words = ResultWords(small(), "en")
    assert show_days(words, {}) is None
    assert show_days(words, {"": 400}) is None
    shown = show_days(words, {"": 14_000, "2026-02-28": 20, "2026-03-02": 40})
    assert shown.rows == [("earlier", "14,000"), ("2026-02-28", "20"), ("2026-03-02", "40")]
    assert shown.heights == [50, 0, 100]
