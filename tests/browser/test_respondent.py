"""The page in a real browser: what it sends, what it keeps, and who can use it."""

import json
import os
import random
import time
from dataclasses import replace

import pytest
from support.blinding import hash_token
from support.web_browser import (
    answered,
    begin,
    find_asked,
    find_violations,
    hurry,
    lock_answers,
    press_next,
    record_requests,
)
from support.web_reports import PASSWORD, send
from support.web_surveys import ARABIC, campus, noisy, small, worked

from confide.reports.invitation_store import Redemption
from confide.reports.wire import TICKET, Report, receipt_id, write_report
from confide.surveys.page_texts import LANGUAGES
from confide.surveys.survey import Survey
from confide.web.blind_signatures import load_signing_key

RECEIPT = "000102030405060708090a0b0c0d0e0f"


def read_stored(survey, store, sent):
    """The codes and modes that the store keeps of a report, also while it waits for its batch."""
    report_id = bytes.fromhex(json.loads(sent)["id"])
    return survey.questionnaire.unpack(store.find_records([report_id])[report_id])


def open_receipt_page(page):
    """Follow the link; both pages have an element that is called receipt."""
    page.click("#done a")
    page.wait_for_selector("input#receipt")


def test_the_bytes_sent_are_pythons_byte_for_byte(page, serve):
    survey = campus()
    address, store = serve(survey)
    words = [random.Random(5).randrange(2**32) for _ in range(64)]
    answers = [1, None, 2, 7, 33, 1234.5, 0, 1]
    bodies = []
    page.on("request", lambda r: r.method == "POST" and bodies.append(r.post_data_buffer))
    begin(page, address, words)
    answered(page, survey, answers)
    shown = lock_answers(page)
    assert bodies == []
    page.focus("#send")
    page.keyboard.press("Enter")
    page.wait_for_selector("#done:not([hidden])")
    answers[1] = 2  # left out: prefer not to say
    codes = survey.questionnaire.disguise_answers(answers, iter(words))
    expected = write_report(
        survey.questionnaire, Report(receipt_id(RECEIPT), "", survey.questionnaire.modes(), codes)
    )
    assert bodies == [expected]
    assert shown.encode() == expected
    assert page.text_content("#receipt").replace(" ", "") == RECEIPT
    assert read_stored(survey, store, shown) == (codes, survey.questionnaire.modes())


def test_a_number_is_sent_with_pythons_noise_and_the_receipt_shows_it(page, serve):
    survey = noisy()
    address, store = serve(survey)
    words = [random.Random(8).randrange(2**32) for _ in range(16)]
    begin(page, address, words)
    answers = [33, 1, 71.5, 4]
    answered(page, survey, answers)
    codes = survey.questionnaire.disguise_answers(answers, iter(words))
    told = [
        field.label(code) for field, code in zip(survey.questionnaire.fields, codes, strict=True)
    ]
    assert told[0] != "33" and told[2] != "71.5"
    shown = lock_answers(page)
    for number in (told[0], told[2], told[3]):
        assert number in page.text_content("#told")
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    expected = write_report(
        survey.questionnaire, Report(receipt_id(RECEIPT), "", survey.questionnaire.modes(), codes)
    )
    assert shown.encode() == expected
    assert read_stored(survey, store, shown) == (codes, "bbbb")
    open_receipt_page(page)
    page.fill("#receipt", RECEIPT)
    page.click("#show")
    page.wait_for_selector("#report:not([hidden])")
    assert told[2] in page.text_content("#told")


def test_the_receipt_shows_and_deletes_the_report(page, serve):
    survey = small()
    address, store = serve(survey)
    begin(page, address, [0] * 8)
    answered(page, survey, [1, 1])
    lock_answers(page)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    receipt = page.text_content("#receipt")
    open_receipt_page(page)
    page.fill("#receipt", receipt)
    page.keyboard.press("Enter")
    page.wait_for_selector("#report:not([hidden])")
    assert "law" in page.text_content("#told")
    page.click("#delete")
    page.wait_for_selector("#status:has-text('Tick first')")
    assert store.count() == 1
    page.check("#sure")
    page.click("#delete")
    page.wait_for_selector("#status:has-text('is deleted')")
    assert store.count() == 0


