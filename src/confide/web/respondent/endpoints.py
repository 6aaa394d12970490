"""What respondents reach: the page, the report they send, the receipt."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from confide.errors import ReportsError
from confide.reports.records import find_readable
from confide.reports.store import Store
from confide.reports.submissions import Outcome, Submission
from confide.reports.wire import Report, read_report, receipt_id, write_report
from confide.surveys.survey import Survey
from confide.web.guard import Rate, RefusedError, check_origin, read_json_body
from confide.web.ready_answers import ReadyAnswer
from confide.web.respondent.page import render_offline_page, render_page
from confide.web.respondent.plain_pages import render_plain_page
from confide.web.static_files import read_static_files
from confide.web.writer import Writer

_STATUS = {
    Outcome.STORED: 200,
    Outcome.CONFLICT: 409,
    Outcome.WITHDRAWN: 410,
    Outcome.CLOSED: 403,
    Outcome.NOT_INVITED: 403,
}
_CODE = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True, eq=False)
class Respondent:
    """The endpoints that need no login.

    Parameters
    ----------
    survey : Survey
        What is asked.
    store : Store
        Where reports are kept.
    writer : Writer
        Who writes them.
    rate : Rate
        How often one address may send.
    has_model : bool
        Whether a model is published beside the survey.
    """

    survey: Survey
    store: Store
    writer: Writer
    rate: Rate = field(default_factory=Rate)
    has_model: bool = False
    _made: dict[str, ReadyAnswer] = field(default_factory=dict)
    _making: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[Route]:
        """List the paths that respondents reach, each with its endpoint."""
        return [
            Route("/", self.page),
            Route("/report", self.report, methods=["POST"]),
            Route("/invitation", self.invitation, methods=["POST"]),
            Route("/offline.html", self.offline_page),
            Route("/receipt", self.plain_page),
            Route("/upload", self.plain_page),
            Route("/receipt", self.receipt, methods=["POST"]),
            Route("/receipt/delete", self.delete, methods=["POST"]),
            Route("/design.json", self.design),
            Route("/static/{name}", self.static),
        ]

    async def _make_once(
        self, name: str, make: Callable[[], str], headers: Mapping[str, str] | None = None
    ) -> ReadyAnswer:
        """Make a page when it is first asked for, beside the work of the others."""
        async with self._making:
            if name not in self._made:
                content = (await run_in_threadpool(make)).encode()
                self._made[name] = ReadyAnswer(content, "text/html", headers or {})
        return self._made[name]

    async def page(self, request: Request) -> Response:
        """Serve the page that asks the questions."""
        is_open = await run_in_threadpool(self.store.is_open)

        def make() -> str:
            language, has_model = self.survey.language, self.has_model
            return render_page(self.survey, language, is_open=is_open, has_model=has_model)

        return (await self._make_once("open" if is_open else "closed", make)).give(request)

    @cached_property
    def _largest_body(self) -> int:
        """The size of a report, with room for another's way to write JSON."""
        zeros = Report(
            "0" * 32, "0" * 32, self.survey.questionnaire.modes(), (0,) * self._questions
        )
        return 2 * len(write_report(self.survey.questionnaire, zeros)) + 256

    @property
    def _questions(self) -> int:
        return len(self.survey.questionnaire.fields)

    async def report(self, request: Request) -> Response:
        """Take a report; the answer comes only when it is durable."""
        check_origin(request.headers)
        self.rate.check(request.client.host if request.client else "")
        body = await read_json_body(request, self._largest_body)
        try:
            report = read_report(self.survey.questionnaire, body)
        except ReportsError as error:
            raise RefusedError(400, str(error)) from None
        token = bytes.fromhex(report.token)
        outcome = await self.writer.submit(
            Submission(
                bytes.fromhex(report.id),
                self.survey.questionnaire.pack(report.codes, report.modes),
                hashlib.sha256(token).digest() if token else None,
            )
        )
        if outcome is not Outcome.STORED:
            raise RefusedError(_STATUS[outcome], outcome.reason)
        return Response(b'{"stored":true}', media_type="application/json")

    async def invitation(self, request: Request) -> Response:
        """Say whether an invitation is still good, before anything is asked; nothing is kept."""
        token = bytes.fromhex(await self._read_code(request, "token"))
        invitation = hashlib.sha256(token).digest()
        unused = await run_in_threadpool(self.store.find_unused, [invitation])
        if self.store.by_invitation and not unused:
            outcome = Outcome.NOT_INVITED
            raise RefusedError(_STATUS[outcome], outcome.reason)
        return JSONResponse({"good": True})

    async def plain_page(self, request: Request) -> Response:
        """Serve the page that asks for a receipt, or for a report that was saved offline."""
        name = request.url.path.removeprefix("/")

        def make() -> str:
            return render_plain_page(self.survey, self.survey.language, name)

        return (await self._make_once(name, make)).give(request)

    async def offline_page(self, request: Request) -> Response:
        """Serve the page as one file."""

        def make() -> str:
            return render_offline_page(self.survey, self.survey.language)

        named = {"Content-Disposition": 'attachment; filename="survey.html"'}
        return (await self._make_once("offline", make, named)).give(request)

    async def _read_code(self, request: Request, key: str) -> str:
        """Read the 32 hexadecimal digits that are all a request holds."""
        check_origin(request.headers)
        self.rate.check(request.client.host if request.client else "")
        try:
            given = json.loads(await read_json_body(request, 256))
        except (ValueError, RecursionError):
            raise RefusedError(400, "the body is not JSON.") from None
        code = given.get(key) if isinstance(given, dict) and len(given) == 1 else None
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise RefusedError(400, f"a {key} has 32 hexadecimal digits.")
        return code

    async def _read_receipt_id(self, request: Request) -> bytes:
        return bytes.fromhex(receipt_id(await self._read_code(request, "receipt")))

    async def receipt(self, request: Request) -> Response:
        """Show a report to whoever holds its receipt."""
        report_id = await self._read_receipt_id(request)
        found = await run_in_threadpool(self.store.find_records, [report_id])
        record = found.get(report_id)
        if record is None:
            raise RefusedError(404, "there is no report for this receipt.")
        if not find_readable(self.survey.questionnaire, [record]).all():
            raise RefusedError(410, "the report for this receipt is damaged and counts nowhere.")
        codes, _ = self.survey.questionnaire.unpack(record)
        words = {
            f.name: f.label(c) for f, c in zip(self.survey.questionnaire.fields, codes, strict=True)
        }
        return JSONResponse({"report": codes, "words": words})

    async def delete(self, request: Request) -> Response:
        """Delete a report for whoever holds its receipt."""
        report_id = await self._read_receipt_id(request)
        if not await self.writer.run(lambda: self.store.withdraw(report_id)):
            raise RefusedError(404, "there is no report for this receipt.")
        return JSONResponse({"deleted": True})

    async def design(self, _: Request) -> Response:
        """Publish the design: the text whose SHA-256 is the fingerprint."""
        return Response(self.survey.design.canonical_json(), media_type="application/json")

    async def static(self, request: Request) -> Response:
        """Serve a script, the stylesheet or the icon."""
        found = _ready_static_files().get(request.path_params["name"])
        if found is None:
            raise RefusedError(404, "there is no such file.")
        return found.give(request)


@cache
def _ready_static_files() -> dict[str, ReadyAnswer]:
    return {name: ReadyAnswer(*found) for name, found in read_static_files().items()}
