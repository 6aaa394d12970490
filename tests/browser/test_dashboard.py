"""The results page in a real browser, on a phone and in the dark, and the numbers on it."""

import re
import secrets

import numpy as np
import pytest
from support.web_browser import find_violations
from support.web_reports import PASSWORD, send
from support.web_surveys import campus, small, workplace

import confide as cf
from confide.counts.stores import CountedStore
from confide.reports.submissions import Submission
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.admin.results import estimate_questions

LONG = "Donaudampfschifffahrtsgesellschaftskapitänsmützenknopffabrikant"


def wide(**page):
    """Long names, long words, numbers of every kind and a large range."""
    questions = [
        cf.YesNo("cheated", "Have you ever cheated?"),
        cf.Choice("faculty", ["arts", "law", f"science {LONG}"], f"Your faculty, {LONG}?"),
        cf.Number("age", 16, 80, "How old are you?", unit="years", step=1),
        cf.Number("income", 0, 100_000, "Your income", unit="euros", step=100),
        cf.Number("wealth", 0, 3e6, "Your wealth", unit="euros"),
        cf.Number("rent", 0, 5000, "Your rent", unit="euros"),
        cf.YesNo("a_name_that_goes_on_and_on_" * 3, "Rare?"),
    ]
    groups = [
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
        cf.Group(["income"], cf.UniformNoise(3200)),
        cf.Group(["rent"], cf.Intervals([0, 500, 1000, 5000])),
    ]
    return Survey(cf.Design(questions, groups, title=f"Campus {LONG}"), Page(**page))


def people(n):
    generator = np.random.default_rng(5)
    faculty, age = generator.integers(0, 3, n), generator.normal(25, 8, n).clip(16, 80)
    cheated = generator.random(n) < 0.1 + 0.35 * faculty
    income = np.round(generator.gamma(2, 15_000, n).clip(0, 100_000), -2)
    wealth, rent = generator.random((2, n)) * [[3e6], [5000]]
    columns = (cheated, faculty, age.astype(int), income, wealth, rent, np.arange(n) == 0)
    return [
        (int(c), int(f), int(a), float(i), float(w), float(r), int(x))
        for c, f, a, i, w, r, x in zip(*columns, strict=True)
    ]


def entered(page, serve, survey, answers):
    page.set_default_timeout(60_000)
    address, store = serve(survey)
    damaged = b"\xff" * survey.questionnaire.record.itemsize
    store.settle([Submission(secrets.token_bytes(16), damaged)])  # released with the others
    send(survey, store, answers)
    page.goto(f"{address}/admin/welcome?key={serve.link(address)}")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".result", timeout=120_000)
    return address, store