# The words of a table that stand in two lines.
BROKEN = r"""(cells) => cells.flatMap((cell) => {
  const broken = [];
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    for (const { index, 0: word } of texts.currentNode.data.matchAll(/\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
})"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_sent_is_read_on_a_small_phone_without_a_word_broken_in_two(page, serve, language):
    page.set_viewport_size({"width": 360, "height": 740})
    survey = worked("workplace-harassment")
    survey = Survey(survey.design, replace(survey.page, language=language))
    address, _ = serve(survey)
    begin(page, address)
    answered(page, survey, [1] * len(survey.questionnaire.fields))
    lock_answers(page)
    page.click("#exactly summary")
    assert page.locator("#told td").evaluate_all(BROKEN) == []


def test_what_is_no_receipt_is_told_what_one_looks_like_and_not_that_it_was_deleted(page, serve):
    address, _ = serve(small())
    page.goto(f"{address}/receipt")
    for given in ("", "my receipt", "00" * 15, "00" * 17, "g0" * 16, "0" * 5000):
        page.fill("#receipt", given)
        page.check("#sure")
        for button in ("#show", "#delete"):
            page.evaluate("document.getElementById('status').textContent = ''")
            page.click(button)
            page.wait_for_selector("#status:has-text('32 characters')")
            assert "deleted" not in page.text_content("#status")
    page.fill("#receipt", "00" * 16)
    page.click("#show")
    page.wait_for_selector("#status:has-text('may have been deleted')")


def test_changing_answers_and_discarding_never_draw_again(page, serve):
    survey = small()
    address, _ = serve(survey)
    begin(page, address)
    reports = {}
    for _ in range(3):
        for answer in (0, 1):
            answered(page, survey, [answer, 0])
            body = lock_answers(page)
            assert reports.setdefault(answer, body) == body
            page.click("#discard")
            assert page.locator("#questions input:checked").count() == 0


def test_a_reload_before_sending_draws_again(page, serve):
    """Nothing was sent, so nobody learns anything; kept draws would stay on the disk."""
    survey = small()
    address, _ = serve(survey)
    begin(page, address)
    ids = set()
    for _ in range(3):
        answered(page, survey, [1, 0])
        ids.add(json.loads(lock_answers(page))["id"])
        page.reload()
        page.click("#start")
    assert len(ids) == 3


def test_nothing_is_kept_in_the_browser_before_sending(page, serve):
    survey = small()
    address, _ = serve(survey)
    for answers in ([0, 0], [1, 1]):
        page.context.clear_cookies()
        begin(page, address, [3, 8] * 8)
        answered(page, survey, answers)
        lock_answers(page)
        kept = page.evaluate(
            """async () => [{...sessionStorage}, {...localStorage}, document.cookie,
            location.href, Object.keys(history.state), document.title, window.name,
            (await indexedDB.databases()).length, (await caches.keys()).length]"""
        )
        assert kept == [{}, {}, "", f"{address}/", ["step"], "Small", "", 0, 0]
    assert page.context.cookies() == []


def test_what_will_be_sent_is_folded_away_until_someone_asks(page, serve):
    survey = small()
    address, _ = serve(survey)
    begin(page, address)
    for _ in range(2):
        answered(page, survey, [1, 0])
        lock_answers(page)
        assert not page.is_visible("#told") and not page.is_visible("#bytes")
        assert "may differ from what you answered" in page.inner_text("#review")
        assert "Whether it does, nobody can tell from the report alone." in page.inner_text(
            "#review"
        )
        page.click("text=See exactly what is sent")
        assert page.is_visible("#told") and page.is_visible("#bytes")
        page.click("#discard")


def test_any_answers_make_one_request_of_one_length(page, serve):
    """Fifteen sets of random answers; 200 with CONFIDE_FAULTS=full."""
    survey = campus()
    address, store = serve(survey)
    generator = random.Random(11)
    requests = []
    record_requests(page, requests)
    lengths, addresses = set(), set()
    page.goto(address)
    for number in range(200 if os.environ.get("CONFIDE_FAULTS") == "full" else 15):
        page.evaluate("sessionStorage.clear()")
        page.reload(wait_until="load")
        loaded = len(requests)
        answers = [_answer(field, generator) for field in survey.questionnaire.fields]
        page.evaluate(ANSWER, answers)
        page.wait_for_selector("#review:not([hidden])")
        assert len(requests) == loaded, "something was sent before Send"
        page.evaluate("document.getElementById('send').click()")
        page.wait_for_selector("#done:not([hidden])")
        (sent,) = requests[loaded:]
        headers = sent.all_headers()
        lengths.add((len(sent.post_data_buffer), tuple(sorted(set(headers) - {"content-length"}))))
        addresses.add((sent.method, sent.url))
        assert "cookie" not in headers
        assert "referer" not in headers
        assert store.count() == number + 1
        del requests[:]
    assert len(lengths) == 1
    assert addresses == {("POST", f"{address}/report")}


# As a person would, but all at once: so many times by keyboard would take minutes.
ANSWER = """(answers) => {
  document.getElementById("consent").click();
  document.getElementById("start").click();
  answers.forEach((answer, q) => {
    const radio = document.querySelector(`input[name=q${q}][value="${answer}"]`);
    if (radio) radio.click(); else document.getElementById(`q${q}`).value = answer;
  });
  document.querySelectorAll(".sheet").forEach(() => document.getElementById("next").click());
}"""


def _answer(field, generator):
    if field.finite:
        return generator.randrange(field.size)
    return generator.randint(int(field.number.low), int(field.number.high))


def test_by_ones_own_coin_the_choice_is_sent_as_it_is_and_says_so(page, serve):
    survey = small()
    address, store = serve(survey)
    begin(page, address, [0] * 8)  # the browser would have sent the opposite of yes
    assert survey.questionnaire.disguise_answers([1, 0], iter([0] * 8)) == (0, 0)
    answered(page, survey, [1, 0])
    page.go_back()
    page.go_back()
    page.check("#own")
    page.click("#start")
    assert page.is_visible(".by-hand")
    assert page.locator("input[name=q0]:checked").count() == 0  # never the one as the other
    answered(page, survey, [1, 0])
    shown = lock_answers(page)
    body = json.loads(shown)
    assert (body["mode"], body["report"]) == ("oc", ["1", "0"])
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert read_stored(survey, store, shown) == ((1, 0), "oc")


def test_who_draws_by_their_own_coin_leaves_nothing_out(page, serve):
    """What is left out would be sent as it is, though the page says it is disguised."""
    survey = campus()
    address, _ = serve(survey)
    begin(page, address)
    press_next_after(page, "input[name=q0] >> nth=1")
    assert page.is_visible(".optional >> nth=0")
    page.go_back()
    page.go_back()
    page.check("#own")
    page.click("#start")
    press_next_after(page, "input[name=q0] >> nth=1")
    assert not page.is_visible(".optional >> nth=0")
    press_next(page)
    assert page.text_content("#e1") != "" and find_asked(page) == [1]
    answered(page, survey, [1, 2, 2, 7, 33, 1234.5, 0, 1])
    assert json.loads(lock_answers(page))["report"][1] == "2"


def press_next_after(page, choice):
    page.check(choice)
    press_next(page)


def test_a_number_between_the_possible_ones_is_not_rounded_in_silence(page, serve):
    survey = campus()
    address, _ = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 0, 2, 7, 33.5, 1234.5, 0, 1])
    assert page.text_content("#e4") != "" and find_asked(page) == [4]
    assert page.input_value("#q4") == "33.5"  # nothing is lost by a typo


def test_figure_eight_shows_the_private_and_the_personal_question(page, serve):
    import confide as cf
    from confide.surveys.page_settings import Page
    from confide.surveys.survey import Survey

    personal = {"cheated": {"yes": "1/4", "no": "3/4"}}
    group = cf.Group(["cheated"], cf.UnrelatedQuestion("1/2", personal))
    design = cf.Design([cf.YesNo("cheated", "Ever cheated?")], [group])
    asked = "Were you born in the first three months of a year?"
    address, _ = serve(Survey(design, Page(personal={"cheated": asked})))
    page.goto(address)
    page.check("#own")
    page.click("#start")
    told = page.inner_text(".by-hand")
    assert "toss a coin, heads is 1, tails is 2" in told
    assert "If it is 1: answer the question as it is." in told
    assert f"If it is 2: answer this question instead: {asked}" in told
    assert page.locator("input[type=radio]").count() == 2


def test_questions_left_out_are_named_and_nothing_is_locked(page, serve):
    survey = campus()
    address, _ = serve(survey)
    begin(page, address)
    press_next(page)
    assert page.text_content("#e0") == "Please answer this question."
    assert page.evaluate("document.activeElement.name") == "q0"
    answered(page, survey, [1, None, 2, 7, 15, 1, 1, 1])
    assert page.text_content("#e1") == ""  # may be left out
    assert page.text_content("#e4") == "Please enter a number from 16 to 80."
    assert page.evaluate("document.activeElement.id") == "q4"
    assert not page.is_visible("#review")


def test_a_failed_sending_is_tried_again_with_the_same_bytes(page, serve):
    survey = small()
    address, store = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 0])
    lock_answers(page)
    bodies = []
    page.on("request", lambda r: r.method == "POST" and bodies.append(r.post_data_buffer))
    page.context.set_offline(True)
    page.click("#send")
    page.wait_for_selector("#status:has-text('try again')")
    page.context.set_offline(False)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert bodies[0] == bodies[1]
    assert store.count() == 1
    page.reload()
    assert "already sent" in page.text_content("#stop")


def test_the_practice_question_sends_nothing_and_shows_its_chance(page, serve):
    address, _ = serve(small())
    page.goto(address)
    sent = []
    record_requests(page, sent)
    for _ in range(5):
        page.click("#practice button >> nth=1")
    assert "Chance drew number" in page.text_content("#practice-result")
    assert sent == []


def test_an_invited_person_buys_a_ticket_and_sends_a_report_that_does_not_name_them(page, serve):
    """What is sent is what was shown, but for the ticket, which is good for this id alone."""
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    page.goto(address)
    assert "by invitation" in page.text_content("#stop")
    token = invited(store)
    begin(page, f"{address}/#{token}")
    page.reload()
    page.click("#start")
    answered(page, survey, [1, 0])
    shown = lock_answers(page)
    assert '"ticket":""' in shown and token not in shown
    assert "buys a ticket" in page.inner_text("#review")
    posts = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r))
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert (store.count(), store.count_invitations()) == (1, (1, 0))
    assert [each.url for each in posts] == [f"{address}/ticket", f"{address}/report"]
    assert set(posts[0].post_data_json) == {"token", "blinded"}
    assert posts[0].post_data_json["token"] == token
    ticket = posts[1].post_data_json["ticket"]
    assert posts[1].post_data == shown.replace('"ticket":""', f'"ticket":"{ticket}"')
    key, bought = load_signing_key(store), bytes.fromhex(ticket)
    assert key.verify(bought[:32] + bytes.fromhex(json.loads(shown)["id"]), bought[32:])
    for said in (token, posts[0].post_data_json["blinded"]):
        assert said not in posts[1].post_data + str(posts[1].all_headers())
    assert page.evaluate("Object.values(sessionStorage)") == ['"sent"']


@pytest.mark.slow
def test_the_report_follows_the_ticket_after_a_pause_that_nobody_foresees(page, serve):
    survey = small(invitation=True)
    address, store = serve(survey)
    pauses = []
    for number in range(2):
        page.goto("about:blank")
        begin(page, f"{address}/#{invited(store, number)}")
        answered(page, survey, [1, 0])
        lock_answers(page)
        with page.expect_response("**/ticket"):
            page.click("#send")
        start = time.monotonic()
        with page.expect_request("**/report"):
            page.wait_for_selector("#status:has-text('leave this page open')")
        pauses.append(time.monotonic() - start)
        page.wait_for_selector("#done:not([hidden])")
    assert all(0.9 < each < 7 for each in pauses)
    assert abs(pauses[0] - pauses[1]) > 0.001


def test_a_ticket_of_another_key_is_not_taken_and_nothing_is_sent(page, serve):
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    begin(page, f"{address}/#{invited(store)}")
    answered(page, survey, [1, 0])
    lock_answers(page)
    page.route("**/ticket", lambda route: route.fulfill(json={"signature": "01" * 256}))
    posts = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r.url))
    page.click("#send")
    page.wait_for_selector("#status:has-text('not signed with the key of this survey')")
    page.wait_for_timeout(200)
    assert posts == [f"{address}/ticket"]
    page.unroute("**/ticket")
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert store.count() == 1


@pytest.mark.parametrize("left", [False, True], ids=["no answer", "left meanwhile"])
def test_after_a_lost_ticket_the_same_is_asked_for_again(page, serve, left):
    """The blinding is kept until the ticket is there, for the same bytes and no others."""
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    begin(page, f"{address}/#{invited(store)}")
    answered(page, survey, [1, 0])
    shown = lock_answers(page)
    asked = []

    def signed_but_unheard(route):
        asked.append(route.request.post_data)
        route.fetch()
        if not left:
            route.abort()

    page.route("**/ticket", signed_but_unheard)
    page.click("#send")
    if left:
        page.wait_for_timeout(500)
    else:
        page.wait_for_selector("#status:has-text('Try again')")
    assert store.count_invitations() == (1, 0)
    page.reload()
    page.unroute("**/ticket")
    page.wait_for_selector("#review:not([hidden])")
    assert page.text_content("#bytes") == shown
    (kept,) = page.evaluate("Object.values(sessionStorage)")
    assert set(json.loads(kept)) == {"bytes", "blinding"}
    assert set(json.loads(kept)["blinding"]) == {"message", "blinded", "inverse"}
    page.on("request", lambda r: r.url.endswith("/ticket") and asked.append(r.post_data))
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert len(asked) == 2 and asked[0] == asked[1]
    assert store.count() == 1
    assert page.evaluate("Object.values(sessionStorage)") == ['"sent"']


def test_without_javascript_nothing_can_be_sent_and_the_own_coin_is_explained(chromium, serve):
    address, _ = serve(small())
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address)
    assert "needs JavaScript" in page.inner_text("noscript")
    assert "toss two coins" in page.inner_text("noscript")
    assert not page.is_visible("#questions")
    assert not page.is_visible("#start")
    assert page.locator("form").count() == 0
    context.close()


def test_in_an_insecure_context_the_page_refuses_and_says_why(page, serve):
    address, _ = serve(small())
    port = address.rsplit(":", 1)[1]
    page.route(
        "http://survey.example/**",
        lambda route: route.fulfill(
            response=route.fetch(
                url=route.request.url.replace("survey.example", f"127.0.0.1:{port}")
            )
        ),
    )
    page.goto("http://survey.example/")
    page.wait_for_selector("#stop:not([hidden])")
    assert "https://" in page.text_content("#stop")
    assert not page.is_visible("#start")


def test_leaving_wipes_the_answers_and_going_back_does_not_bring_them(page, serve):
    survey = small()
    address, _ = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 1])
    page.click("#exit")
    page.wait_for_url("about:blank")
    begin(page, address)
    answered(page, survey, [1, 1])
    page.goto(f"{address}/receipt")
    page.go_back()
    page.wait_for_load_state()
    assert page.locator("input[type=radio]:checked").count() == 0


def test_the_page_draws_by_chance_of_the_browser_as_often_as_it_says(page, serve):
    """Two thousand draws by the page's own modules: within 5 standard errors of 3/4."""
    address, _ = serve(small())
    page.goto(address)
    counted = page.evaluate(
        """async () => {
          const { draw, disguise, secureWords } = await import("/static/sampler.js");
          const { blocks } = JSON.parse(document.getElementById("survey").textContent);
          const words = secureWords();
          let kept = 0;
          for (let i = 0; i < 2000; i++) {
            kept += disguise(blocks[0].weights, draw([blocks[0].weights], words)[0], [1])[0];
          }
          return kept;
        }"""
    )
    error = (0.75 * 0.25 / 2000) ** 0.5
    assert abs(counted / 2000 - 0.75) < 5 * error
    assert abs(counted / 2000 - 0.65) > 5 * error


