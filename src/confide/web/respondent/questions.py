"""Questions as a template asks them, and as a script reads their answers."""

from __future__ import annotations

from collections.abc import Sequence

from confide.files import Json
from confide.surveys.certainty import Certainty
from confide.surveys.explanations import translate_labels
from confide.surveys.field import Field
from confide.surveys.odds import Odds
from confide.surveys.seal import describe_fields
from confide.surveys.survey import Survey
from confide.surveys.written_numbers import choose_keyboard, write_hint, write_number


def describe_questions(
    survey: Survey, language: str, names: Sequence[str]
) -> tuple[list[Json], list[Json]]:
    """Describe some questions as a template asks them, and as a script reads their answers."""
    texts = survey.texts(language)
    places = [survey.design.position(name) for name in names]
    fields = describe_fields(survey, texts)
    shown = [describe_question(survey, place, texts) for place in places]
    return shown, [fields[place] for place in places]


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


def _text(field: Field) -> str:
    return str(field.question.text or field.name)
