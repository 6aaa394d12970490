"""Pages beside that of the questions: for a receipt, for an upload, for a published model."""

from __future__ import annotations

from markupsafe import Markup

from confide.files import Json
from confide.surveys.seal import describe_fields, write_document
from confide.surveys.survey import Survey
from confide.web.respondent.page_script import embed_json, list_reasons
from confide.web.respondent.survey_template import render_survey_template


def render_plain_page(
    survey: Survey, language: str, name: str, script: Json | None = None, **more: object
) -> str:
    """Render another page than that of the questions, such as "receipt".

    Its script gets the texts, and what is given or else the fields.
    """
    texts = survey.texts(language)
    if script is None:
        script = {"fields": describe_fields(survey, survey.wording(language))}
    return render_survey_template(
        name, survey, language, script=embed_json({"texts": texts, **script}), **more
    )


def render_upload_page(survey: Survey, language: str, key: str = "") -> str:
    """Render the page that sends a report which was saved offline.

    Its script gets the sealed document too: with the key in it, it buys a ticket for the report.
    """
    texts = survey.texts(language)
    return render_survey_template(
        "upload",
        survey,
        language,
        script=Markup(write_document(survey, key)),
        terms=embed_json({"texts": texts, "reasons": list_reasons(texts)}),
    )
