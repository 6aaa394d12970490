"""Sheet by sheet: how far it is, Back and Forward, changing an answer, and leaving."""

import json

from support.web_browser import (
    answer_question,
    answered,
    begin,
    find_asked,
    lock_answers,
    press_next,
    record_requests,
)
from support.web_surveys import campus, small, workplace

ANSWERS = [1, None, 2, 7, 33, 1234.5, 0, 1]


def test_each_sheet_says_how_far_it_is_and_explains_its_own_disguise(page, serve):
    address, _ = serve(campus())
    begin(page, address)
    told = []
    survey = campus()
    while True:
        told.append(page.inner_text("#progress"))
        asked = find_asked(page)
        page.click(".sheet:not([hidden]) .protection summary")
        assert page.inner_text(".sheet:not([hidden]) .protection p >> nth=-1") != ""
        for position in asked:
            if ANSWERS[position] is not None:
                field = survey.questionnaire.fields[position]
                answer_question(page, field, position, ANSWERS[position])
        press_next(page)
        if page.is_visible("#review"):
            break
    assert told == ["1 of 8", "2 of 8", "3 of 8", "4 of 8", "5 of 8", "6 of 8", "7 to 8 of 8"]


def test_back_and_forward_keep_the_answers_in_memory_alone(page, serve):
    survey = campus()
    address, _ = serve(survey)
    begin(page, address)
    answered(page, survey, ANSWERS)
    requests = []
    record_requests(page, requests)
    page.click("#questions .back")
    assert find_asked(page) == [5] and page.input_value("#q5") == "1234.5"
    page.go_back()
    assert find_asked(page) == [4] and page.input_value("#q4") == "33"
    for _ in range(4):
        page.go_back()
    assert find_asked(page) == [0] and page.is_checked("input[name=q0] >> nth=1")
    page.go_back()
    assert page.is_visible("#start") and not page.is_visible("#questions")
    for expected in range(6):
        page.go_forward()
        assert find_asked(page) == [expected]
    assert page.input_value("#q4") == "33"
    assert requests == [] and page.url == f"{address}/"
    assert page.evaluate("Object.keys(history.state)") == ["step"]
    page.go_forward()
    sent = json.loads(lock_answers(page))["report"]
    assert len(sent) == 8 and sent[4] == "17"


def test_going_forward_after_a_change_locks_the_change_and_no_new_draw(page, serve):
    survey = small()
    address, _ = serve(survey)
    begin(page, address, [0] * 8)  # the draw that turns yes into no
    answered(page, survey, [1, 0])
    first = json.loads(lock_answers(page))
    page.go_back()
    page.check("input[name=q1] >> nth=1")
    page.go_forward()
    page.wait_for_selector("#review:not([hidden])")
    second = json.loads(page.text_content("#bytes"))
    assert (first["report"], second["report"]) == (["0", "0"], ["0", "1"])
    assert first["id"] == second["id"]


def test_forward_never_leads_past_a_missing_answer(page, serve):
    survey = small()
    address, _ = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 0])
    lock_answers(page)
    page.click("#discard")
    assert find_asked(page) == [0]
    page.go_back()  # to the review, where nothing is answered any more
    assert find_asked(page) == [0] and page.text_content("#e0") != ""
    assert not page.is_visible("#review")


def test_an_answer_is_changed_from_the_review_and_the_review_follows(page, serve):
    survey = workplace()
    address, _ = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 1, 0, 1, 2, 40, 1, 0, 2, 30, 5])
    before = json.loads(lock_answers(page))
    assert not page.is_visible("#asked")
    page.click("#change summary")
    page.click("#asked button:has-text('How old are you?')")
    assert find_asked(page) == [9] and page.input_value("#q9") == "30"
    assert page.inner_text("#next") == "To the review"
    page.fill("#q9", "300")
    press_next(page)
    assert page.text_content("#e9") == "Please enter a number from 16 to 80."
    page.fill("#q9", "31")
    page.keyboard.press("Enter")
    page.wait_for_selector("#review:not([hidden])")
    after = json.loads(page.text_content("#bytes"))
    assert [q for q in range(11) if before["report"][q] != after["report"][q]] == [9]
    assert after["report"][9] == "15" and after["id"] == before["id"]


def test_once_sending_began_nothing_leads_back(page, serve):
    """Another answer with the same draw would tell more than either."""
    survey = small()
    address, store = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 0])
    shown = lock_answers(page)
    page.context.set_offline(True)
    page.click("#send")
    page.wait_for_selector("#status:has-text('Try again')")
    for gone in ("#change", "#discard", "#review .back"):
        assert not page.is_visible(gone)
    page.go_back()
    assert page.is_visible("#review") and not page.is_visible("#questions")
    page.context.set_offline(False)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    page.go_back()
    assert page.is_visible("#done") and store.count() == 1
    assert store.find_records([bytes.fromhex(json.loads(shown)["id"])])


def asks_before_leaving(page):
    """Whether the page wants the browser to ask before it is left.

    Debian's Chromium asks no driver: the page is given the event that a browser sends.
    """
    return page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def test_the_page_asks_before_answers_are_lost_and_not_otherwise(page, serve):
    survey = small()
    address, _ = serve(survey)
    begin(page, address)
    assert not asks_before_leaving(page)
    page.check("input[name=q0] >> nth=1")
    assert asks_before_leaving(page)
    answered(page, survey, [1, 0])
    lock_answers(page)
    assert asks_before_leaving(page)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert not asks_before_leaving(page)


def test_the_quick_exit_asks_nothing(page, serve):
    address, _ = serve(small())
    begin(page, address)
    page.check("input[name=q0] >> nth=1")
    told = []
    page.on("console", lambda message: told.append(message.text))
    page.evaluate(
        "addEventListener('beforeunload', (event) => console.log('asks', event.defaultPrevented))"
    )
    page.click("#exit")
    page.wait_for_url("about:blank")
    assert [each for each in told if each.startswith("asks")] == ["asks false"]


def test_a_reload_starts_at_the_first_screen_and_steps_do_not_reach_ahead(page, serve):
    survey = small()
    address, _ = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 0])
    page.reload()
    page.wait_for_selector("#begin:not([hidden])")
    assert page.is_visible("#start") and page.evaluate("history.state") is None
    page.click("#start")
    assert find_asked(page) == [0] and page.locator("input:checked").count() == 0
    page.go_back()
    assert page.is_visible("#start")