def fits(page):
    """Whether nothing reaches beyond the screen's side."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("scheme", "language"), [("light", "en"), ("dark", "ar")])
def test_the_results_fit_a_phone_the_dark_and_both_ways_of_writing(
    page, serve, axe, scheme, language
):
    survey = wide(wanted=1000)
    page.emulate_media(color_scheme=scheme)
    address, _ = entered(page, serve, survey, people(400))
    pages = ["/admin", "/admin?among=faculty=law", "/admin/question/income", "/admin/question/age"]
    pages += [f"/admin/cross?row=age&column=wealth&of={of}" for of in ("rows", "columns", "all")]
    pages.append("/admin/cross?row=income&column=cheated")
    for path in pages:
        page.goto(f"{address}{path}{'&' if '?' in path else '?'}language={language}")
        page.wait_for_selector(".result")
        assert page.evaluate("document.dir") == ("rtl" if language == "ar" else "ltr")
        assert fits(page), path
        text = page.text_content("main")
        assert not re.search(r"\de[+-]\d|NaN|null|None|undefined|-0(\.0)? %", text), path
    assert find_violations(page, axe) == []
    page.goto(f"{address}/admin?language={language}")
    assert find_violations(page, axe) == []


def workers(n):
    """People with true answers to `workplace`."""
    generator = np.random.default_rng(3)
    columns = [generator.integers(0, 2, n) for _ in range(4)]
    columns += [generator.integers(0, 3, n), generator.integers(20, 60, n)]
    columns += [generator.integers(0, 2, n) for _ in range(2)]
    columns += [np.arange(n) % 3, generator.integers(18, 60, n), generator.integers(0, 30, n)]
    return np.stack(columns, axis=1).tolist()


def test_eleven_questions_are_seen_in_six_screens_of_a_phone(page, serve):
    entered(page, serve, workplace(), workers(200))
    cards = page.locator(".cards .result")
    assert cards.count() == 11
    box = cards.last.bounding_box()
    assert box["y"] + box["height"] <= 6 * 844


def test_what_is_printed_has_no_heading_over_nothing(page, serve):
    """What one can only click is left out, with its heading."""
    entered(page, serve, small(), [(i % 2, i % 2) for i in range(120)])
    page.wait_for_selector("#privacy ol")
    page.emulate_media(media="print")
    shown = [each.inner_text() for each in page.locator("h2").all() if each.is_visible()]
    assert shown == [
        "What people answer",
        "Reports by day",
        "What a report gives away",
        "Where people answer",
    ]
    assert not any(each.is_visible() for each in page.locator("button, summary, select").all())


def test_a_reader_goes_from_the_overview_to_a_question_among_some_and_back(page, serve):
    """By the keyboard, the raw reports behind their switch, and each step with its address."""
    address, store = entered(page, serve, workplace(), workers(200))
    assert not page.locator(".span.raw").first.is_visible()
    page.focus("#raw")
    page.keyboard.press("Space")
    assert page.locator(".span.raw").first.is_visible()
    page.focus(".result a >> nth=0")
    page.keyboard.press("Enter")
    page.wait_for_url("**/admin/question/bullied")
    assert page.locator(".shares tbody tr").count() == 2
    page.click("#among summary")
    page.select_option("#among select", "part=office")
    page.click("#among button")
    page.wait_for_url("**/admin/question/bullied?among=part%3Doffice")
    assert "of 200 people" in page.text_content(".chips")
    again = page.context.new_page()
    again.goto(page.url)
    assert again.text_content("#question") == page.text_content("#question")
    page.go_back()
    assert page.locator(".chips").count() == 0
    page.select_option("#row", "part")
    page.select_option("#of", "rows")
    page.click("#cross")
    page.wait_for_selector("#crossed .group")
    assert page.locator("#crossed .group").count() == 3
    page.goto(f"{address}/admin")
    send(workplace(), store, workers(60))  # it is live
    page.wait_for_selector("#n:has-text('260')")


@pytest.mark.parametrize("scripts", [True, False])
def test_closing_asks_back_with_and_without_scripts(chromium, serve, scripts):
    address, store = serve(small())
    with chromium.new_context(java_script_enabled=scripts) as context:
        page = context.new_page()
        page.goto(f"{address}/admin/welcome?key={serve.link(address)}")
        page.fill("#password", PASSWORD)
        page.keyboard.press("Enter")
        page.click("#open-button")
        page.wait_for_selector("h2:has-text('Close the survey?')")
        assert (store.is_open(), store.by_invitation) == (True, False)
        page.click("text=Keep it open")
        page.click("#open-button")
        page.click("button:has-text('Close the survey')")
        page.wait_for_selector("#figures")
        assert (store.is_open(), store.by_invitation) == (False, False)


def counted(survey, answers):
    codes = [
        survey.questionnaire.disguise_answers(a, iter(lambda: secrets.randbits(32), None))
        for a in answers
    ]
    table = survey.questionnaire.table(
        b"".join(survey.questionnaire.pack(c, survey.questionnaire.modes()) for c in codes)
    )
    return CountedStore(cf.Counts.of(survey.design, table), 0)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 30, 3000])
def test_no_interval_is_a_point(n):
    """Also where all reports are alike, and where an option was never reported."""
    survey = campus(minimum=1)
    alike = [(0, 0, 0, 0, 20, 30.0, 0, 0)] * n
    form = survey.questionnaire
    record = form.pack([0] * len(form.fields), form.modes())
    same = CountedStore(cf.Counts.of(survey.design, form.table(record * n)), 0)
    for collected in (same, counted(survey, alike)):
        for question in estimate_questions(survey, collected)["questions"]:
            for row in question["rows"]:
                assert row["low"] is None or row["low"] < row["high"]
                possible = min(max(row["share"], 0), 1)  # an interval holds no other shares
                assert row["low"] is None or row["low"] <= possible <= row["high"]
            if not question["disguised"]:
                assert all(0 <= row["low"] <= 1.0 for row in question["rows"] if row["share"] == 0)


def test_the_interval_of_what_was_never_reported_covers():
    """In 5 of 100 surveys none of 300 people reports a share of 1 %; the interval reaches it."""
    survey = small(minimum=1)
    never = counted(survey, [(0, 0)] * 300)
    (_, faculty) = estimate_questions(survey, never)["questions"]
    assert faculty["rows"][1]["share"] == 0
    assert 0.01 < faculty["rows"][1]["high"] < 0.02


@pytest.mark.parametrize("size", [11, 60])
def test_many_questions_are_shown(admin, size):
    questions = [cf.YesNo(f"q{i}") for i in range(size)]
    groups = [cf.Group([q.name], cf.RelatedQuestion("3/4")) for q in questions]
    survey = Survey(cf.Design(questions, groups), Page())
    client = admin(survey)
    send(survey, client.store, np.random.default_rng(1).integers(0, 2, (60, size)).tolist())
    assert len(client.get("/api/estimates").json()["questions"]) == size
    assert client.get("/admin").text.count('class="card result"') == size
    assert "<table" in client.get("/admin/cross", params={"row": "q0", "column": "q1"}).text
    said = client.get("/admin/privacy").text
    assert 3 <= said.split('id="privacy-card"')[1].split("</ol>")[0].count("<li>") <= 5
    assert "give the reports" not in said


def test_privacy_needs_enough_reports(admin):
    client = admin(small())
    assert "Nothing is estimated below 50 reports." in client.get("/admin/privacy").text
    assert "give the reports" not in client.get("/admin").text


def test_a_survey_of_one_question_offers_no_pair_and_no_model(admin):
    survey = Survey(cf.Design([cf.Number("age", 16, 80, step=1)]), Page())
    page = admin(survey).get("/admin").text
    assert 'id="cross"' not in page and 'id="learn"' not in page


def test_numbers_and_their_units_are_written_as_people_write_them():
    group = cf.Group(["income"], cf.UniformNoise(1680))
    design = cf.Design([cf.Number("income", 0, 20_000, unit="euros", step=10)], [group])
    told = " ".join(cf.privacy.of(design).sentences())
    assert re.search(r"\d,\d\d0 euros wide", told) and "e+0" not in told
    assert cf.Number("wealth", 0, 3e6).labels[-1] == "2970000 to 3000000"
