"""What the results say of how a question was asked: after which answer, under which words."""

import numpy as np
import pytest
from support.web_reports import send
from support.web_surveys import earnings

import confide as cf
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.admin.asked_only import find_required_answers
from confide.web.admin.result_views import ResultViews
from confide.web.admin.result_words import ResultWords
from confide.web.admin.shown_people import ShownPeople


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


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_box_to_tick_is_shown_with_what_stands_over_it(language):
    design = cf.Design([cf.YesNo("beer", "Beer"), cf.YesNo("wine", "Wine"), cf.YesNo("other")])
    words = {"question": {"beer": {"text": "Bier"}, "wine": {"text": "Wein"}, "other": {}}}
    words["section"] = [{"title": "Was tranken Sie?"}]
    section = {"questions": ["beer", "wine"], "title": "What did you drink?", "look": "several"}
    page = Page(section=[section], language="en", translations={"de": words}, minimum=20)
    survey = Survey(design, page)
    people = ShownPeople(survey, cf.Counts.of(design, np.ones((40, 3), int)))
    cards = ResultViews(ResultWords(survey, language)).list_cards(people)
    said = {"en": "What did you drink?", "de": "Was tranken Sie?"}[language]
    assert [card["context"] for card in cards] == [said, said, ""]


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
