"""A survey written by clicking: what the page is told, and when the file is written."""

import httpx
import pytest
from support.web_surveys import worked

from confide.design.survey_file import SurveyFile
from confide.formats.toml import read_toml, to_toml
from confide.surveys.starting_points import list_starting_points
from confide.web.builder.draft_description import describe_draft
from confide.web.preview.draft import Draft
from confide.web.server import build_builder_app

SURVEY = {
    "title": "Us",
    "question": [{"name": "lied", "text": "Ever lied?", "kind": "yes-no"}],
    "group": [{"questions": ["lied"], "mechanism": "related-question", "truth": "3/4"}],
}


@pytest.fixture
def builder(tmp_path, run_app):
    """A file that is not there yet, and what sends to the builder that will write it."""
    path = tmp_path / "survey.toml"
    app, key = build_builder_app(path, "127.0.0.1")
    with httpx.Client(base_url=run_app(app)) as client:

        def send(what, survey=SURVEY, key=key, **headers):
            given = {"key": key, "survey": survey}
            return client.post(f"/new/{what}", json=given, headers=headers)

        send.client = client
        yield path, send


def test_a_draft_is_described_and_shown_but_not_written(builder):
    path, send = builder
    told = send("draft").json()
    assert told["problems"] == [] and told["people"] == told["questions"]["lied"]["people"] == 1537
    assert "75 truly answer yes" in told["questions"]["lied"]["given"]
    assert "Ever lied?" in send.client.get("/").text
    assert not path.exists()


def test_saving_writes_what_the_page_holds(builder):
    path, send = builder
    assert send("save").json() == {"saved": str(path), "sound": True}
    assert SurveyFile.read(path).design.title == "Us"
    assert send("save", {**SURVEY, "title": "All of us"}).status_code == 200
    assert SurveyFile.read(path).design.title == "All of us"


def test_a_file_that_was_changed_elsewhere_is_not_overwritten(builder):
    path, send = builder
    send("save")
    path.write_text("title = 'mine'")
    assert send("save").status_code == 409
    assert path.read_text() == "title = 'mine'"


def test_a_draft_that_is_not_sound_is_saved_and_said_to_be_unsound(builder):
    path, send = builder
    unsound = {**SURVEY, "group": [{**SURVEY["group"][0], "truth": "1/2"}]}
    assert "truth of RelatedQuestion" in send("draft", unsound).json()["problems"][0]
    assert send("save", unsound).json()["sound"] is False
    assert path.exists()


@pytest.mark.parametrize("what", ["draft", "save"])
def test_only_the_page_that_was_opened_may_write(builder, what):
    path, send = builder
    assert send(what, key="0" * 32).status_code == 403
    assert send(what, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert send(what, survey=3).status_code == 400
    assert send.client.get("/new", headers={"Host": "evil.example"}).status_code == 400
    assert not path.exists()


@pytest.mark.parametrize("values", [{"question": None}, {"question": [{"name": 1}]}, {"page": []}])
def test_whatever_the_page_sends_is_answered(builder, values):
    assert builder[1]("draft", values).json()["problems"]


@pytest.mark.parametrize("name", [each.name for each in list_starting_points()])
def test_a_worked_survey_goes_through_the_builder_unchanged(name):
    values = read_toml(next(e.text for e in list_starting_points() if e.name == name))
    draft = Draft("survey.toml", to_toml(values).encode())
    assert draft.survey.design.fingerprint == worked(name).design.fingerprint
    assert draft.survey.page == worked(name).page
    told = describe_draft(draft)
    assert set(told["questions"]) == set(draft.survey.design.names)
    assert told["people"] > 1000
