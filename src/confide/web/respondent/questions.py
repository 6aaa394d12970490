"""Questions as a template asks them, and as a script reads their answers."""

from __future__ import annotations

from collections.abc import Sequence

from confide.files import Json
from confide.surveys.certainty import Certainty
from confide.surveys.field import Field
from confide.surveys.survey import Survey
from confide.web.respondent.explanations import translate_labels
from confide.web.respondent.odds import Odds
from confide.web.respondent.written_numbers import choose_keyboard, write_hint, write_number


def describe_questions(
    survey: Survey, language: str, names: Sequence[str]
) -> tuple[list[Json], list[Json]]:
    """Describe some questions as a template asks them, and as a script reads their answers."""
    texts = survey.texts(language)
    places = [survey.design.position(name) for name in names]
    fields = describe_fields(survey, texts)
    shown = [describe_question(survey, place, texts) for place in places]
    return shown, [fields[place] for place in places]


def describe_fields(survey: Survey, texts: dict[str, str]) -> list[Json]:
    """Describe all questions as a script reads their answers."""
    fields = []
    for place, scripted in enumerate(survey.questionnaire.script()["fields"]):
        field = survey.questionnaire.fields[place]
        shown = scripted | {"text": _text(field), "tag": name_disguise(survey, place, texts)}
        shown["optional"] = field.question.may_be_left_out
        if field.finite:
            shown["options"] = translate_labels(field.question.labels, texts)
        else:
            shown["grid"] = field.number.step
        fields.append(shown)
    return fields


def describe_question(survey: Survey, place: int, texts: dict[str, str]) -> Json:
    """Describe one question as a template asks it."""
    field = survey.questionnaire.fields[place]
    shown = {"position": place, "text": _text(field), "number": not field.finite}
    if field.finite:
        optional = _explain_left_out(survey, place, texts) if field.question.may_be_left_out else ""
        return shown | {
            "options": translate_labels(field.question.labels, texts),
            "optional": optional,
        }
    asked = field.number
    more = {
        "unit": asked.unit,
        "hint": write_hint(asked, texts),
        "keyboard": choose_keyboard(asked),
    }
    return shown | more | {"width": len(write_number(asked.high, texts)) + 4}


def _explain_left_out(survey: Survey, place: int, texts: dict[str, str]) -> str:
    """Say what becomes of a question that is left out."""
    field, missing = survey.questionnaire.fields[place], survey.questionnaire.fields[place].size - 1
    if survey.questionnaire.certainty_by_question[place] is Certainty.ALWAYS:
        return texts["optional_clear"]
    odds = Odds.of(field.block, field.block.questions.index(field.question))
    certain = (missing, missing) in odds.telling
    return texts["optional_certain" if certain else "optional"]


def name_disguise(survey: Survey, place: int, texts: dict[str, str]) -> str:
    """Say in a word or two how a question is asked."""
    tags = {Certainty.ALWAYS: "in_clear", Certainty.RANGE: "in_range"}
    return texts[tags.get(survey.questionnaire.certainty_by_question[place], "disguised")]


def _text(field: Field) -> str:
    return str(field.question.text or field.name)