@pytest.mark.parametrize("language", ["en", "ar"])
def test_no_page_has_an_accessibility_violation(page, serve, axe, language):
    survey = campus(language=language, texts=ARABIC if language == "ar" else {})
    address, _ = serve(survey)
    page.goto(address)
    assert find_violations(page, axe) == []
    page.click("#practice button >> nth=1")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.check("#own")
    page.check("#consent")
    assert find_violations(page, axe) == []
    page.click("#start")
    while asked := find_asked(page):
        press_next(page)  # with every message shown
        if find_asked(page) == asked:
            assert find_violations(page, axe) == []
            for question in page.locator(".question:visible").all():
                if (text := question.locator("input[type=text]")).count():
                    text.fill("30")
                elif (choices := question.locator("select")).count():
                    choices.select_option(index=2)
                else:
                    question.locator("input").first.check()
            press_next(page)
        if page.is_visible("#review"):
            break
    assert find_violations(page, axe) == []
    page.click("#change summary")
    assert find_violations(page, axe) == []
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert find_violations(page, axe) == []
    page.click("#done a")
    page.wait_for_selector("#show")
    assert find_violations(page, axe) == []
    page.goto(f"{address}/upload")
    assert find_violations(page, axe) == []


def test_reports_that_come_before_the_dashboards_first_look_are_shown(page, serve):
    """Before, the first look was taken for what the page showed, until another report came."""
    survey, sent = campus(wanted=100), []
    address, store = serve(survey)

    def send_first(route):
        if not sent:
            sent.append(True)
            rows = [(i % 2, 0, i % 3, i % 12, 20 + i, 10.0 * i, 1, 0) for i in range(60)]
            send(survey, store, rows)
        route.continue_()

    page.route("**/admin/state", send_first)
    page.goto(f"{address}/admin/welcome?key={serve.link(address)}")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#n:has-text('60')", timeout=30_000)
    assert sent


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_dashboard_is_live_and_has_no_accessibility_violation(page, serve, axe, scheme):
    survey = campus(wanted=100)
    address, store = serve(survey)
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/admin/welcome?key={serve.link(address)}")
    assert find_violations(page, axe) == []
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#too-few:not([hidden])")
    send(survey, store, [(i % 2, 0, i % 3, i % 12, 20 + i, 10.0 * i, 1, 0) for i in range(60)])
    page.wait_for_selector("#n:has-text('60')", timeout=60_000)
    page.wait_for_selector(".result", timeout=60_000)
    assert page.locator(".result").count() == len(survey.questionnaire.fields)
    assert find_violations(page, axe) == []
    page.goto(f"{address}/admin/login")
    assert find_violations(page, axe) == []


