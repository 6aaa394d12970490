"""What a respondent meets before the first question: one screen, few words, the rest folded."""

import re

import pytest
from support.web_browser import (
    answer_question,
    find_asked,
    find_violations,
    press_next,
    record_requests,
)
from support.web_surveys import campus, noisy, small, worked, workplace

from confide.web.static_files import SCRIPTS

SURVEYS = {"campus": campus(), "noisy": noisy(), "small": small(), "workplace": workplace()}
SURVEYS["German"] = workplace(language="de")
SURVEYS["gallery"] = worked("workplace-harassment")


@pytest.mark.parametrize("name", SURVEYS)
def test_at_most_120_words_stand_in_the_open_on_one_phone_screen(page, serve, name):
    address, _ = serve(SURVEYS[name])
    page.goto(address)
    page.wait_for_selector("#begin:not([hidden])")
    assert len(re.findall(r"\w[\w'’-]*", page.inner_text("body"))) <= 120
    assert page.evaluate("document.documentElement.scrollHeight") <= 844
    page.click("#practice button >> nth=1")
    assert page.evaluate("document.documentElement.scrollHeight") <= 844
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("name", ["workplace", "gallery"])
def test_eleven_questions_are_read_and_answered_in_three_minutes(page, serve, name):
    """Every word that is shown, read at 200 words a minute."""
    survey = SURVEYS[name]
    assert len(survey.design.questions) == 11
    address, _ = serve(survey)
    page.goto(address)
    page.wait_for_selector("#begin:not([hidden])")
    words = len(page.inner_text("body").split())
    page.check("#consent")
    page.click("#start")
    while asked := find_asked(page):
        words += len(page.inner_text("body").split())
        for position in asked:
            field = survey.questionnaire.fields[position]
            answer_question(page, field, position, 1 if field.finite else int(field.question.low))
        press_next(page)
        # where an answer is not taken, this fails instead of asking for ever
        page.wait_for_selector(f"[data-question='{asked[0]}']", state="hidden")
        if page.is_visible("#review"):
            break
    words += len(page.inner_text("body").split())
    assert words / 200 <= 3


def test_every_file_is_loaded_once(page, serve):
    address, _ = serve(small())
    requests = []
    record_requests(page, requests)
    page.goto(address)
    page.wait_for_selector("#begin:not([hidden])")
    loaded = [request.url.removeprefix(address) for request in requests]
    assert sorted(loaded) == sorted(["/", *(f"/static/{name}" for name in (*SCRIPTS, "style.css"))])


def test_odds_conclusions_and_proofs_are_folded_and_one_click_away(page, serve):
    survey = workplace()
    address, _ = serve(survey)
    page.goto(address)
    page.wait_for_selector("#begin:not([hidden])")
    for folded in ("#cards", "#total", "#seal", "#offline"):
        assert not page.is_visible(folded)
    page.click("#protection > summary")
    told = page.inner_text("#protection")
    for said in ("In 3 of 4 cases", "What someone could conclude", "What is not promised"):
        assert said in told
    assert survey.design.fingerprint in page.text_content("#protection")


def test_the_practice_draw_shows_what_it_says_and_sends_nothing(page, serve):
    """The framed shape is a circle where the answer stays, a square where it is turned."""
    address, _ = serve(small())
    page.goto(address)
    page.wait_for_selector("#practice:not([hidden])")
    sent, seen = [], set()
    record_requests(page, sent)
    assert page.locator("#practice .drawn").count() == 0
    for answer in (0, 1) * 12:
        page.click(f"#practice button >> nth={answer}")
        place = int(float(page.get_attribute("#practice .drawn", "x")) // 24)
        kept = place < page.locator("#practice circle").count()
        said = page.inner_text("#practice-result")
        options = ("No", "Yes")
        report = options[answer if kept else 1 - answer]
        assert f"number {place + 1} of 4" in said
        assert f"“{options[answer]}” would be sent as “{report}”" in said
        seen.add((answer, kept))
    assert {(0, True), (1, True)} <= seen
    assert sent == []


def test_nothing_on_the_page_moves(page, serve):
    address, _ = serve(small())
    page.goto(address)
    page.click("#practice button >> nth=1")
    assert page.locator("animate, marquee, img[src$=gif]").count() == 0
    assert page.evaluate("document.getAnimations().length") == 0


@pytest.mark.parametrize("name", ["noisy", "workplace"])
def test_the_first_screen_has_no_accessibility_violation(page, serve, axe, name):
    address, _ = serve(SURVEYS[name])
    page.goto(address)
    page.wait_for_selector("#begin:not([hidden])")
    assert find_violations(page, axe) == []
    page.check("#own")
    page.click("#protection > summary")
    assert find_violations(page, axe) == []
