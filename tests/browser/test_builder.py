"""A survey is written in a real browser, by clicking, and saved."""

import pytest
from support.web_browser import find_violations
from support.web_surveys import earnings

import confide as cf
from confide.design.survey_file import SurveyFile
from confide.surveys.survey import find_survey_problems
from confide.web.server import build_builder_app

HELPED = """
[[question]]
name = "lied"
kind = "yes-no"
[[question]]
name = "stole"
kind = "yes-no"
[[group]]
questions = ["stole"]
mechanism = "related-question"
truth = "3/4"
[page]
language = "en"
[page.help]
lied = "Once is enough."
[page.translations.de]
[page.translations.de.help]
lied = "Einmal genügt."
[page.translations.de.question]
lied = { text = "Gelogen?" }
stole = { text = "Gestohlen?" }
"""


@pytest.fixture
def builder(tmp_path, run_app):
    """A file, and the address that writes it."""
    path = tmp_path / "survey.toml"
    app, key = build_builder_app(path, "127.0.0.1")
    return path, f"{run_app(app)}/new#{key}"


def wait_until_told(page, words):
    page.get_by_text(words).first.wait_for()


@pytest.mark.parametrize("size", [(390, 844), (1280, 900)], ids=["phone", "desk"])
def test_a_survey_is_written_by_clicking_and_saved(page, builder, axe, size):
    path, address = builder
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(address)
    wait_until_told(page, "75 truly answer yes")
    page.fill("text=Title", "Our street")
    page.fill("fieldset >> nth=0 >> text=What people read", "Do you leave the gate open?")
    page.click("#add")
    card = page.locator("fieldset >> nth=1")
    card.locator("select >> nth=0").select_option(label="one of several")
    card = page.locator("fieldset >> nth=1")
    card.get_by_label("What people read").fill("How often do you recycle?")
    card.get_by_label("Options, one a line").fill("never\nsometimes\nalways")
    card.locator("select >> nth=1").select_option(label="no, sent as it is")
    wait_until_told(page, "is asked in the clear. To know each share to 5 points takes 342 people")
    frame = page.frame_locator("#frame")
    frame.locator("text=sometimes").wait_for()  # the sheet of the question that is written
    assert find_violations(page, axe) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.click("#save")
    wait_until_told(page, "Next: confide serve")
    file = SurveyFile.read(path)
    assert find_survey_problems(file) == []
    assert [question.text for question in file.design.questions] == [
        "Do you leave the gate open?",
        "How often do you recycle?",
    ]
    assert [list(group.questions) for group in file.design.groups] == [["first"]]


def test_a_worked_survey_is_changed_named_anew_and_shortened(page, builder):
    path, address = builder
    page.goto(address)
    wait_until_told(page, "75 truly answer yes")
    page.select_option("#worked", "corruption")
    page.wait_for_selector("fieldset >> nth=6")
    first = page.locator("fieldset >> nth=0")
    first.locator("summary").click()
    first.get_by_label("Short name").fill("dealt")
    first.get_by_label("Short name").press("Tab")
    page.locator("fieldset >> nth=3").get_by_role("button", name="Remove").click()
    page.locator("fieldset >> nth=5").get_by_role("button", name="Up").click()
    page.click("#save")
    wait_until_told(page, "Next: confide serve")
    file = SurveyFile.read(path)
    assert find_survey_problems(file) == []
    assert file.design.names == ("dealt", "asked", "paid", "gain", "region", "acceptable")
    assert file.page["section"][0]["only_if"]["question"] == "dealt"


def test_what_is_missing_is_said_while_one_writes(page, builder, axe):
    _, address = builder
    page.goto(address)
    wait_until_told(page, "75 truly answer yes")
    page.locator("fieldset >> nth=0").locator("select >> nth=0").select_option(
        label="one of several"
    )
    page.locator("fieldset >> nth=0").get_by_label("Options, one a line").fill("only one")
    page.wait_for_selector("#unsound:not([hidden])")
    assert page.locator("#problems li").count() == 1
    assert find_violations(page, axe) == []


