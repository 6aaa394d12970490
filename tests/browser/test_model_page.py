"""A published model in a real browser: what it predicts, and the one bit its test sends."""

import hashlib
import json
import random
from itertools import product

import numpy as np
import pytest
from support.web_browser import FIXED, find_violations, hurry, lock_answers, record_requests
from support.web_models import (
    DESIGN,
    MODELS,
    bits,
    cases,
    differences,
    exam_answers,
    exam_model,
    exams,
    people,
)
from support.web_reports import PASSWORD, send
from support.web_surveys import ARABIC

import confide as cf
from confide.reports.wire import Report, write_report
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.model.published import Published

ID = "000102030405060708090a0b0c0d0e0f"
KEPT = """async () => JSON.stringify([{...sessionStorage}, {...localStorage}, document.cookie,
  location.href, history.state, document.title, window.name,
  (await indexedDB.databases()).length, (await caches.keys()).length])"""


@pytest.fixture(scope="module")
def tree():
    return MODELS["a tree with a branch a value"]()


@pytest.fixture(scope="module")
def exam():
    survey = exams(test="3/4")
    return Published(survey, exam_model(survey))


def ready(page, address):
    page.goto(f"{address}/model")
    page.wait_for_selector("#predict:not([disabled])")


def answered(page, names, answers, design=DESIGN):
    """Answer as people do, by keyboard and choice."""
    for name, answer in zip(names, answers, strict=True):
        question, place = design.question(name), design.position(name)
        if isinstance(question, cf.Number):
            page.fill(f"#q{place}", str(answer))
        elif question.size > 7:
            page.select_option(f"#q{place}", str(answer))
        else:
            page.focus(f"input[name=q{place}]")
            page.keyboard.press("Space")
            for _ in range(answer):
                page.keyboard.press("ArrowDown")


def test_the_page_says_what_python_predicts_and_sends_nothing(page, serve, tree):
    published = Published(Survey(DESIGN), tree)
    address, _ = serve(published.survey, published=published)
    requests = []
    ready(page, address)
    kept = page.evaluate(KEPT)
    record_requests(page, requests)
    table = people(12, 7)
    chances, labels = tree.predict_proba(table), tree.predict(table)
    for row, answers in enumerate(cases(tree, table)):
        answered(page, tree.used_, answers)
        assert page.is_hidden("#chances")  # the last guess was about other answers
        page.click("#predict")
        assert f"guess is “{labels[row]}”" in page.text_content("#status")
        shown = page.eval_on_selector_all("#chances progress", "bars => bars.map(bar => bar.value)")
        assert shown == pytest.approx(chances[row].tolist())
    assert requests == []
    assert page.evaluate(KEPT) == kept
    page.click("#wipe")
    assert page.text_content("#status") == ""
    assert page.locator("input:checked").count() == 0


@pytest.mark.parametrize("name", MODELS)
def test_the_browser_predicts_what_python_predicts(page, serve, name):
    model = MODELS[name]()
    published = Published(Survey(DESIGN), model)
    address, _ = serve(published.survey, published=published)
    ready(page, address)
    table = people(200, 9)
    said = page.evaluate(
        """async (cases) => {
          const { code, predict } = await import("/static/predict.js");
          const model = await (await fetch("/model.json")).json();
          const codes = (answers) => answers.map((a, q) => code(model.questions[q], a));
          return cases.map((answers) => predict(model, codes(answers)));
        }""",
        cases(model, table),
    )
    assert differences(said, model, table) == 0


def test_what_is_missing_is_named_and_nothing_is_guessed(page, serve, tree):
    published = Published(Survey(DESIGN), tree)
    address, _ = serve(published.survey, published=published)
    ready(page, address)
    page.fill("#q3", "15")
    page.click("#predict")
    assert page.text_content("#e1") == ""  # may be left out
    assert page.text_content("#e2") == "Please answer this question."
    assert page.text_content("#e3") == "Please enter a number from 16 to 80."
    assert page.evaluate("document.activeElement.id") == "q2"
    assert page.text_content("#status") == ""


def test_a_tree_without_questions_still_says_its_guess(page, serve):
    survey = exams()
    model = exam_model(survey)
    model = model._copy_with(model.tree_.cut([0]))
    address, _ = serve(survey, published=Published(survey, model))
    ready(page, address)
    page.click("#predict")
    assert "The model's guess is" in page.text_content("#status")