def test_nothing_of_another_origin_can_be_reached_from_the_page(page, serve):
    address, _ = serve(small())
    page.goto(address)
    blocked = page.evaluate(
        """() => new Promise((resolve) => {
          const seen = [];
          addEventListener("securitypolicyviolation", (e) => seen.push(e.effectiveDirective));
          const image = document.createElement("img");
          image.src = "https://elsewhere.example/x.png";
          document.body.append(image);
          fetch("https://elsewhere.example/").catch(() => {});
          setTimeout(() => resolve([seen.sort(), window.open("about:blank")]), 300);
        })"""
    )
    assert blocked == [["connect-src", "img-src"], None]


def test_the_offline_form_saves_the_same_bytes_and_the_upload_sends_them(page, serve, tmp_path):
    from confide.web.respondent.survey_page import render_offline_page

    survey = small()
    address, store = serve(survey)
    form = tmp_path / "survey.html"
    form.write_text(render_offline_page(survey, "en"), encoding="utf-8")
    requests = []
    record_requests(page, requests)
    words = [7, 9, 11, 13]
    begin(page, form.as_uri(), words)
    answered(page, survey, [1, 0])
    shown = lock_answers(page)
    with page.expect_download() as download:
        page.click("#send")
    saved = tmp_path / "report.json"
    download.value.save_as(saved)
    codes = survey.questionnaire.disguise_answers([1, 0], iter(words))
    expected = write_report(
        survey.questionnaire, Report(receipt_id(RECEIPT), "", survey.questionnaire.modes(), codes)
    )
    assert saved.read_bytes() == shown.encode() == expected
    assert {request.url.split(":")[0] for request in requests} <= {"file", "blob"}
    assert store.count() == 0
    page.goto(f"{address}/upload")
    page.set_input_files("#file", saved)
    page.click("#send")
    page.wait_for_selector("#status:has-text('arrived')")
    assert read_stored(survey, store, shown)[0] == codes


