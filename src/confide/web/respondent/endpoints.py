"""What respondents reach: the page, the report they send, the receipt."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from functools import cached_property

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from confide.errors import ReportsError
from confide.reports.records import find_readable
from confide.reports.store import Store
from confide.reports.submissions import Outcome, Submission
from confide.reports.wire import Report as SentReport
from confide.reports.wire import read_report, receipt_id, write_report
from confide.surveys.survey import Survey
from confide.web.guard import Rate, RefusedError, check_origin, limited_body
from confide.web.respondent import rendering
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

    def routes(self) -> list[Route]:
        """All of them."""
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

    async def page(self, request: Request) -> Response:
        """Ask."""
        is_open = await run_in_threadpool(self.store.is_open)
        page = rendering.page(
            self.survey, self.language(request), is_open=is_open, has_model=self.has_model
        )
        return HTMLResponse(page)

    @cached_property
    def _most(self) -> int:
        """The size of a report, with room for another's way to write JSON."""
        zeros = SentReport(
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
        body = await limited_body(request, self._most)
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

    def language(self, request: Request) -> str:
        """The survey's language, or the one that a link asks for."""
        return self.survey.language(request.query_params.get("lang", ""))

    async def invitation(self, request: Request) -> Response:
        """Say whether an invitation is still good, before anything is asked; nothing is kept."""
        token = bytes.fromhex(await self._code(request, "token"))
        invitation = hashlib.sha256(token).digest()
        unused = await run_in_threadpool(self.store.find_unused, [invitation])
        if self.store.by_invitation and not unused:
            outcome = Outcome.NOT_INVITED
            raise RefusedError(_STATUS[outcome], outcome.reason)
        return JSONResponse({"good": True})

    async def plain_page(self, request: Request) -> Response:
        """Ask for a receipt, or for a report that was saved offline."""
        name = request.url.path.removeprefix("/")
        return HTMLResponse(rendering.plain_page(self.survey, self.language(request), name))

    async def offline_page(self, request: Request) -> Response:
        """Give the page as one file."""
        page = rendering.offline_page(self.survey, self.language(request))
        named = {"Content-Disposition": 'attachment; filename="survey.html"'}
        return HTMLResponse(page, headers=named)

    async def _code(self, request: Request, key: str) -> str:
        """The 32 hexadecimal digits that are all a request holds."""
        check_origin(request.headers)
        self.rate.check(request.client.host if request.client else "")
        try:
            given = json.loads(await limited_body(request, 256))
        except (ValueError, RecursionError):
            raise RefusedError(400, "the body is not JSON.") from None
        code = given.get(key) if isinstance(given, dict) and len(given) == 1 else None
        if not isinstance(code, str) or not _CODE.fullmatch(code):
            raise RefusedError(400, f"a {key} has 32 hexadecimal digits.")
        return code

    async def _receipt_id(self, request: Request) -> bytes:
        return bytes.fromhex(receipt_id(await self._code(request, "receipt")))

    async def receipt(self, request: Request) -> Response:
        """Show a report to who holds its receipt."""
        report_id = await self._receipt_id(request)
        found = await run_in_threadpool(self.store.find_records, [report_id])
        record = found.get(report_id)
        if record is None:
            raise RefusedError(404, "there is no report for this receipt.")
        if not find_readable(self.survey.questionnaire, [record]).all():
            raise RefusedError(410, "the report for this receipt is damaged and counts nowhere.")
        codes, modes = self.survey.questionnaire.unpack(record)
        words = {
            f.name: f.words(c) for f, c in zip(self.survey.questionnaire.fields, codes, strict=True)
        }
        return JSONResponse({"report": codes, "mode": modes, "words": words})

    async def delete(self, request: Request) -> Response:
        """Delete a report for who holds its receipt."""
        report_id = await self._receipt_id(request)
        if not await self.writer.run(lambda: self.store.withdraw(report_id)):
            raise RefusedError(404, "there is no report for this receipt.")
        return JSONResponse({"deleted": True})

    async def design(self, _: Request) -> Response:
        """Publish the design: the text whose SHA-256 is the fingerprint."""
        return Response(self.survey.design.canonical_json(), media_type="application/json")

    async def static(self, request: Request) -> Response:
        """Give a script, the stylesheet or the icon."""
        found = rendering.static().get(request.path_params["name"])
        if found is None:
            raise RefusedError(404, "there is no such file.")
        return Response(found[0], media_type=found[1])