def begun(page, address, words=None):
    if words is not None:
        page.add_init_script(f"({FIXED})({json.dumps(words)})")
    page.goto(f"{address}/model/test")
    page.wait_for_selector("#asked:not([hidden])")


def right(published, answers):
    """Whether the model guesses the last of some answers from those before it."""
    *given, truth = answers
    used = dict(zip(published.model.used_, given, strict=True))
    row = np.array([[used.get(name, 0) for name in published.model.features_]])
    return int(published.model.predict(row)[0] == truth)


def sent(published, answers, words):
    """The bytes that Python would send."""
    form = published.model_test.survey_of_bits.questionnaire
    codes = form.disguise_answers([right(published, answers)], iter(words))
    return write_report(form, Report(ID, "", form.modes(), codes))


@pytest.mark.parametrize("word", [0, 1, 2, 3])
def test_the_bit_sent_is_pythons_byte_for_byte(page, serve, exam, word):
    address, store = serve(exam.survey, published=exam)
    requests = []
    begun(page, address, [word] * 8)
    record_requests(page, requests)
    for answers in product((0, 1), repeat=len(exam.model_test.names)):
        answered(page, exam.model_test.names, answers, exam.survey.design)
        assert lock_answers(page).encode() == sent(exam, answers, [word] * 8)
        page.click("#discard")
    assert requests == []
    answered(page, exam.model_test.names, answers, exam.survey.design)
    expected = lock_answers(page).encode()
    page.click("#send")
    page.wait_for_selector("#status:has-text('arrived')")
    (request,) = requests
    assert (request.method, request.url) == ("POST", f"{address}/model/test")
    assert request.post_data_buffer == expected
    assert not {"cookie", "referer"} & set(request.all_headers())
    assert page.locator("input:checked").count() == 0
    assert (serve.test_store(address).count(), store.count()) == (1, 0)
    page.reload()
    assert "already sent" in page.text_content("#stop")


def test_both_bits_occur_and_neither_is_kept_or_told_by_a_length(page, serve, exam):
    address, _ = serve(exam.survey, published=exam)
    generator, lengths, kept, bits = random.Random(3), set(), set(), set()
    begun(page, address)
    for _ in range(40):
        answers = [generator.randrange(2) for _ in exam.model_test.names]
        answered(page, exam.model_test.names, answers, exam.survey.design)
        body = lock_answers(page)
        lengths.add(len(body))
        bits.add((right(exam, answers), json.loads(body)["report"][0]))
        kept.add(page.evaluate(KEPT))
        page.click("#discard")
    assert (len(lengths), len(kept)) == (1, 1)
    assert len(bits) == 2  # one draw, fixed: each truth has always the same report
    assert {truth for truth, _ in bits} == {0, 1}
    assert json.loads(kept.pop())[0] == {}


def test_the_personal_questions_are_asked_where_there_are_some(page, serve, exam):
    address, _ = serve(exam.survey, published=exam)
    begun(page, address)
    asked = page.locator("#asked legend").all_text_contents()
    assert asked == [exam.survey.page.personal[name] for name in exam.model_test.names]
    assert "In 3 of 4 cases it is sent as it is" in page.text_content("#questions")
    own = Published(Survey(exam.survey.design, Page(test="3/4")), exam.model)
    address, _ = serve(own.survey, published=own)
    begun(page, address)
    asked = page.locator("#asked legend").all_text_contents()
    assert asked == [own.survey.design.question(name).text for name in own.model_test.names]


def test_the_tests_questions_keep_away_from_the_edge_of_their_card(page, serve, exam):
    address, _ = serve(exam.survey, published=exam)
    begun(page, address)
    card, legend = (page.locator(each).first.bounding_box() for each in ("#asked", "#asked legend"))
    assert legend["x"] - card["x"] > 8