def test_the_offline_form_can_be_downloaded_from_the_page(page, serve):
    address, _ = serve(small())
    page.goto(address)
    page.click("#protection > summary")
    page.click("text=Answer offline")
    with page.expect_download() as download:
        page.click("a[download]")
    assert "Content-Security-Policy" in download.value.path().read_text(encoding="utf-8")


def numbers(**page):
    import confide as cf
    from confide.surveys.page_settings import Page
    from confide.surveys.survey import Survey

    questions = [
        cf.Number("income", 0, 10_000, "Your income", step=100),
        cf.Number("weight", 30, 150, "Your weight", unit="kg", step=0.5),
        cf.Number("age", 16, 79, "Your age", step=7),
        cf.Number("change", -1, 1, "How has it changed?", step=0.1),
        cf.Number("fortune", 0, 2_000_000_000, "Your fortune", step=500_000),
        cf.Number("height", 0, 2.5, "Your height", unit="m"),
    ]
    return Survey(cf.Design(questions, title="Numbers"), Page(**page))


# what is typed, and the code sent or what the page says; English marks are turned for German
TYPED = [
    (0, "2350", "The nearest possible numbers are 2300 and 2400."),
    (0, "2,300", 23),
    (0, "2 300", 23),
    (0, "9950.0001", "The nearest possible numbers are 9900 and 10,000."),
    (0, "10,000", 100),
    (0, "10100", "Please enter a number from 0 to 10,000."),
    (0, "-1", "Please enter a number from 0 to 10,000."),
    (0, "much", "Please enter a number from 0 to 10,000."),
    (0, "1e3", "Please enter a number from 0 to 10,000."),
    (0, "", "Please answer this question."),
    (1, "71.5", 83),
    (1, "71.25", "The nearest possible numbers are 71 and 71.5."),
    (2, "30", 2),
    (2, "31", "The nearest possible numbers are 30 and 37."),
    (2, "80", "Please enter a number from 16 to 79."),
    (3, "-0.3", 7),
    (3, "−0.3", 7),
    (3, ".3", 13),
    (3, "0.25", "The nearest possible numbers are 0.2 and 0.3."),
    (4, "1,999,500,000", 3999),
    (4, "1'000'000", 2),
    (4, "1,000,001", "The nearest possible numbers are 1,000,000 and 1,500,000."),
    (5, "1.75", 1_750_000),
]


