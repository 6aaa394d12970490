"""Another tool's form as a survey: what can be asked is, and every remark is kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from confide.design.plain_values import read_design
from confide.errors import DesignError
from confide.files import Json, read_json
from confide.formats.forms import Names, find_disguised_names, read_form
from confide.formats.imports.surveyjs_import import take_surveyjs
from confide.formats.imports.taken_form import FormCondition, Item, Remark, TakenForm
from confide.formats.imports.xlsform_import import take_xlsform
from confide.surveys.page_texts import LANGUAGES


@dataclass(frozen=True)
class ImportedForm:
    """A form as a survey.

    Parameters
    ----------
    survey : mapping
        What is asked, as survey files write it.
    skipped : sequence of Remark
        What nobody answers, and what was dropped from questions that are asked.
    left_out : sequence of Remark
        Questions that cannot be asked, and why.
    """

    survey: Json
    skipped: Sequence[Remark]
    left_out: Sequence[Remark]


def import_form(content: bytes, name: str, language: str | None = None) -> ImportedForm:
    """Take over what a form of another tool asks.

    Parameters
    ----------
    content : bytes
        What the file holds: an XLSForm workbook, or a SurveyJS form as JSON.
    name : str
        The file's name, which says which of the two it is.
    language : str, optional
        Which of the form's languages, such as "en".

    Examples
    --------
    >>> imported = import_form(b'{"elements": [{"type": "boolean", "name": "lied"}]}', "form.json")
    >>> imported.survey
    {'question': [{'name': 'lied', 'kind': 'yes-no'}]}
    """

    def take() -> TakenForm:
        if Path(name).suffix.lower() == ".xlsx":
            return take_xlsform(content, language)
        try:
            return take_surveyjs(read_json(content.decode("utf-8-sig")), language)
        except ValueError as error:
            raise DesignError(f"it is not valid JSON: {error}") from None

    form = read_form(take, name)
    kept = _keep_sound(form)
    survey: Json = {"title": form.title} if form.title else {}
    survey["question"] = [entry for item in kept for entry in item.entries]
    if form.groups:
        survey["group"] = form.groups
    page: Json = {"section": sections} if (sections := _lay_sections(form, kept)) else {}
    if language in LANGUAGES[1:]:
        page["language"] = language
    return ImportedForm({**survey, "page": page} if page else survey, form.skipped, form.refused)


def _keep_sound(form: TakenForm) -> list[Item]:
    """Keep the items that a design can ask and whose conditions can be kept; refuse the others."""
    disguised = find_disguised_names(form.groups)
    kept: list[Item] = []
    names: set[str] = set()
    for item in form.items.values():
        _, problems = read_design({"question": item.entries})
        own = {entry["name"] for entry in item.entries}
        if problems:
            form.refuse(item.place, problems[0])
        elif own & names:
            form.refuse(item.place, f"another question is named {min(own & names)!r}, too.")
        elif why := _find_unkept(form, item, names, disguised):
            form.refuse(item.place, why)
        else:
            kept.append(item)
            names |= own
    return kept


def _find_unkept(form: TakenForm, item: Item, names: set[str], disguised: Names) -> str:
    """Say why an item's condition cannot be kept; nothing where it can."""
    if len(item.conditions) > 1:
        return "it is asked after several answers, and confide knows one as a condition."
    for condition in item.conditions:
        asked = _find_answer(form, condition)
        if asked is None or asked[0] not in names:
            return (
                f"it is asked after an answer to {condition.question!r}, which is not asked before."
            )
        if disguised.find_mentioned(f"{{{asked[0]}}}"):
            return f"it is asked after an answer to {asked[0]!r}, which is disguised."
    return ""


def _find_answer(form: TakenForm, condition: FormCondition) -> tuple[str, str] | None:
    found = form.items.get(condition.question)
    return None if found is None else found.find_answer(condition)


def _lay_sections(form: TakenForm, items: Sequence[Item]) -> list[Json]:
    """Lay the questions that look or are asked like one on sheets of their own."""
    sections: list[Json] = []
    before: tuple[FormCondition, ...] = ()
    for item in items:
        names = [entry["name"] for entry in item.entries]
        if item.section:
            sections.append({"questions": names, **item.section})
        elif item.conditions and item.conditions == before:
            sections[-1]["questions"] += names
        elif item.conditions:
            sections.append({"questions": names})
        if item.conditions:
            asked = _find_answer(form, item.conditions[0])
            assert asked is not None, "conditions that cannot be kept were refused"
            sections[-1]["only_if"] = {"question": asked[0], "answer": asked[1]}
        before = () if item.section else item.conditions
    return sections
