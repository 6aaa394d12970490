"""A draft on the web: the page that respondents will see, marked, with nobody behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.resources import files

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from confide.errors import ReportsError
from confide.reports.wire import read_report
from confide.web.guard import (
    PAGE_HEADERS,
    RefusedError,
    SecurityHeaders,
    answer_refused,
    check_origin,
    read_json_body,
)
from confide.web.preview.draft import Draft
from confide.web.respondent.survey_page import render_page
from confide.web.static_files import read_static_files
from confide.web.template_environment import load_environment

_LARGEST_REPORT = 1 << 16
_TYPES = {"js": "text/javascript", "css": "text/css"}
_ABOUT_KEPT = ("/receipt", "/upload", "/offline.html")
"""Pages about reports that are kept, of which a preview has none."""


class Preview:
    """The endpoints of a draft.

    Parameters
    ----------
    read_draft : callable
        Reads the draft as it is now.
    """

    def __init__(self, read_draft: Callable[[], Draft]) -> None:
        self._read, self._draft = read_draft, read_draft()

    def routes(self) -> list[Route]:
        """List the paths of a preview, each with its endpoint."""
        return [
            Route("/", self.page),
            Route("/report", self.report, methods=["POST"]),
            Route("/preview/version", self.version),
            Route("/static/{name}", serve_preview_file),
            *(Route(path, say_nothing_is_kept) for path in _ABOUT_KEPT),
        ]

    def current(self) -> Draft:
        """The draft as it is now; parsed once while it stays the same."""
        found = self._read()
        if found != self._draft:
            self._draft = found
        return self._draft

    async def version(self, _: Request) -> Response:
        """Say which draft would be shown, so that a page knows when to load again."""
        return JSONResponse({"version": self.current().version})

    async def page(self, request: Request) -> Response:
        """Show the page that respondents will see, or all for which it cannot be shown."""
        draft = self.current()
        return HTMLResponse(
            await run_in_threadpool(_render, draft, request.query_params.get("language", ""))
        )

    async def report(self, request: Request) -> Response:
        """Check a report as a collector would, and forget it."""
        check_origin(request.headers)
        body = await read_json_body(request, _LARGEST_REPORT)
        draft = self.current()
        if draft.problems:
            raise RefusedError(409, "the survey was changed meanwhile.")
        try:
            read_report(draft.survey.questionnaire, body)
        except ReportsError as error:
            raise RefusedError(400, str(error)) from None
        return JSONResponse({"stored": True})


async def say_nothing_is_kept(_: Request) -> Response:
    """Answer where a survey would have a page about reports that are kept."""
    return PlainTextResponse("A preview keeps nothing, so there is nothing here.", 404)


async def serve_preview_file(request: Request) -> Response:
    """Serve a script or a stylesheet: the respondent's, or one of the preview's own."""
    name = request.path_params["name"]
    found = read_static_files().get(name) or _read_own_files().get(name)
    if found is None:
        raise RefusedError(404, "there is no such file.")
    return Response(found[0], media_type=found[1])


def _read_own_files() -> dict[str, tuple[bytes, str]]:
    """Read the files of the preview, which no respondent loads."""
    return {
        each.name: (each.read_bytes(), _TYPES[each.name.rsplit(".", 1)[1]])
        for each in (files("confide.web.preview") / "static").iterdir()
    }


def build_preview(
    preview: Preview, hosts: Sequence[str], more_routes: Sequence[Route] = ()
) -> Starlette:
    """Build the app of a preview, and of what stands around it.

    It may stand in a frame of its own server, where a survey may stand in none.
    """
    policy = PAGE_HEADERS["Content-Security-Policy"].replace(
        "frame-ancestors 'none'", "frame-ancestors 'self'; frame-src 'self'"
    )
    framed = {"Content-Security-Policy": policy, "X-Frame-Options": "SAMEORIGIN"}
    headers = {**PAGE_HEADERS, **framed}
    return Starlette(
        routes=[*preview.routes(), *more_routes],
        middleware=[
            Middleware(SecurityHeaders, page_headers=headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
        ],
        exception_handlers={RefusedError: answer_refused},
    )


def _render(draft: Draft, wanted: str) -> str:
    """Render the respondent's page with a mark around it, or what is wrong with the draft."""
    environment = load_environment()
    values = {"name": draft.name, "version": draft.version}
    if draft.problems:
        template = environment.get_template("preview-problems.html")
        return template.render(problems=draft.problems, **values)
    survey = draft.survey
    language = wanted if wanted in survey.languages else survey.language
    page = render_page(survey, language, is_open=True)
    for part in ("head", "body"):
        mark = environment.get_template(f"preview-{part}.html").render(**values)
        before, found, after = page.partition(f"<{part}>\n")
        assert found, f"the page has no <{part}>"
        page = f"{before}{found}{mark}\n{after}"
    return page