# From wherever the page is: all numbers at once, then on as far as it goes.
ENTER = """(answers) => {
  answers.forEach((answer, q) => { document.getElementById(`q${q}`).value = answer; });
  answers.forEach(() => document.getElementById("next").click());
}"""


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_number_is_read_as_people_write_it_and_told_its_neighbours(page, serve, language):
    from confide.surveys.page_texts import built_in

    survey = numbers(language=language)
    address, _ = serve(survey)
    begin(page, address)
    turned = str.maketrans(".,", ",.") if language == "de" else {}
    english, texts = built_in("en"), built_in(language)
    for position, typed, expected in TYPED:
        answers = ["0", "30", "16", "0", "0", "0"]
        answers[position] = typed.translate(turned)
        page.evaluate(ENTER, answers)
        if isinstance(expected, int):
            page.wait_for_selector("#review:not([hidden])")
            assert int(json.loads(page.text_content("#bytes"))["report"][position]) == expected
            page.click("#discard")
            continue
        assert find_asked(page) == [position]
        said = page.text_content(f"#e{position}")
        if "nearest" in expected:
            below, above = expected.removesuffix(".").rsplit("numbers are ", 1)[1].split(" and ")
            marks = {"below": below.translate(turned), "above": above.translate(turned)}
            assert said == texts["off_step"].format(**marks)
        elif expected == english["missing"]:
            assert said == texts["missing"]
        else:
            low, high = expected.removesuffix(".").rsplit("from ", 1)[1].split(" to ")
            assert said == texts["out_of_range"].format(low=low, high=high.translate(turned))
        assert page.locator("#review").is_hidden()


