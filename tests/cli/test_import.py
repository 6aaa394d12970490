"""`confide import`, run as somebody with a form of another tool would."""

import json
from io import BytesIO

import pytest
from openpyxl import Workbook

from confide.design.survey_file import SurveyFile
from confide.surveys.survey import find_survey_problems


@pytest.fixture
def form(tmp_path):
    """A form of three questions, of which one cannot be asked."""
    workbook = Workbook()
    workbook.active.title = "survey"
    for row in (
        ["type", "name", "label"],
        ["note", "hello", "Welcome"],
        ["select_one yn", "cheated", "Ever cheated?"],
        ["text", "how", "How?"],
        ["integer", "age", "How old?"],
    ):
        workbook.active.append(row)
    choices = workbook.create_sheet("choices")
    for row in (["list_name", "name", "label"], ["yn", "y", "Yes"], ["yn", "n", "No"]):
        choices.append(row)
    content = BytesIO()
    workbook.save(content)
    (tmp_path / "form.xlsx").write_bytes(content.getvalue())
    return "form.xlsx"


def test_nothing_is_written_until_one_agrees_to_leave_out(confide, form, tmp_path):
    ran = confide("import", form, "-o", "survey.toml")
    assert ran.code == 2 and ran.out.count("✗") == 2
    assert "2 of its questions cannot be asked, and 1 can" in ran.err
    assert not (tmp_path / "survey.toml").exists()
    ran = confide("import", form, "-o", "survey.toml", "--leave-out")
    assert ran.code == 0 and "Wrote survey.toml with 1 question" in ran.out
    assert find_survey_problems(SurveyFile.read(tmp_path / "survey.toml")) == []
    assert "exists already" in confide("import", form, "-o", "survey.toml").err


def test_a_program_reads_what_was_left_out(confide, form):
    told = json.loads(confide("import", form, "-o", "a.toml", "--leave-out", "--json").out)
    assert told["questions"] == ["cheated"] and told["written"] == "a.toml"
    assert [remark["place"] for remark in told["left_out"]] == [
        "sheet survey, row 4 (how)",
        "sheet survey, row 5 (age)",
    ]
    assert told["skipped"][0]["why"] == "note: nobody answers it."
