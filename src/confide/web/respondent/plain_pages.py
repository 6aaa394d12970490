"""Pages beside that of the questions: for a receipt, for an upload, for a published model."""

from __future__ import annotations

from confide.files import Json
from confide.surveys.seal import describe_fields
from confide.surveys.survey import Survey
from confide.web.respondent.page_script import embed_json, list_reasons
from confide.web.respondent.survey_template import render_survey_template


def render_plain_page(
    survey: Survey, language: str, name: str, script: Json | None = None, **more: object
) -> str:
    """Render another page than that of the questions, such as "receipt".

    Its script gets the texts, and what is given or else the fields and the terms.
    """
    texts = survey.texts(language)
    if script is None:
        terms = {"invitation": survey.page.invitation, "reasons": list_reasons(texts)}
        script = {"fields": describe_fields(survey, texts), **terms}
    return render_survey_template(
        name, survey, language, script=embed_json({"texts": texts, **script}), **more
    )
