"""What stands beside exported reports: which column is disguised, how, and how to analyse it."""

from __future__ import annotations

from typing import Any

from confide.counts.headings import export_heading
from confide.counts.spreadsheet_formulas import escape_formulas
from confide.reports.records import describe_damaged
from confide.surveys.field import Field
from confide.surveys.page_texts import built_in
from confide.surveys.questionnaire import Questionnaire
from confide.web.respondent import odds

_README = """\
Reports of a survey: {title}

{n:,} reports in {file}, one a row, in random order.{damaged}
Design {fingerprint}; design.json is its exact text.

A column that is disguised holds reports, not answers: a person's row may say what the person did
not answer. Never read a single row as somebody's answer. Counting such a column, crossing it or
learning from it as it is gives the reports' shares, not the people's. To estimate those:

    confide estimate design.json {read}

or in Python

    import confide as cf
    design = cf.Design.load("design.json")
    crowd = cf.Crowd(design, "{read}")
{spss}
The columns, and what happens to each as the page tells the people:
{columns}
"""
_SPSS = """
confide reads the CSV and Parquet exports, not this one. In it options are numbers with value
labels, and columns whose names SPSS cannot take are numbered; their labels name the questions.
"""


def column(form: Questionnaire, field: Field) -> str:
    """The name of a question's column: that of a disguised one says so."""
    return export_heading(form.design, field.name) if field.disguised else field.name


def explained(form: Questionnaire, file: str, n: int, damaged: int) -> str:
    """Write the README of an export."""
    is_spss = file.endswith(".sav")
    return _README.format(
        title=form.design.title or "without a title",
        n=n,
        file=file,
        read="reports.csv" if is_spss else file,
        damaged=f" {describe_damaged(damaged)}" if damaged else "",
        fingerprint=form.design.fingerprint,
        spss=_SPSS if is_spss else "",
        columns="\n".join(_described(form, file.endswith(".csv"))),
    )


def _described(form: Questionnaire, is_csv: bool) -> list[str]:
    parts: list[dict[str, Any]] = odds.explained(form, built_in("en"))
    told = {field.name: part["sentences"] for part in parts for field in part["questions"]}
    names = [column(form, field) for field in form.fields]
    held = escape_formulas(names) if is_csv else dict(zip(names, names, strict=True))
    lines = []
    for field, name in zip(form.fields, names, strict=True):
        mechanism: Any = field.block.mechanism
        how = f"disguised by {mechanism.kind}" if field.disguised else "not disguised"
        lines += ["", f"{held[name]}: {how}"]
        lines += [f"    {text}" for text in (field.question.text, *told[field.name]) if text]
    return lines
