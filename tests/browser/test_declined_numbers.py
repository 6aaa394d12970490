"""A number that one may prefer not to say: the box beside it, what is sent, what is explained."""

import json
import random

import pytest
from support.web_browser import begin, find_asked, find_violations, lock_answers, press_next
from support.web_surveys import earnings

import confide as cf

WORDS = [random.Random(5).randrange(2**32) for _ in range(64)]
BOX, NUMBER = "#q1", "#q2"


def open_number(page, serve, survey=None, words=None):
    """Open a survey and go on to its number."""
    address, _ = serve(survey or earnings())
    begin(page, address, words)
    page.check("input[name=q0] >> nth=1")
    press_next(page)
    assert find_asked(page) == [2, 1]


def finish(page):
    """Answer the last question, and give what is ready to be sent."""
    press_next(page)
    page.check("input[name=q3] >> nth=0")
    return json.loads(lock_answers(page))["report"]


@pytest.mark.parametrize("given", [None, 2300])
def test_what_is_sent_is_what_python_makes_of_it_and_of_one_length(page, serve, given):
    survey = earnings()
    open_number(page, serve, words=WORDS)
    if given is None:
        page.check(BOX)
    else:
        page.fill(NUMBER, str(given))
    sent = finish(page)
    answers = {"works": "yes", "income": given, "cheated": "no"}
    codes = survey.questionnaire.disguise(answers, iter(WORDS))
    told = survey.questionnaire.disguise_answers(
        [1, int(given is None), given or 5000, 0], iter(WORDS)
    )
    assert [int(code) for code in sent] == list(codes) == list(told)
    assert [len(code) for code in sent] == [1, 1, 3, 1]


def test_who_is_not_asked_is_reported_as_one_who_prefers_not_to_say(page, serve):
    survey = earnings()
    address, _ = serve(survey)
    begin(page, address, WORDS)
    page.check("input[name=q0] >> nth=0")
    codes = survey.questionnaire.disguise({"works": "no", "cheated": "no"}, iter(WORDS))
    assert [int(code) for code in finish(page)] == list(codes)


def test_one_gives_a_number_or_declines_and_must_do_one_of_both(page, serve):
    open_number(page, serve)
    press_next(page)
    assert find_asked(page) == [2, 1]
    assert page.inner_text("#e2") == "Please answer this question."
    page.fill(NUMBER, "99999")
    press_next(page)
    assert "10,000" in page.inner_text("#e2")
    page.check(BOX)
    assert page.input_value(NUMBER) == ""
    page.focus(NUMBER)
    page.keyboard.type("1200")
    assert not page.is_checked(BOX)
    page.check(BOX)
    press_next(page)
    assert find_asked(page) == [3]
    page.go_back()
    assert page.is_checked(BOX) and page.input_value(NUMBER) == ""


def test_the_box_is_no_question_of_its_own(page, serve):
    open_number(page, serve, earnings(help={"no_income": "Nobody minds."}))
    assert page.inner_text(".decline .help") == "Nobody minds."
    assert page.inner_text("#progress") == "2 of 3"
    assert page.inner_text(".decline .legend").endswith("Prefer not to say")
    page.check(BOX)
    finish(page)
    page.click("#change summary")
    asked = page.locator("#asked li").all_inner_texts()
    assert asked == ["Do you work?", "What do you earn a month?", "Have you ever cheated on taxes?"]
    page.click("#exactly summary")
    rows = page.locator("#told th").all_inner_texts()
    assert rows[1] == "What do you earn a month? – Prefer not to say"


def test_it_says_that_declining_is_disguised_with_the_odds_of_its_weights(page, serve):
    open_number(page, serve)
    page.click(".sheet:not([hidden]) .protection summary")
    said = page.inner_text(".sheet:not([hidden]) .protection")
    assert "If it is “yes”, 5000 euros is disguised in place of your number" in said
    assert "In 4 of 5 cases your answer is sent as it is, in 1 of 5 the opposite." in said
    assert "From the report alone nobody can tell which." in said


def test_noise_with_bounds_is_said_to_tell_that_the_number_was_given(page, serve):
    open_number(page, serve, earnings(cf.UniformNoise(1000)))
    page.click(".sheet:not([hidden]) .protection summary")
    said = page.inner_text(".sheet:not([hidden]) .protection")
    assert "nobody can tell" not in said
    assert "tells true answers for certain" in said


def test_a_page_that_calls_it_hidden_though_the_number_tells_asks_nothing(page, serve):
    """Whoever serves the page may claim what they like; the script compares it with the noise."""
    address, _ = serve(earnings(cf.UniformNoise(1000)))
    hidden = '"certainty":"NEVER","questions":[1]'

    def lie(route):
        answer = route.fetch()
        text = answer.text().replace('"certainty":"SOMETIMES","questions":[1]', hidden)
        assert hidden in text
        route.fulfill(response=answer, body=text)

    page.route(f"{address}/", lie)
    page.goto(address)
    page.wait_for_selector("#stop:not([hidden])")
    assert not page.is_visible("#start")


def test_by_ones_own_coin_the_browser_still_draws_for_it_and_says_so(page, serve):
    address, _ = serve(earnings())
    page.goto(address)
    page.check("#own")
    assert "What do you earn a month?" in page.inner_text("#own-not")
    page.click("#start")
    page.check("input[name=q0] >> nth=1")
    press_next(page)
    assert page.is_visible(".sheet:not([hidden]) .by-browser")
    page.check(BOX)
    press_next(page)
    page.check("input[name=q3] >> nth=0")
    assert json.loads(lock_answers(page))["mode"] == "cbbo"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_it_has_no_accessibility_violation(page, serve, axe, language):
    open_number(page, serve, earnings(language=language))
    page.check(BOX)
    assert find_violations(page, axe) == []
