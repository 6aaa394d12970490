"""Boxes to tick, scales, a matrix, sections for some; several languages; a panel's address."""

import json
import random

import pytest
from support.web_browser import (
    begin,
    find_asked,
    find_violations,
    lock_answers,
    press_next,
    record_requests,
)
from support.web_surveys import plant

from confide.surveys.seal import compute_seal

WORDS = [random.Random(3).randrange(2**32) for _ in range(64)]


def answer_plant(page, part):
    """Answer all that is asked; what part of the plant decides whether the last section is."""
    page.check(f"input[name=q0] >> nth={part}")
    press_next(page)
    page.check("#q2")
    press_next(page)
    page.check("input[name=q3] >> nth=3")
    page.check("input[name=q4] >> nth=1")
    press_next(page)
    page.check("input[name=q5] >> nth=2")
    if part == 0:
        press_next(page)
        page.check("input[name=q6] >> nth=1")
        page.fill("#q7", "40")


@pytest.mark.parametrize(
    ("part", "answers"),
    [(0, [0, 0, 1, 3, 1, 2, 1, 40]), (1, [1, 0, 1, 3, 1, 2, 2, 0])],
    ids=["asked", "skipped"],
)
def test_who_is_not_asked_reports_a_disguised_default_of_the_same_length(
    page, serve, part, answers
):
    """Byte for byte what Python makes of "prefer not to say" and of the lowest number."""
    survey = plant()
    address, _ = serve(survey)
    begin(page, address, WORDS)
    answer_plant(page, part)
    body = json.loads(lock_answers(page))
    codes = survey.questionnaire.disguise_answers(answers, iter(WORDS))
    digits = [field.digits for field in survey.questionnaire.fields]
    assert body["report"] == [str(c).zfill(d) for c, d in zip(codes, digits, strict=True)]
    assert body["mode"] == "cbbbbcbb"


def test_changing_the_clear_answer_opens_and_closes_the_section(page, serve):
    address, _ = serve(plant())
    begin(page, address)
    answer_plant(page, 1)
    lock_answers(page)
    page.click("#change summary")
    assert page.locator("#asked li:visible").count() == 4
    page.click("#asked button >> nth=0")
    page.check("input[name=q0] >> nth=0")
    for asked in ([1, 2], [3, 4], [5], [6, 7]):  # more may be asked: all that follows is shown
        press_next(page)
        assert find_asked(page) == asked
    press_next(page)
    assert page.text_content("#e7") != "" and not page.is_visible("#review")


def test_by_ones_own_coin_the_browser_draws_for_what_is_not_asked(page, serve):
    address, _ = serve(plant())
    page.goto(address)
    page.check("#own")
    page.check("#consent")
    page.click("#start")
    page.check("input[name=q0] >> nth=1")
    press_next(page)
    assert "Draw anew for each question." in page.inner_text(".by-hand:visible")
    page.go_back()
    answer_plant(page, 1)
    assert json.loads(lock_answers(page))["mode"] == "cooooc" + "bb"


@pytest.mark.parametrize(("width", "language"), [(390, "en"), (390, "ar"), (1280, "ar")])
def test_no_kind_has_an_accessibility_violation(page, serve, axe, width, language):
    address, _ = serve(plant())
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{address}/?language={language}")
    assert page.evaluate("document.documentElement.dir") == ("rtl" if language == "ar" else "ltr")
    page.check("#consent")
    assert find_violations(page, axe) == []
    page.click("#start")
    for answer in (["input[name=q0]"], ["#q1"], ["input[name=q3]", "input[name=q4]"], ["#x"]):
        assert find_violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        for each in answer if answer != ["#x"] else ():
            page.check(f"{each} >> nth=0")
        press_next(page)


def test_options_of_a_matrix_stand_under_their_heads(page, serve):
    address, _ = serve(plant())
    page.set_viewport_size({"width": 1280, "height": 800})
    begin(page, address)
    page.check("input[name=q0] >> nth=1")
    press_next(page)
    press_next(page)
    for option in range(4):
        head = page.locator(".head").nth(option).bounding_box()
        for question in (3, 4):
            box = page.locator(f"input[name=q{question}]").nth(option).bounding_box()
            middle = box["x"] + box["width"] / 2
            assert head["x"] < middle < head["x"] + head["width"]


def test_a_language_is_chosen_on_the_page_and_the_link_stays_whole(page, serve):
    """One seal for all languages; nothing but the chosen page is asked for."""
    survey = plant()
    address, store = serve(survey)
    page.goto(f"{address}/#{compute_seal(survey)}")
    requests = []
    record_requests(page, requests)
    page.click("#languages a:has-text('Deutsch')")
    page.wait_for_url(f"{address}/?language=de#{compute_seal(survey)}")
    page.wait_for_selector("#begin:not([hidden])")
    assert page.text_content("#seal") == compute_seal(survey)
    assert "Diese Umfrage führt der Betriebsrat durch" in page.inner_text("#intro")
    page.check("#consent")
    page.click("#start")
    assert "Wo arbeiten Sie?" in page.inner_text("#questions")
    answer_plant(page, 1)
    body = json.loads(lock_answers(page))
    assert {request.method for request in requests} == {"GET"}
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert "Die Ergebnisse kommen im Mai." in page.inner_text("#done")
    assert page.get_attribute("#redirect", "href") == "https://panel.example/done?code=ABC"
    assert store.find_records([bytes.fromhex(body["id"])])
    page.click("#done a >> nth=0")
    page.wait_for_url(f"{address}/receipt?language=de")


def test_a_report_is_the_same_in_every_language(page, serve):
    survey, bodies = plant(), []
    address, _ = serve(survey)
    for language in survey.languages:
        begin(page, f"{address}/?language={language}", WORDS)
        answer_plant(page, 0)
        bodies.append(lock_answers(page))
    assert len(bodies) == 3 and len(set(bodies)) == 1
