"""The page that writes a survey, and what it asks of the server: to look at it, and to save it."""

from __future__ import annotations

import json
import secrets
from importlib.resources import files
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from confide.design.survey_file import LARGEST_FILE
from confide.errors import ConfideError
from confide.files import Json, write_atomically
from confide.formats.toml import read_toml, to_toml
from confide.surveys.starting_points import list_starting_points
from confide.web.builder.draft_description import describe_draft
from confide.web.guard import RefusedError, check_origin, read_json_body
from confide.web.preview.draft import Draft
from confide.web.respondent.page_script import embed_json
from confide.web.template_environment import load_environment

_NEW: Json = {
    "title": "",
    "question": [{"name": "first", "text": "Your first question?", "kind": "yes-no"}],
    "group": [{"questions": ["first"], "mechanism": "related-question", "truth": "3/4"}],
}
_TYPES = {"js": "text/javascript", "css": "text/css"}


class Builder:
    """The endpoints of a survey that is written by clicking.

    Parameters
    ----------
    path : Path
        The file that it is saved to; what it holds already is where one starts.

    Attributes
    ----------
    key : str
        What a page must know to look at drafts and to save: it stands behind # in the address that
        is printed, so that nobody else on this machine writes the file.
    draft : Draft
        The survey as it is now.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.key = path, secrets.token_hex(16)
        self._start = read_toml(path.read_text(encoding="utf-8")) if path.exists() else _NEW
        self._saved = Draft.read(path).version
        self.draft = self._make_draft(self._start)

    def routes(self) -> list[Route]:
        """List the paths of the builder, each with its endpoint."""
        return [
            Route("/new", self.page),
            Route("/new/draft", self.look, methods=["POST"]),
            Route("/new/save", self.save, methods=["POST"]),
            Route("/new/static/{name}", serve_builder_file),
        ]

    def _make_draft(self, survey: Json) -> Draft:
        return Draft(self.path.name, to_toml(survey).encode())

    async def page(self, _: Request) -> Response:
        """Serve the page; it works out everything from the survey as plain values."""
        worked = [
            {"name": each.name, "about": each.about, "survey": read_toml(each.text)}
            for each in list_starting_points()
        ]
        start = {"survey": self._start, "worked": worked, "new": not self.path.exists()}
        template = load_environment().get_template("builder.html")
        return HTMLResponse(template.render(name=self.path.name, start=embed_json(start)))

    async def look(self, request: Request) -> Response:
        """Take the survey as it is on the page now, and say what it gives away."""
        self.draft = await self._read_draft(request)
        return JSONResponse(await run_in_threadpool(describe_draft, self.draft))

    async def save(self, request: Request) -> Response:
        """Write the survey to its file, unless someone else has written there meanwhile."""
        self.draft = await self._read_draft(request)
        if Draft.read(self.path).version != self._saved:
            reason = f"{self.path.name} was changed elsewhere. Start again, or move it away."
            raise RefusedError(409, reason)
        try:
            with write_atomically(self.path) as temporary:
                temporary.write_bytes(self.draft.content)
        except ConfideError as error:
            raise RefusedError(500, str(error)) from None
        self._saved = self.draft.version
        return JSONResponse({"saved": str(self.path), "sound": not self.draft.problems})

    async def _read_draft(self, request: Request) -> Draft:
        check_origin(request.headers)
        try:
            given = json.loads(await read_json_body(request, LARGEST_FILE))
        except (ValueError, RecursionError):
            raise RefusedError(400, "the body is not JSON.") from None
        if not isinstance(given, dict) or not isinstance(given.get("survey"), dict):
            raise RefusedError(400, "the body has the keys key and survey.")
        if not secrets.compare_digest(str(given.get("key")).encode(), self.key.encode()):
            raise RefusedError(403, "open the address that `confide new` printed.")
        return self._make_draft(given["survey"])


async def serve_builder_file(request: Request) -> Response:
    """Serve a script or the stylesheet of the builder."""
    for each in (files("confide.web.builder") / "static").iterdir():
        if each.name == request.path_params["name"]:
            return Response(each.read_bytes(), media_type=_TYPES[each.name.rsplit(".", 1)[1]])
    raise RefusedError(404, "there is no such file.")
