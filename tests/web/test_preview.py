"""A survey that is still being written, on the web: shown, checked, and never stored."""

import subprocess
import sys

import httpx
import pytest
from support.cluster import free_port
from support.web_surveys import campus

from confide.reports.store import StoreError
from confide.reports.submissions import Submission
from confide.reports.wire import Report, write_report
from confide.surveys.survey import Survey
from confide.web.preview.draft import Draft
from confide.web.preview.endpoints import Preview, build_preview
from confide.web.respondent.survey_page import render_page
from confide.web.server import open_survey_store

SURVEY = '[[question]]\nname = "cheated"\ntext = "Ever cheated?"\nkind = "yes-no"\n'
DISGUISE = '[[group]]\nquestions = ["cheated"]\nmechanism = "related-question"\ntruth = "3/4"\n'


@pytest.fixture
def draft(tmp_path):
    """A survey file."""
    path = tmp_path / "survey.toml"
    path.write_text(SURVEY + DISGUISE)
    return path


@pytest.fixture
def client(draft, run_app):
    app = build_preview(Preview(lambda: Draft.read(draft)), ["127.0.0.1"])
    with httpx.Client(base_url=run_app(app)) as client:
        yield client


def write_any_report(draft):
    questionnaire = Survey.load(draft).questionnaire
    return write_report(questionnaire, Report("0" * 32, "", questionnaire.modes(), (1,)))


def send(client, body):
    return client.post("/report", content=body, headers={"Content-Type": "application/json"})


def test_a_preview_is_marked_and_the_page_itself_is_not_changed(client, draft):
    shown = client.get("/").text
    assert "<strong>Preview</strong> of survey.toml: nothing is stored." in shown
    marks = {line for line in shown.splitlines() if "preview" in line}
    served = render_page(Survey.load(draft), "en", is_open=True)
    assert [line for line in shown.splitlines() if line not in marks] == served.splitlines()
    assert len(marks) == 3


def test_a_preview_shows_the_file_as_it_is_now(client, draft):
    before = client.get("/preview/version").json()
    draft.write_text((SURVEY + DISGUISE).replace("Ever cheated?", "Ever lied?"))
    assert client.get("/preview/version").json() != before
    assert "Ever lied?" in client.get("/").text


def test_a_preview_lists_everything_that_is_wrong_and_recovers(client, draft):
    draft.write_text(SURVEY + DISGUISE.replace("3/4", "1/2") + "[page]\nminimum = 0\n")
    told = client.get("/").text
    assert "truth of RelatedQuestion" in told and "minimum of the page" in told
    draft.unlink()
    assert client.get("/").status_code == 200
    draft.write_text(SURVEY)
    assert "Ever cheated?" in client.get("/").text


def test_a_preview_checks_a_report_as_a_collector_would_and_leaves_no_file(client, draft):
    assert send(client, write_any_report(draft)).json() == {"stored": True}
    refused = send(client, b'{"answers": "yes"}')
    assert refused.status_code == 400 and "yes" not in refused.text
    assert [each.name for each in draft.parent.iterdir()] == ["survey.toml"]


def test_a_preview_asks_everyone_without_an_invitation(client, draft):
    draft.write_text(f"{SURVEY}{DISGUISE}[page]\ninvitation = true\n")
    assert '"invitation":false' in client.get("/").text


def test_only_its_own_server_may_frame_a_preview(client):
    headers = client.get("/").headers
    assert "frame-ancestors 'self'" in headers["content-security-policy"]
    assert headers["x-frame-options"] == "SAMEORIGIN"


def test_a_survey_can_be_changed_until_somebody_has_reported(draft, tmp_path):
    database = f"sqlite:///{tmp_path}/survey.db"
    first = Survey.load(draft)
    open_survey_store(first, database).close()
    draft.write_text((SURVEY + DISGUISE).replace("3/4", "2/3"))
    second = Survey.load(draft)
    with pytest.warns(UserWarning, match="no reports"):
        store = open_survey_store(second, database)
    record = second.questionnaire.pack((1,), "b")
    store.settle([Submission(b"0" * 16, record)])
    store.close()
    with pytest.raises(Exception, match="holds another survey"):
        open_survey_store(first, database)


def test_who_still_serves_the_earlier_form_takes_no_report_for_it(draft, tmp_path):
    database = f"sqlite:///{tmp_path}/survey.db"
    first = Survey.load(draft)
    old = open_survey_store(first, database)
    with pytest.warns(UserWarning):
        open_survey_store(campus(), database).close()
    with pytest.raises(StoreError, match="moved or deleted"):
        old.settle([Submission(b"0" * 16, first.questionnaire.pack((1,), "b"))])
    old.close()


def test_a_survey_to_which_people_were_invited_is_not_changed(draft, tmp_path):
    database = f"sqlite:///{tmp_path}/survey.db"
    draft.write_text(f"{SURVEY}{DISGUISE}[page]\ninvitation = true\n")
    store = open_survey_store(Survey.load(draft), database)
    store.invite([b"0" * 32])
    store.close()
    with pytest.raises(Exception, match="holds another survey"):
        open_survey_store(campus(), database)


@pytest.mark.slow
def test_the_command_serves_a_preview(draft, tmp_path):
    port = free_port()
    code = "from confide.cli import main; main()"
    command = [sys.executable, "-u", "-c", code, "serve", str(draft), "--preview"]
    running = subprocess.Popen(
        [*command, "--port", str(port)], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        assert running.stdout.readline() == f"Preview: http://127.0.0.1:{port}/\n"
        assert "Ever cheated?" in httpx.get(f"http://127.0.0.1:{port}/").text
    finally:
        running.terminate()
        running.wait(10)
        running.stdout.close()
