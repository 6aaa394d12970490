"""Questions as a template asks them, and as a script reads their answers."""

from __future__ import annotations

from collections.abc import Sequence

from confide.design import Choice
from confide.files import Json
from confide.surveys.certainty import Certainty
from confide.surveys.odds import Odds
from confide.surveys.seal import describe_fields
from confide.surveys.survey import Survey
from confide.surveys.wording import Wording
from confide.surveys.written_numbers import choose_keyboard, write_hint, write_number

_MOST_ON_SCALE = 7  # more options than this do not stand side by side
_SHORT = 8  # letters of an option that stands beside four others on a telephone


def describe_questions(
    survey: Survey, language: str, names: Sequence[str]
) -> tuple[list[Json], list[Json]]:
    """Describe some questions as a template asks them, and as a script reads their answers."""
    wording = survey.wording(language)
    places = [survey.design.position(name) for name in names]
    fields = describe_fields(survey, wording)
    shown = [describe_question(survey, place, wording) for place in places]
    return shown, [fields[place] for place in places]


def describe_question(survey: Survey, place: int, wording: Wording) -> Json:
    """Describe one question as a template asks it."""
    field, texts = survey.questionnaire.fields[place], wording.texts
    told = survey.questionnaire.pairs.values()
    shown: Json = {"position": place, "text": wording.text(place), "number": not field.finite}
    shown["decline"] = wording.decline(place) if place in told else None
    shown["help"] = wording.say_of("help", field.name)
    if field.finite:
        optional = _explain_left_out(survey, place, texts) if field.question.may_be_left_out else ""
        options = wording.labels(place)
        return shown | {
            "options": options,
            "optional": optional,
            "scale": _find_scale(survey, place, options),
        }
    asked = field.number
    more = {
        "unit": wording.unit(place),
        "hint": write_hint(asked, texts),
        "keyboard": choose_keyboard(asked),
    }
    return shown | more | {"width": len(write_number(asked.high, texts)) + 4}


def _find_scale(survey: Survey, place: int, options: list[str]) -> str:
    """How ordered options stand side by side: on every screen, or where there is room."""
    question = survey.design.questions[place]
    if not isinstance(question, Choice) or not question.ordered or len(options) > _MOST_ON_SCALE:
        return ""
    few = len(options) <= 5 and max(map(len, options)) <= _SHORT
    return "scale short" if few else "scale"


def _explain_left_out(survey: Survey, place: int, texts: dict[str, str]) -> str:
    """Say what becomes of a question that is left out."""
    field, missing = survey.questionnaire.fields[place], survey.questionnaire.fields[place].size - 1
    if survey.questionnaire.certainty_by_question[place] is Certainty.ALWAYS:
        return texts["optional_clear"]
    odds = Odds.of(field.block, field.block.questions.index(field.question))
    certain = (missing, missing) in odds.telling
    return texts["optional_certain" if certain else "optional"]
