"""A preview in a real browser: answered again and again, and loaded anew when the file is saved."""

import pytest
from support.web_browser import begin, find_violations

from confide.web.preview.draft import Draft
from confide.web.preview.endpoints import Preview, build_preview

SURVEY = """title = "Us"
[[question]]
name = "cheated"
text = "Ever cheated?"
kind = "yes-no"
[[group]]
questions = ["cheated"]
mechanism = "related-question"
truth = "3/4"
"""


@pytest.fixture
def preview(tmp_path, run_app):
    """A preview on loopback: its file and its address."""
    path = tmp_path / "survey.toml"
    path.write_text(SURVEY)
    return path, run_app(build_preview(Preview(lambda: Draft.read(path)), ["127.0.0.1"]))


def test_a_preview_is_answered_twice_and_shows_the_file_when_it_is_saved(page, preview, axe):
    path, address = preview
    for _ in range(2):
        begin(page, address)
        page.check("input[name=q0] >> nth=1")
        page.click("#next")
        page.click("#send")
        page.wait_for_selector("#done:not([hidden])")
    begin(page, address)
    page.check("input[name=q0] >> nth=1")  # nothing is asked before these answers are lost
    path.write_text(SURVEY.replace("Ever cheated?", "Ever lied?"))
    page.wait_for_selector("#begin:not([hidden])")
    assert page.locator(".preview").inner_text() == "Preview of survey.toml: nothing is stored."
    assert find_violations(page, axe) == []
    path.write_text(SURVEY.replace("3/4", "1/2"))
    page.wait_for_selector("text=Not yet a survey")
    assert find_violations(page, axe) == []
    path.write_text(SURVEY)
    page.wait_for_selector("#begin:not([hidden])")
