"""What stands beside exported reports: which column is disguised, how, and how to analyse it."""

from __future__ import annotations

from confide.counts.headings import export_heading
from confide.counts.spreadsheet_formulas import escape_formulas
from confide.reports.records import describe_damaged
from confide.surveys.explanations import explain_blocks
from confide.surveys.field import Field
from confide.surveys.page_texts import built_in
from confide.surveys.questionnaire import Questionnaire

_README = """\
Reports of a survey: {title}

{n:,} reports in {file}, one per row, in random order.{damaged}
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


def name_column(questionnaire: Questionnaire, field: Field) -> str:
    """Name a question's column; the name of a disguised one says so."""
    return export_heading(questionnaire.design, field.name) if field.disguised else field.name


def write_readme(questionnaire: Questionnaire, file: str, n: int, damaged: int) -> str:
    """Write the README of an export."""
    is_spss = file.endswith(".sav")
    return _README.format(
        title=questionnaire.design.title or "without a title",
        n=n,
        file=file,
        read="reports.csv" if is_spss else file,
        damaged=f" {describe_damaged(damaged)}" if damaged else "",
        fingerprint=questionnaire.design.fingerprint,
        spss=_SPSS if is_spss else "",
        columns="\n".join(_describe_columns(questionnaire, file.endswith(".csv"))),
    )


def _describe_columns(questionnaire: Questionnaire, is_csv: bool) -> list[str]:
    sentences = {
        field.name: explanation.sentences
        for explanation in explain_blocks(questionnaire, built_in("en"))
        for field in explanation.fields
    }
    names = [name_column(questionnaire, field) for field in questionnaire.fields]
    held = escape_formulas(names) if is_csv else dict(zip(names, names, strict=True))
    lines = []
    for field, name in zip(questionnaire.fields, names, strict=True):
        mechanism = field.block.mechanism
        how = "not disguised"
        if mechanism is not None and field.disguised:
            how = f"disguised by {mechanism.kind}"
        lines += ["", f"{held[name]}: {how}"]
        lines += [f"    {text}" for text in (field.question.text, *sentences[field.name]) if text]
    return lines