def test_an_invitation_to_the_test_admits_once(page, serve, exam):
    hurry(page)
    survey = exams(test="3/4", invitation=True)
    published = Published(survey, exam.model)
    address, _ = serve(survey, published=published)
    page.goto(f"{address}/model/test")
    page.wait_for_selector("#stop:has-text('by invitation')")
    assert page.is_hidden("#asked")
    token = "cd" * 16
    trial = serve.test_store(address)
    trial.invite([hashlib.sha256(bytes.fromhex(token)).digest()])
    page.goto(f"{address}/model/test#{token}")
    page.wait_for_selector("#asked:not([hidden])")
    answered(page, published.model_test.names, [1] * len(published.model_test.names), survey.design)
    assert json.loads(lock_answers(page))["ticket"] == ""
    posts = []
    page.on("request", lambda r: r.method == "POST" and posts.append(r))
    page.click("#send")
    page.wait_for_selector("#status:has-text('arrived')")
    assert (trial.count(), trial.count_invitations()) == (1, (1, 0))
    assert [each.url.removeprefix(address) for each in posts] == [
        "/model/test/ticket",
        "/model/test",
    ]
    assert token in posts[0].post_data and token not in posts[1].post_data
    page.evaluate("sessionStorage.clear()")
    page.reload()  # a used one is refused before anything is asked
    page.wait_for_selector("#stop:has-text('no longer good')")
    assert page.is_hidden("#asked")


def test_a_closed_test_and_an_unreachable_server_are_said(page, serve, exam):
    address, _ = serve(exam.survey, published=exam)
    begun(page, address)
    answered(page, exam.model_test.names, [1] * len(exam.model_test.names), exam.survey.design)
    body = lock_answers(page)
    bodies = []
    page.on("request", lambda r: r.method == "POST" and bodies.append(r.post_data))
    page.context.set_offline(True)
    page.click("#send")
    page.wait_for_selector("#status:has-text('try again')")
    page.context.set_offline(False)
    serve.test_store(address).set_open(False)
    page.click("#send")
    page.wait_for_selector("#status:has-text('closed')")
    assert bodies == [body, body]
    page.reload()
    page.wait_for_selector("#stop:has-text('closed')")
    serve.test_store(address).set_open(True)
    page.reload()  # the same bytes and no others
    page.wait_for_selector("#review:not([hidden])")
    assert page.text_content("#bytes") == body
    page.click("#send")
    page.wait_for_selector("#status:has-text('arrived')")
    assert serve.test_store(address).count() == 1


def test_leaving_wipes_the_answers(page, serve, tree):
    published = Published(Survey(DESIGN), tree)
    address, _ = serve(published.survey, published=published)
    ready(page, address)
    page.check("input[name=q1] >> nth=1")
    page.goto(f"{address}/receipt")
    page.go_back()
    page.wait_for_load_state()
    assert page.locator("input:checked").count() == 0
    page.check("input[name=q1] >> nth=1")
    page.click("#exit")
    page.wait_for_url("about:blank")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_no_page_of_a_model_has_an_accessibility_violation(page, serve, axe, tree, language):
    texts = ARABIC if language == "ar" else {}
    published = Published(Survey(DESIGN, Page(test="3/4", language=language, texts=texts)), tree)
    address, _ = serve(published.survey, published=published)
    ready(page, address)
    page.click("#predict")  # with every message shown
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert find_violations(page, axe) == []
    answered(page, tree.used_, cases(tree, people(1, 1))[0])
    page.click("#predict")
    page.wait_for_selector("#chances:not([hidden])")
    assert find_violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    begun(page, address)
    page.click("#lock")
    assert find_violations(page, axe) == []
    answered(page, published.model_test.names, [*cases(tree, people(1, 1))[0], 2])
    lock_answers(page)
    page.click("#exactly summary")
    assert find_violations(page, axe) == []
    page.click("#send")
    page.wait_for_selector("#review", state="hidden")
    assert find_violations(page, axe) == []


def test_the_dashboard_shows_the_round(page, serve, axe, exam):
    address, store = serve(exam.survey, published=exam)
    send(exam.survey, store, exam_answers(60, 1).tolist())
    serve.test_store(address).settle(bits(exam.model_test, [1] * 60))
    page.goto(f"{address}/admin/welcome?key={serve.link(address)}")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#published table")
    assert "60 tests so far" in page.text_content("#published")
    assert page.locator("#published tbody tr").count() == 2
    assert find_violations(page, axe) == []
    page.click("#test-button")
    page.wait_for_selector("h2:has-text('Close the test round?')")
    assert (serve.test_store(address).is_open(), serve.test_store(address).by_invitation) == (
        True,
        False,
    )
    page.click("button.main")
    page.wait_for_selector("#test-state:has-text('closed')")
    assert (serve.test_store(address).is_open(), serve.test_store(address).by_invitation) == (
        False,
        False,
    )