def test_a_decimal_in_the_other_languages_way_is_read_where_it_can_mean_nothing_else(page, serve):
    address, _ = serve(numbers())
    begin(page, address)
    page.evaluate(ENTER, ["0", "71,5", "16", "0,3", "0", "1,75"])
    page.wait_for_selector("#review:not([hidden])")
    report = json.loads(page.text_content("#bytes"))["report"]
    assert [int(code) for code in report] == [0, 83, 0, 13, 0, 1_750_000]
    assert "71.5" in page.text_content("#told")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_digits_of_an_arabic_or_persian_keyboard_are_digits(page, serve, language):
    address, _ = serve(numbers(language=language))
    begin(page, address)
    page.evaluate(ENTER, ["٢٬٣٠٠", "٧١٫٥", "۳۰", "\u200f-٠٫٣", "١٬٠٠٠٬٠٠٠", "1.75"])
    page.wait_for_selector("#review:not([hidden])")
    report = json.loads(page.text_content("#bytes"))["report"]
    assert [int(code) for code in report] == [23, 83, 2, 7, 2, 1_750_000]


def invited(store, number=7):
    """A token that the store admits once."""
    token = f"{number:032x}"
    store.invite([hash_token(token)])
    return token


def test_a_used_or_mistyped_invitation_is_refused_before_the_first_question(page, serve):
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    token = invited(store)
    requests = []
    record_requests(page, requests)
    page.goto(f"{address}/#{'f' * 32}")
    page.wait_for_selector("#stop:not([hidden])")
    assert "invitation is no longer good, or never was" in page.text_content("#stop")
    assert not page.is_visible("#start")
    begin(page, f"{address}/#{token}")
    posts = [request for request in requests if request.method == "POST"]
    assert [request.url for request in posts] == [f"{address}/invitation"] * 2
    assert [json.loads(request.post_data)["token"] for request in posts] == ["f" * 32, token]
    assert {tuple(json.loads(request.post_data)) for request in posts} == {("token",)}
    assert all("cookie" not in r.all_headers() and "referer" not in r.all_headers() for r in posts)
    asked = len(requests)
    answered(page, survey, [1, 0])
    lock_answers(page)
    assert len(requests) == asked, "something was sent before Send"
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert (store.count(), store.count_invitations()) == (1, (1, 0))
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.wait_for_selector("#stop:not([hidden])")
    assert "it has been used" in page.text_content("#stop")
    assert not page.is_visible("#start") and not page.is_visible("#questions")


def test_an_invitation_that_another_uses_meanwhile_is_refused_on_sending(page, serve):
    survey = small(invitation=True, language="de")
    address, store = serve(survey)
    token = invited(store)
    begin(page, f"{address}/#{token}")
    answered(page, survey, [1, 0])
    lock_answers(page)
    assert store.redeem([Redemption(hash_token(token), bytes(32))]) == [True]
    page.click("#send")
    page.wait_for_selector("#status:has-text('Diese Einladung gilt nicht')")
    assert store.count() == 0


def test_where_the_invitation_cannot_be_asked_about_the_page_goes_on(page, serve):
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    token = invited(store)
    page.route("**/invitation", lambda route: route.abort())
    begin(page, f"{address}/#{token}")
    answered(page, survey, [1, 0])
    lock_answers(page)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert store.count() == 1


def test_after_a_lost_acknowledgement_the_same_report_can_be_sent_again(page, serve):
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    token = invited(store)
    begin(page, f"{address}/#{token}")
    answered(page, survey, [1, 0])
    first = lock_answers(page)

    sent = []

    def arrived_but_unheard(route):
        sent.append(route.request.post_data)
        route.fetch()
        route.abort()

    page.route("**/report", arrived_but_unheard)
    page.click("#send")
    page.wait_for_selector("#status:has-text('Try again')")
    assert store.count() == 1
    assert "Nothing has been sent" not in page.inner_text("#review")
    page.unroute("**/report")
    page.reload()  # the same bytes and no others: another draw would tell more
    page.wait_for_selector("#review:not([hidden])")
    assert page.text_content("#bytes") == sent[0]
    assert json.loads(sent[0]) | {"ticket": ""} == json.loads(first)
    assert "Try again" in page.inner_text("#status")
    assert "Nothing has been sent" not in page.inner_text("#review")
    assert not page.is_visible("#discard") and not page.is_visible("#questions")
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert "There is no receipt" in page.inner_text("#done")
    assert store.count() == 1


def test_who_leaves_while_a_report_is_on_its_way_sends_the_same_again(page, serve):
    survey = small()
    address, store = serve(survey)
    begin(page, address)
    answered(page, survey, [1, 0])
    first = lock_answers(page)
    page.route("**/report", lambda _: None)  # never answered
    page.click("#send")
    assert page.evaluate("sessionStorage.length") == 0
    page.reload()
    page.unroute("**/report")
    page.wait_for_selector("#review:not([hidden])")
    assert page.text_content("#bytes") == first
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert page.evaluate("Object.values(sessionStorage)") == ['"sent"']
    assert store.count() == 1


