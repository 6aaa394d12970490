"""The seal: the SHA-256 of the one document that a respondent's browser executes for a survey.

The document holds the codes of the questions, the integer weights with which the browser draws, the
SHA-256 of the survey's words in each of its languages, and where a survey is by invitation the
public key of its tickets. The words stand beside it in one language. The page's script computes the
seal from the very bytes that it works with, and compares the words with their hash.
"""

from __future__ import annotations

import hashlib
import json

from confide.files import Json
from confide.surveys.certainty import Certainty
from confide.surveys.explanations import explain_first, explain_review, explain_total
from confide.surveys.sheets import lay_sheets, list_places
from confide.surveys.survey import Survey
from confide.surveys.wording import Wording

_SPOKEN = (
    *("practice_result", "no", "yes", "missing", "out_of_range", "off_step", "sending", "unsent"),
    *("refused", "already", "insecure", "uninvited", "closed", "spent", "broken", "altered"),
    *("pausing", "missigned"),
    *("kept_opposite", "kept_another", "nobody_tells", "kept_uneven"),
    *("if_answer", "sent_as", "clear", "noise_bounded", "noise_endless", "interval", "together"),
    *("conclude_report", "rules_out", "rules_out_together", "tells_together", "conclude_certain"),
    *("conclude_always", "conclude_bounded", "conclude_noise", "legend_kept", "legend_rest"),
    *("decimal_mark", "group_mark", "progress", "progress_some", "next", "to_review"),
)


def compute_seal(survey: Survey, key: str = "") -> str:
    """Compute a survey's seal, the same in all its languages.

    ``key`` is the public key of a survey by invitation, in hexadecimal digits.

    >>> import confide as cf
    >>> len(compute_seal(Survey(cf.Design([cf.YesNo("a")]))))
    64
    """
    return _hash(write_document(survey, key))


def write_document(survey: Survey, key: str = "") -> str:
    """Write what the browser executes: JSON with sorted keys, no spaces, and ``<`` as \\u003c.

    So no text in it can end the page's element that holds it.
    """
    words = {language: _hash(write_words(survey, language)) for language in survey.languages}
    return _write(describe_survey(survey) | {"key": key, "words": words})


def write_words(survey: Survey, language: str) -> str:
    """Write what the browser says in one language, as the document is written."""
    return _write(describe_words(survey, survey.wording(language)))


def describe_survey(survey: Survey) -> Json:
    """Collect what the page's script computes with: fields, weights, sheets."""
    questionnaire = survey.questionnaire
    script, told = questionnaire.script(), survey.design.declines.values()
    for described, block in zip(script["blocks"], questionnaire.blocks, strict=True):
        described["certainty"] = questionnaire.certainty_by_question[block.positions[0]].name
    for described, field in zip(script["fields"], questionnaire.fields, strict=True):
        described.pop("options", None)
        described["optional"] = field.question.may_be_left_out or field.name in told
        if not field.finite:
            described["grid"] = field.number.step
    sheets = lay_sheets(survey.design, survey.page)
    return script | {
        "invitation": survey.page.invitation,
        "redirect": survey.page.redirect,
        "sheets": [
            {"questions": list_places(survey.design, sheet), "only_if": sheet.only_if}
            for sheet in sheets
        ],
    }


def describe_words(survey: Survey, wording: Wording) -> Json:
    """Collect what the page's script says and checks in one language."""
    questionnaire, texts = survey.questionnaire, wording.texts
    sections = [wording.section(place) for place in range(len(survey.page.section))]
    return {
        "language": wording.language,
        "title": wording.title,
        "said": describe_said(wording),
        "sections": [text for each in sections for text in each.values() if text],
        "fields": [_describe_field(survey, wording, p) for p in range(len(questionnaire.fields))],
        "texts": {key: texts[key] for key in (*_SPOKEN, *_list_more(survey))},
        "lead": explain_first(questionnaire, texts),
        "total": explain_total(questionnaire, texts),
        "review": explain_review(questionnaire, texts),
    }


def _list_more(survey: Survey) -> tuple[str, ...]:
    """What is said only where a number may be missing; all other surveys keep their seals."""
    return ("stand_in",) if survey.design.declines else ()


def describe_said(wording: Wording) -> dict[str, str]:
    """What the survey says beside its questions; nothing where it says nothing."""
    organiser = wording.say("organiser")
    sentence = wording.texts["organiser"].format(organiser=organiser) if organiser else ""
    return {"organiser": sentence} | {key: wording.say(key) for key in ("consent", "thanks")}


def describe_fields(survey: Survey, wording: Wording) -> list[Json]:
    """Describe all questions as a script reads their answers, with their words."""
    codes = describe_survey(survey)["fields"]
    return [field | _describe_field(survey, wording, place) for place, field in enumerate(codes)]


def _describe_field(survey: Survey, wording: Wording, place: int) -> Json:
    """The words of one question."""
    question = survey.questionnaire.fields[place]
    words = {
        "text": wording.text(place),
        "tag": name_disguise(survey, place, wording.texts),
        "help": wording.say_of("help", question.name),
    }
    if question.finite:
        return words | {"options": wording.labels(place)}
    return words | {"unit": wording.unit(place)}


def name_disguise(survey: Survey, place: int, texts: dict[str, str]) -> str:
    """Say in a word or two how a question is asked."""
    tags = {Certainty.ALWAYS: "in_clear", Certainty.RANGE: "in_range"}
    return texts[tags.get(survey.questionnaire.certainty_by_question[place], "disguised")]


def _write(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
