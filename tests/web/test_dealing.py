"""Two forms of a survey: who may be dealt to them, the page that deals, and the pool of both."""

import json
import subprocess
from pathlib import Path

import httpx
import pytest
from support.machine import program
from support.web_reports import send
from support.web_surveys import small

import confide as cf
from confide.errors import ConfideError
from confide.reports.store import open_store
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.dealing import Dealing

SCRIPT = Path(__file__).parents[2] / "src/confide/web/static/deal.js"
CHECK = Path(__file__).with_name("check_dealing.mjs")


def form(truth, **page):
    """The same question under one of two designs."""
    group = cf.Group(["cheated"], cf.RelatedQuestion(truth))
    return Survey(cf.Design([cf.YesNo("cheated")], [group], title="Exams"), Page(**page))


FORMS = {"often": form("9/10"), "seldom": form("7/10")}


@pytest.mark.parametrize(
    ("second", "reason"),
    [
        (form("9/10"), "have the same design"),
        (small(), "must ask the same questions"),
        (form("7/10", invitation=True), "an invitation is to one survey"),
    ],
)
def test_people_are_dealt_only_to_two_designs_of_the_same_questions(second, reason):
    with pytest.raises(ConfideError, match=reason) as refused:
        Dealing.among({"a": FORMS["often"], "b": second}, ("a", "b"))
    assert "\n" not in str(refused.value)
    with pytest.raises(ConfideError, match="there is no survey 'c'"):
        Dealing.among(FORMS, ("often", "c"))


def deal(script, times):
    """Be dealt so many times by a script, each time in a new tab."""
    command = [program("node", "nodejs"), CHECK, script, str(times)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout)


def count_surprise(dealt):
    """By how many standard errors the first form was dealt more or less often than evenly."""
    n = len(dealt)
    return abs(dealt.count("first") - n / 2) / (n / 4) ** 0.5


@pytest.mark.slow
def test_a_browser_deals_evenly_and_a_tab_keeps_to_what_it_drew(tmp_path):
    """Of 600 within 5 standard errors; a draw of one in three is found out."""
    dealt = deal(SCRIPT, 600)
    assert set(dealt) == {"first", "second"}
    assert count_surprise(dealt) < 5
    uneven = tmp_path / "deal.js"
    uneven.write_text(SCRIPT.read_text().replace("[0] & 1", "[0] % 3 & 1"))
    assert count_surprise(deal(uneven, 600)) > 5


def test_everyone_gets_the_same_page_which_names_both_forms(serve_several):
    address, served = serve_several({**FORMS, "other": small()}, deal=("often", "seldom"))
    with httpx.Client(base_url=address) as client:
        browsers = [{"User-Agent": each, "Accept-Language": each} for each in ("a", "b", "c")]
        pages = {client.get("/deal/", headers=each).text for each in browsers for _ in range(5)}
        assert len(pages) == 1
        assert '["../s/often/", "../s/seldom/"]' in pages.pop()
        assert "set-cookie" not in client.get("/deal/").headers
        listed = client.get("/").text
        assert "./deal/" in listed and "./s/other/" in listed
        assert "/s/often" not in listed and "/s/seldom" not in listed
        served["seldom"].store.set_open(False)
        assert "./deal/" not in client.get("/").text


@pytest.mark.slow
def test_the_pool_of_both_stores_is_the_crowd_that_was_dealt(tmp_path):
    """Of 3,000 people 30 of 100 say yes: within 5 standard errors, and the mean of both by size."""
    answers = [(int(i % 10 < 3),) for i in range(3_000)]
    crowds = []
    for (name, survey), half in zip(FORMS.items(), (answers[:1_600], answers[1_600:]), strict=True):
        url = f"sqlite:///{tmp_path}/{name}.db"
        store = open_store(url, survey.design, by_invitation=False)
        send(survey, store, half)
        store.close()
        crowds.append(cf.Crowd(survey.design, url))
    pooled = cf.Crowd.pool(crowds).proportion({"cheated": "yes"})
    alone = [crowd.proportion({"cheated": "yes"}) for crowd in crowds]
    assert pooled.n == 3_000
    by_size = sum(each.value * each.n for each in alone) / 3_000
    assert pooled.value == pytest.approx(by_size)
    assert abs(pooled.value - 0.3) < 5 * pooled.standard_error
    swapped = cf.Crowd(FORMS["seldom"].design, f"sqlite:///{tmp_path}/seldom.db")
    wrong = cf.Crowd(FORMS["often"].design, swapped.counts[0].patterns)
    assert abs(wrong.proportion({"cheated": "yes"}).value - 0.3) > 0.05
