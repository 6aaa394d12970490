"""The results page in a real browser, on a phone and in the dark, and the numbers on it."""

import base64
import re
import secrets

import numpy as np
import pytest
from support.web_reports import PASSWORD, send
from support.web_surveys import campus, small

import confide as cf
from confide.counts.stores import CountedStore
from confide.reports.submissions import Submission
from confide.surveys.page import Page
from confide.surveys.survey import Survey
from confide.web.admin.bars import MOST, cut_numbers
from confide.web.admin.results import estimate_cross_table_in_bars, estimate_questions

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
    address, store = serve(survey)
    damaged = b"\xff" * survey.questionnaire.record.itemsize
    store.settle([Submission(secrets.token_bytes(16), damaged)])  # released with the others
    send(survey, store, answers)
    page.goto(f"{address}/admin/welcome?key={serve.link(address)}")
    page.fill("#password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector(".card:last-child .chart svg", timeout=120_000)
    return address, store


def shown(page, row, column):
    page.select_option("#row", row)
    page.select_option("#column", column)
    page.click("#cross")
    page.wait_for_selector(f"#cross-result [aria-label^='{row}'] svg", timeout=60_000)


def overlapping(page, chart):
    """The labels of a chart that overprint others in the same row or column."""
    return page.evaluate(
        """(chart) => {
          const marks = [...document.querySelectorAll(`${chart} svg .mark-text.role-mark text`)];
          const boxes = marks.map((mark) => mark.getBoundingClientRect());
          return boxes.filter((a, i) => boxes.some((b, j) => i < j && a.left < b.right - 1
            && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1)).length;
        }""",
        chart,
    )


def broken_heads(page):
    """Words in the heads of tables that stand on two lines."""
    return page.evaluate(
        """() => [...document.querySelectorAll("thead th")].flatMap((head) => {
          const text = head.firstChild, range = document.createRange();
          return [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            return range.getClientRects().length > 1;
          }).map(([word]) => word);
        })"""
    )


def brightness(page, selector):
    """How bright an element's corner is on the screen, from 0 to 255."""
    data = base64.b64encode(page.locator(selector).screenshot()).decode()
    return page.evaluate(
        """async (data) => {
          const image = new Image();
          image.src = `data:image/png;base64,${data}`;
          await image.decode();
          const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
          canvas.drawImage(image, 0, 0);
          return Math.max(...canvas.getImageData(3, 3, 1, 1).data.slice(0, 3));
        }""",
        data,
    )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_dashboard_fits_a_phone_and_the_dark(page, serve, scheme):
    survey = wide(wanted=1000)
    page.emulate_media(color_scheme=scheme)
    entered(page, serve, survey, people(700))
    page.wait_for_selector("#given-away :text('estimated from 700 reports')", timeout=60_000)
    for row, column in (("age", "faculty"), ("faculty", "age"), ("income", "wealth")):
        shown(page, row, column)
        assert page.locator("#cross-result tbody tr").count() <= MOST * MOST
        assert overlapping(page, "#cross-result") == 0
        titles = page.locator("#cross-result .role-axis-title text").all_text_contents()
        assert {title.split(" (")[0] for title in titles} == {row, column}
    page.select_option("#target", "faculty")
    page.click("#learn")
    page.wait_for_selector("#learned img", timeout=120_000)
    assert (brightness(page, "#learned img") < 80) == (scheme == "dark")
    page.select_option("#kind", "bayes")
    page.click("#learn")
    page.wait_for_selector("#learned table", timeout=60_000)
    assert page.locator("#learned tbody tr").count() <= 4 * MOST + 4
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("thead th").count() > 30
    assert broken_heads(page) == []
    text = page.text_content("main")
    assert not re.search(r"\de[+-]\d", text)
    assert not re.search(r"(?<![-\d.])(-?[\d.]+ %) to \1", text)
    assert "-0.0 %" not in text and "NaN" not in text and "null" not in text
    assert "give the reports" not in text
    assert page.text_content("#damaged") == "1 damaged report is left out."


def test_the_legend_says_disguised_only_where_it_is(page, serve):
    survey = wide()
    entered(page, serve, survey, people(60))
    for i, field in enumerate(survey.questionnaire.fields):
        legend = page.locator(f".card >> nth={i}").locator(".role-legend text").all_text_contents()
        assert legend == ["disguised reports" if field.disguised else "reports", "estimate"]
        axes = page.locator(f".card >> nth={i}").locator(".role-axis-title text")
        assert any(text.startswith(field.name[:30]) for text in axes.all_text_contents())
    offered = page.locator("#target option").all_text_contents()
    assert offered == [field.name for field in survey.questionnaire.fields if field.finite]


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
        page.wait_for_selector("#reports")
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
def test_a_cross_table_has_the_bars_of_its_numbers():
    survey = wide(minimum=1)
    collected = counted(survey, people(900))
    single = {q["name"]: q["rows"] for q in estimate_questions(survey, collected)["questions"]}
    for row in ("age", "wealth", "rent"):
        found = estimate_cross_table_in_bars(survey, collected, [row, "faculty"])
        assert found["labels"][0] == [each["answer"] for each in single[row]]
        shares = np.array([each["share"] for each in found["rows"]]).reshape(-1, 3).sum(axis=1)
        assert shares == pytest.approx([each["share"] for each in single[row]])
    assert found["axes"] == ["rent (euros)", "faculty"]
    for pair in (["age", "cheated"], ["income", "age"], ["income", "faculty"]):
        found = estimate_cross_table_in_bars(survey, collected, pair)
        assert all(len(labels) <= MOST for labels in found["labels"])
        assert sum(each["share"] for each in found["rows"]) == pytest.approx(1)


def test_bars_have_the_standard_errors_of_a_choice():
    """Against the reports cut by hand into the same bars."""
    survey = wide(minimum=1)
    collected = counted(survey, people(400))
    by_hand = cut_numbers(survey.questionnaire, collected.counts)
    assert by_hand.n == 400
    crowd = cf.Crowd(by_hand.design, by_hand)
    expected = crowd.proportion({"age": "21 to 25", "cheated": "yes"})
    found = estimate_cross_table_in_bars(survey, collected, ["age", "cheated"])["rows"]
    cell = next(row for row in found if row["answers"] == ["21 to 25", "yes"])
    assert cell["share"] == pytest.approx(expected.value)
    assert cell["standard_error"] == pytest.approx(expected.standard_error)


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
    assert len(client.get("/admin/results").json()["questions"]) == size
    assert client.get("/admin/cross", params={"row": "q0", "column": "q1"}).status_code == 200
    said = client.get("/admin/privacy").json()
    assert (said["n"], "give the reports" in " ".join(said["sentences"])) == (60, False)


def test_privacy_needs_enough_reports(admin):
    client = admin(small())
    assert client.get("/admin/privacy").status_code == 400
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