def test_a_number_may_be_kept_to_oneself_and_the_preview_shows_the_box(page, builder, axe):
    path, address = builder
    page.goto(address)
    wait_until_told(page, "75 truly answer yes")
    card = page.locator("fieldset >> nth=0")
    card.get_by_label("Answers are").select_option(label="a number")
    card.get_by_label("What people read").fill("What do you earn?")
    card.locator("summary").click()
    assert card.get_by_label("Prefer not to say").is_disabled()
    card.get_by_label("Disguised?").select_option(label="by some noise")
    card.get_by_label("Prefer not to say").check()
    frame = page.frame_locator("#frame")
    frame.locator(".decline").wait_for()  # the frame shows the question that is written
    assert frame.locator(".decline .legend").inner_text().endswith("Prefer not to say")
    assert page.locator("fieldset").count() == 1  # what tells of it is not asked
    assert find_violations(page, axe) == []
    card.get_by_label("Short name").fill("income")
    card.get_by_label("Short name").press("Tab")
    told = card.get_by_label("Whether a number is given")
    told.select_option(label="9 of 10 are true, the rest turned")
    page.click("#save")
    wait_until_told(page, "Next: confide serve")
    design = SurveyFile.read(path).design
    assert find_survey_problems(SurveyFile.read(path)) == []
    assert design.declines == {"income": "no_income"}
    assert design.block("no_income").mechanism == cf.RelatedQuestion("9/10")


def test_what_tells_of_a_number_goes_where_the_number_goes(page, tmp_path, run_app):
    path = tmp_path / "survey.toml"
    earnings().design.save(path)
    app, key = build_builder_app(path, "127.0.0.1")
    page.goto(f"{run_app(app)}/new#{key}")
    wait_until_told(page, "Whether income is missing is guessed right for 83 of 100 people")
    assert page.locator("fieldset").count() == 3

    def save():
        page.click("#save")
        wait_until_told(page, "Next: confide serve")
        page.fill("text=Title", "Changed")  # until the next time it is not saved
        wait_until_told(page, "Not saved yet.")
        return SurveyFile.read(path).design

    number = page.locator("fieldset[data-name=income]")
    number.get_by_role("button", name="Down").click()
    assert save().names == ("works", "cheated", "income", "no_income")
    number.get_by_label("Disguised?").select_option(label="no, sent as it is")
    design = save()
    assert design.names == ("works", "cheated", "income") and design.declines == {}
    number.get_by_label("Disguised?").select_option(label="by some noise")
    number.locator("summary").click()
    number.get_by_label("Prefer not to say").check()
    assert save().declines == {"income": "no_income"}
    number.get_by_role("button", name="Remove").click()
    assert save().names == ("works", "cheated")


def test_a_survey_is_written_with_the_keyboard_alone(page, builder):
    """What is drawn anew leaves the keyboard where it was."""
    path, address = builder
    page.goto(address)
    wait_until_told(page, "75 truly answer yes")
    press, said = page.keyboard.press, "document.activeElement.labels?.[0]?.innerText"
    page.focus("#add")
    press("Enter")
    page.keyboard.type("How tall are you?")
    press("Tab")
    for _ in range(2):
        press("ArrowDown")
    assert page.evaluate(said).startswith("Answers are")
    press("Tab")
    for _ in range(2):
        press("ArrowDown")
    assert page.evaluate(said).startswith("Disguised?")
    for _ in range(5):  # from, to, steps, unit, More
        press("Tab")
    press("Enter")
    press("Tab")
    press("Space")
    assert "Prefer not to say" in page.evaluate(said)
    assert page.is_checked("fieldset >> nth=1 >> input[type=checkbox]")
    page.focus("fieldset >> nth=1 >> button:has-text('Up')")
    press("Enter")
    assert page.evaluate("document.activeElement.closest('fieldset').dataset.name") == "question_2"
    page.focus("#save")
    press("Enter")
    wait_until_told(page, "Next: confide serve")
    assert SurveyFile.read(path).design.names == ("question_2", "no_question_2", "first")


def test_on_a_phone_nothing_that_is_focused_lies_under_the_header(page, builder):
    _, address = builder
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(address)
    wait_until_told(page, "75 truly answer yes")
    for _ in range(3):
        page.click("#add")
    end = page.evaluate("document.querySelector('header').getBoundingClientRect().bottom")
    page.focus("fieldset >> nth=3 >> button >> nth=0")
    while page.evaluate("!!document.activeElement.closest('fieldset')"):
        assert page.evaluate("document.activeElement.getBoundingClientRect().top") >= end
        page.keyboard.press("Shift+Tab")


def test_removing_a_question_takes_along_what_the_page_says_of_it(page, tmp_path, run_app):
    path = tmp_path / "survey.toml"
    path.write_text(HELPED)
    app, key = build_builder_app(path, "127.0.0.1")
    page.goto(f"{run_app(app)}/new#{key}")
    wait_until_told(page, "75 truly answer yes")
    page.locator("fieldset[data-name=lied]").get_by_role("button", name="Remove").click()
    page.click("#save")
    wait_until_told(page, "Next: confide serve")
    assert find_survey_problems(SurveyFile.read(path)) == []
