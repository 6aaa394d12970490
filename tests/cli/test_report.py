"""confide report."""

from __future__ import annotations

import re
import shutil

import pytest

import confide as cf
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey


@pytest.fixture
def reports(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.parquet", "--seed", 1)
    return "reports.parquet"


@pytest.mark.slow
def test_a_report_is_one_document_with_everything(confide, survey, reports, tmp_path):
    ran = confide("report", survey, reports, "-o", tmp_path / "report.html")
    assert (ran.code, "2,000 reports, 5 questions" in ran.out) == (0, True)
    text = (tmp_path / "report.html").read_text("utf-8")
    asked = Survey.load(survey)
    assert asked.design.fingerprint in text and compute_seal(asked) in text
    for question in asked.design.questions:
        assert str(question.text) in text
    crowd = cf.Crowd(asked.design, reports)
    assert f"{100 * crowd.proportion({'cheated': 'yes'}).value:.0f} %" in text
    assert text.count('class="card result"') == 5 + 4  # each question, and each by the faculty
    for heading in ("Method", "Sample", "Limits", "What a report gives away", "Design and seal"):
        assert f"<h2>{heading}</h2>" in text
    assert not re.search(r"""(src|href)=["']|url\(|@import""", text)  # nothing is fetched
    german = confide("report", survey, reports, "-o", tmp_path / "de.html", "--language", "de")
    assert german.code == 0
    assert '<html lang="de" dir="ltr">' in (tmp_path / "de.html").read_text("utf-8")


def test_nothing_is_reported_below_the_minimum(confide, survey, tmp_path):
    answers = (tmp_path / "answers.csv").read_text().splitlines()
    (tmp_path / "few.csv").write_text("\n".join(answers[:50]))
    confide("disguise", survey, "few.csv", "-o", "few.parquet", "--seed", 1)
    ran = confide("report", survey, "few.parquet", "-o", "report.html")
    assert ran.code == 2 and "nothing is estimated below 50 reports." in ran.err
    assert not (tmp_path / "report.html").exists()


def test_a_report_that_cannot_be_written_says_why(confide, survey):
    for arguments, reason in (
        (("-o", "report.docx"), "written as .html or .pdf"),
        (("-o", "report.html", "--language", "tlh"), "a report is in en, de, fr, es, it, ar"),
    ):
        ran = confide("report", survey, "reports.parquet", *arguments)
        assert ran.code == 2 and reason in ran.err


@pytest.mark.slow
def test_a_pdf_takes_a_browser(tmp_path, monkeypatch):
    from confide.web.pdf import check_printable, write_printable

    if shutil.which("chromium"):
        write_printable("<!doctype html><title>a</title><p>b", tmp_path / "report.pdf")
        assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(cf.ConfideError, match=r"none of chromium, .* Write it as \.html"):
        check_printable(tmp_path / "other.pdf")
    with pytest.raises(cf.ConfideError, match="none of chromium"):
        write_printable("", tmp_path / "other.pdf")
    assert not (tmp_path / "other.pdf").exists()