def test_a_second_invitation_in_the_same_tab_starts_anew(page, serve):
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    bodies = []
    tokens = (invited(store, 7), invited(store, 8))
    for token in tokens:
        page.goto("about:blank")
        begin(page, f"{address}/#{token}")
        answered(page, survey, [1, 0])
        bodies.append(json.loads(lock_answers(page)))
        if token.endswith("7"):  # its report stays on its way
            page.route("**/report", lambda route: route.abort())
            page.click("#send")
            page.wait_for_selector("#status:has-text('Try again')")
            page.unroute("**/report")
        else:
            page.click("#send")
            page.wait_for_selector("#done:not([hidden])")
    assert bodies[0]["id"] != bodies[1]["id"]
    assert (store.count(), store.count_invitations()) == (1, (2, 0))
    page.goto("about:blank")
    page.goto(f"{address}/#{tokens[0]}")
    page.wait_for_selector("#review:not([hidden])")
    again = json.loads(page.text_content("#bytes"))
    assert len(again["ticket"]) == 2 * TICKET
    assert again | {"ticket": ""} == bodies[0]


def test_an_invited_person_answers_offline_and_uploads_once(page, serve, tmp_path):
    hurry(page)
    survey = small(invitation=True)
    address, store = serve(survey)
    token = invited(store)
    page.goto(f"{address}/#{token}")
    page.wait_for_selector("#start")
    page.click("#protection > summary")
    page.click("text=Answer offline")
    with page.expect_download() as download:
        page.click("a[download]")
    form = tmp_path / "survey.html"
    download.value.save_as(form)
    begin(page, form.as_uri())
    answered(page, survey, [1, 0])
    lock_answers(page)
    assert "invitation is not part of the file" in page.inner_text("#review")
    with page.expect_download() as download:
        page.click("#send")
    saved = tmp_path / "report.json"
    download.value.save_as(saved)
    assert "choose “Upload a report" in page.inner_text("#done")
    assert token not in saved.read_text()
    assert json.loads(saved.read_text())["ticket"] == ""

    page.goto(f"{address}/upload")  # without the invitation
    page.click("#send")
    assert page.text_content("#status") == "Please choose the report's file."
    page.set_input_files("#file", saved)
    page.click("#send")
    page.wait_for_selector("#status:has-text('by invitation')")
    assert store.count() == 0

    page.goto(f"{address}/#{token}")
    page.wait_for_selector("#start")
    page.click("#protection > summary")
    page.click("text=Answer offline")
    page.click("#upload")
    page.wait_for_url(f"{address}/upload#{token}")
    assert page.input_value("#invitation") == token
    sent = []
    page.on("request", lambda r: r.method == "POST" and sent.append(r))
    page.route("**/report", lambda route: (route.fetch(), route.abort()))  # its answer is lost
    for said in ("Try again", "arrived", "it has been used"):  # three times change nothing
        page.set_input_files("#file", saved)
        page.click("#send")
        page.wait_for_selector(f"#status:has-text('{said}')")
        page.unroute("**/report")
    assert (store.count(), store.count_invitations()) == (1, (1, 0))
    assert page.evaluate("sessionStorage.length") == 1  # of the third, which was refused
    names = [each.url.removeprefix(address) for each in sent]
    assert names == ["/ticket", "/report", "/report", "/ticket"]
    ticket = sent[1].post_data_json["ticket"]
    filled = saved.read_text().replace('"ticket":""', f'"ticket":"{ticket}"')
    assert sent[1].post_data == sent[2].post_data == filled

    other = saved.read_text().replace(json.loads(saved.read_text())["id"], "0" * 32)
    saved.write_text(other)
    page.fill("#invitation", f"{address}/#{token}")  # the whole link
    page.set_input_files("#file", saved)
    page.click("#send")
    page.wait_for_selector("#status:has-text('no longer good')")
    assert store.count() == 1


def test_where_only_some_can_be_drawn_by_hand_the_report_says_who_drew(page, serve):
    survey = noisy()
    address, store = serve(survey)
    page.goto(address)
    assert not page.is_visible("#own-not")
    page.check("#own")
    assert "By hand it cannot be done for these questions" in page.inner_text("#own-not")
    page.click("#start")
    assert "A coin or dice cannot do this one" in page.inner_text(".sheet:not([hidden])")
    page.fill("#q0", "33")
    press_next(page)
    assert page.locator(".by-hand:visible").count() == 1
    assert page.locator(".by-browser:visible").count() == 0
    answered(page, survey, [33, 1, 71.5, 4])
    shown = lock_answers(page)
    body = json.loads(shown)
    assert body["mode"] == "bobb"
    assert body["report"][1] == "1"
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert read_stored(survey, store, shown)[1] == "bobb"


def test_english_questions_keep_english_words_in_a_german_browser(chromium, serve):
    address, _ = serve(small())
    context = chromium.new_context(locale="de-DE")
    page = context.new_page()
    page.goto(address)
    assert page.evaluate("document.documentElement.lang") == "en"
    assert page.inner_text("#start") == "Start"
    assert "Beginnen" not in page.inner_text("body")
    context.close()


def test_the_upload_by_invitation_has_no_accessibility_violation(page, serve, axe):
    address, _ = serve(small(invitation=True))
    page.goto(f"{address}/upload")
    page.click("#send")
    assert find_violations(page, axe) == []
