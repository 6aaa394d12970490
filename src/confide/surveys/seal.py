"""The seal: the SHA-256 of the one document that a respondent's browser executes for a survey.

The document holds the questions, the integer weights with which the browser draws, the words that
its script says, and where a survey is by invitation the public key of its tickets. The page's
script computes the seal from the very bytes that it works with.
"""

from __future__ import annotations

import hashlib
import json

from confide.files import Json
from confide.surveys.certainty import Certainty
from confide.surveys.explanations import (
    explain_first,
    explain_review,
    explain_total,
    translate_labels,
)
from confide.surveys.survey import Survey

_SPOKEN = (
    *("practice_result", "no", "yes", "missing", "out_of_range", "off_step", "sending", "unsent"),
    *("refused", "already", "insecure", "uninvited", "closed", "spent", "broken", "altered"),
    *("pausing", "missigned"),
    *("kept_opposite", "kept_another", "nobody_tells", "nobody_tells_alone", "kept_uneven"),
    *("if_answer", "sent_as", "clear", "noise_bounded", "noise_endless", "interval", "together"),
    *("conclude_report", "rules_out", "rules_out_together", "tells_together", "conclude_certain"),
    *("conclude_always", "conclude_bounded", "conclude_noise", "legend_kept", "legend_rest"),
    *("decimal_mark", "group_mark", "progress", "progress_some", "next", "to_review"),
)


def compute_seal(survey: Survey, key: str = "") -> str:
    """Compute a survey's seal, in the language of its questions.

    ``key`` is the public key of a survey by invitation, in hexadecimal digits.

    >>> import confide as cf
    >>> len(compute_seal(Survey(cf.Design([cf.YesNo("a")]))))
    64
    """
    return hashlib.sha256(write_document(survey, survey.language, key).encode()).hexdigest()


def write_document(survey: Survey, language: str, key: str = "") -> str:
    """Write what the browser executes: JSON with sorted keys, no spaces, and ``<`` as \\u003c.

    So no text in it can end the page's element that holds it.
    """
    document = describe_survey(survey, survey.texts(language)) | {"key": key}
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.replace("<", "\\u003c")


def describe_survey(survey: Survey, texts: dict[str, str]) -> Json:
    """Collect what the page's script needs: fields, weights and the texts it says itself."""
    questionnaire = survey.questionnaire
    script = questionnaire.script()
    for described, block in zip(script["blocks"], questionnaire.blocks, strict=True):
        described["certainty"] = questionnaire.certainty_by_question[block.positions[0]].name
    return script | {
        "title": survey.title,
        "fields": describe_fields(survey, texts),
        "invitation": survey.page.invitation,
        "texts": {key: texts[key] for key in _SPOKEN},
        "lead": explain_first(questionnaire, texts),
        "total": explain_total(questionnaire, texts),
        "review": explain_review(questionnaire, texts),
    }


def describe_fields(survey: Survey, texts: dict[str, str]) -> list[Json]:
    """Describe all questions as a script reads their answers."""
    fields = []
    for place, scripted in enumerate(survey.questionnaire.script()["fields"]):
        field = survey.questionnaire.fields[place]
        shown = scripted | {
            "text": str(field.question.text or field.name),
            "tag": name_disguise(survey, place, texts),
            "optional": field.question.may_be_left_out,
        }
        if field.finite:
            shown["options"] = translate_labels(field.question.labels, texts)
        else:
            shown |= {"grid": field.number.step, "unit": field.number.unit}
        fields.append(shown)
    return fields


def name_disguise(survey: Survey, place: int, texts: dict[str, str]) -> str:
    """Say in a word or two how a question is asked."""
    tags = {Certainty.ALWAYS: "in_clear", Certainty.RANGE: "in_range"}
    return texts[tags.get(survey.questionnaire.certainty_by_question[place], "disguised")]
