"""Pages beside that of the questions: for a receipt, for an upload, for a published model."""

from __future__ import annotations

from confide.files import Json
from confide.surveys.survey import Survey
from confide.web.respondent.page_script import embed_json, list_reasons
from confide.web.respondent.questions import describe_fields
from confide.web.template_environment import load_environment


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
    return (
        load_environment()
        .get_template(f"{name}.html")
        .render(
            t=texts,
            language=language,
            direction=survey.direction(language),
            title=survey.title,
            exit=survey.page.exit,
            invitation=survey.page.invitation,
            script=embed_json({"texts": texts, **script}),
            **more,
        )
    )
