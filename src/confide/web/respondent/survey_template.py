"""What every page of a survey gives to its template."""

from __future__ import annotations

from confide.surveys.survey import Survey
from confide.web.addresses import HERE
from confide.web.template_environment import load_environment


def render_survey_template(name: str, survey: Survey, language: str, **more: object) -> str:
    """Render a page of a survey in a language, such as "receipt", with values of its own.

    It stands beside the survey's first page unless it is given another way to the root.
    """
    return (
        load_environment()
        .get_template(f"{name}.html")
        .render(
            t=survey.texts(language),
            language=language,
            direction=survey.direction(language),
            title=survey.wording(language).title,
            chosen="" if language == survey.language else f"?language={language}",
            exit=survey.page.exit,
            invitation=survey.page.invitation,
            **{"root": HERE, **more},
        )
    )
