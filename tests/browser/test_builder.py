"""A survey is written in a real browser, by clicking, and saved."""

import pytest
from support.web_browser import find_violations

from confide.design.survey_file import SurveyFile
from confide.surveys.survey import find_survey_problems
from confide.web.server import build_builder_app


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
