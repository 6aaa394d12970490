"""The pages of the administration, and the forms that they send."""

from __future__ import annotations

from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from confide.surveys.survey import Survey
from confide.web.addresses import find_root
from confide.web.admin.result_words import ResultWords
from confide.web.guard import RefusedError, read_body
from confide.web.template_environment import load_environment

_LARGEST_FORM = 4096


def choose_words(survey: Survey, request: Request) -> ResultWords:
    """Choose the language that the address names, else that of the survey."""
    words = ResultWords(survey, survey.language)
    wanted = request.query_params.get("language", "")
    known = {code for code, _ in words.list_languages()}
    return ResultWords(survey, wanted) if wanted in known else words


def render_admin_page(
    template: str, request: Request, words: ResultWords, **values: object
) -> Response:
    """Render a page of the administration in a language."""
    return HTMLResponse(render_template(template, words, root=find_root(request), **values))


def render_template(template: str, words: ResultWords, **values: object) -> str:
    """Render a template in a language."""
    said = {
        "t": words.texts,
        "say": words.say,
        "page_texts": words.marks,
        "language": words.language,
        "direction": words.direction,
        "title": words.wording.title,
    }
    return load_environment().get_template(template).render({**said, **values})


async def read_form(request: Request) -> dict[str, str]:
    """Read a small form, as browsers send it."""
    body = await read_body(request, _LARGEST_FORM)
    try:
        return dict(parse_qsl(body.decode()))
    except ValueError:
        raise RefusedError(400, "the form cannot be read.") from None
