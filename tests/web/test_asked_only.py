"""Questions that were asked only after an answer: the results say so, and lead to who was asked."""

import numpy as np
import pytest
from support.web_reports import send
from support.web_surveys import earnings

import confide as cf
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.admin.asked_only import find_required_answers


def nested(**page):
    """A question asked only after an answer that was asked for only after another."""
    design = cf.Design(
        [cf.YesNo("works"), cf.Choice("where", ["field", "office"]), cf.YesNo("hurt")],
        [cf.Group(["hurt"], cf.RelatedQuestion("3/4"))],
    )
    sections = [
        {"questions": ["where"], "only_if": {"question": "works", "answer": "yes"}},
        {"questions": ["hurt"], "only_if": {"question": "where", "answer": "field"}},
    ]
    return Survey(design, Page(section=sections, **page))


def test_answers_are_required_one_after_the_other():
    survey = nested()
    assert find_required_answers(survey, "works") == []
    assert find_required_answers(survey, "where") == [("works", "yes")]
    assert find_required_answers(survey, "hurt") == [("works", "yes"), ("where", "field")]
    assert find_required_answers(earnings(), "no_income") == [("works", "yes")]


@pytest.mark.slow
def test_the_results_say_who_was_asked_and_lead_there(admin):
    """Nobody who was not asked is among those who are led to, though they report a stand-in."""
    survey = nested(minimum=20)
    client = admin(survey)
    works = np.random.default_rng(1).random(200) < 0.5
    send(survey, client.store, [(int(w), 0, int(w)) for w in works])
    said = "Asked only after: works – Yes; where – field."
    link = "/admin/question/hurt?among=works%3Dyes&amp;among=where%3Dfield"
    for path in ("/admin", "/admin/question/hurt"):
        page = client.get(path).text
        assert said in page and link in page
    assert said in (report := client.get("/admin/report").text) and "href" not in report
    crossed = client.get("/admin/cross", params={"row": "works", "column": "hurt"}).text
    assert "Asked only after: where – field." in crossed
    alone = client.get(link.replace("&amp;", "&")).text
    assert "Asked only after" not in alone and f"about {works.sum()} of 200 people" in alone
