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
from confide.files import Json
from confide.reports.invitation_store import Redemption
from confide.reports.records import find_readable
from confide.reports.store import Store
from confide.reports.submissions import Outcome, Submission
from confide.reports.wire import TICKET, Report, read_report, receipt_id, write_report
from confide.surveys.survey import Survey
from confide.web.blind_signatures import BITS, BlindMessageError, SigningKey, load_signing_key
from confide.web.guard import Rate, RefusedError, check_origin, find_sender, read_json_body
from confide.web.ready_answers import ReadyAnswer
from confide.web.respondent.plain_pages import render_plain_page, render_upload_page
from confide.web.respondent.survey_page import render_offline_page, render_page
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
_BLINDED = re.compile(rf"[0-9a-f]{{{BITS // 4}}}")


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
            Route("/ticket", self.ticket, methods=["POST"]),
            Route("/offline.html", self.offline_page),
            Route("/receipt", self.receipt_page),
            Route("/upload", self.upload_page),
            Route("/receipt", self.receipt, methods=["POST"]),
            Route("/receipt/delete", self.delete, methods=["POST"]),
            Route("/design.json", self.design),
            Route("/static/{name}", serve_static),
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
        language, has_model = self._find_language(request), self.has_model

        def make() -> str:
            return render_page(
                self.survey, language, is_open=is_open, has_model=has_model, key=self.public_key
            )

        name = f"{'open' if is_open else 'closed'} {language}"
        return (await self._make_once(name, make)).give(request)

    def _find_language(self, request: Request) -> str:
        """The language that a person chose on the page; a browser's wish is not asked."""
        wanted = request.query_params.get("language", "")
        return wanted if wanted in self.survey.languages else self.survey.language

    @cached_property
    def _signing_key(self) -> SigningKey | None:
        return load_signing_key(self.store)

    @property
    def public_key(self) -> str:
        """The key by which tickets are checked, where the survey is by invitation; else ""."""
        return self._signing_key.public if self._signing_key else ""

    @cached_property
    def _largest_body(self) -> int:
        """The size of a report, with room for another's way to write JSON."""
        ticket, modes = "0" * 2 * TICKET, self.survey.questionnaire.modes()
        zeros = Report("0" * 32, ticket, modes, (0,) * self._questions)
        return 2 * len(write_report(self.survey.questionnaire, zeros)) + 256

    @property
    def _questions(self) -> int:
        return len(self.survey.questionnaire.fields)

    async def report(self, request: Request) -> Response:
        """Take a report; the answer comes only when it is durable."""
        check_origin(request.headers)
        self.rate.check(find_sender(request))
        body = await read_json_body(request, self._largest_body)
        try:
            report = read_report(self.survey.questionnaire, body)
        except ReportsError as error:
            raise RefusedError(400, str(error)) from None
        if not self._is_admitted(report):
            raise _refuse(Outcome.NOT_INVITED)
        record = self.survey.questionnaire.pack(report.codes, report.modes)
        outcome = await self.writer.submit(Submission(bytes.fromhex(report.id), record))
        if outcome is not Outcome.STORED:
            raise _refuse(outcome)
        return Response(b'{"stored":true}', media_type="application/json")

    def _is_admitted(self, report: Report) -> bool:
        """Whether a report has a ticket for its id, where it needs one."""
        if self._signing_key is None:
            return True
        ticket = bytes.fromhex(report.ticket)
        prefix, signature = ticket[:32], ticket[32:]
        return self._signing_key.verify(prefix + bytes.fromhex(report.id), signature)

    async def ticket(self, request: Request) -> Response:
        """Redeem an invitation: sign what its holder's browser has blinded, and nothing else.

        Asked again for the same it gives the same, so that a lost answer loses nothing.
        """
        given = await self._read_object(request, BITS, ("token", "blinded"))
        token = bytes.fromhex(_check_code(given["token"], "token"))
        if not isinstance(given["blinded"], str) or not _BLINDED.fullmatch(given["blinded"]):
            raise RefusedError(400, f"blinded must be {BITS // 4} hexadecimal digits.")
        blinded, key = bytes.fromhex(given["blinded"]), self._signing_key
        if key is None:
            raise _refuse(Outcome.NOT_INVITED)
        try:
            key.read_blinded(blinded)
        except BlindMessageError as error:
            raise RefusedError(400, str(error)) from None
        hashes = (hashlib.sha256(each).digest() for each in (token, blinded))
        if not await self.writer.redeem(Redemption(*hashes)):
            is_open = await run_in_threadpool(self.store.is_open)
            raise _refuse(Outcome.NOT_INVITED if is_open else Outcome.CLOSED)
        signature = key.sign_blinded(blinded)  # a millisecond, which a thread would not share
        return JSONResponse({"signature": signature.hex()})

    async def invitation(self, request: Request) -> Response:
        """Say whether an invitation is still good, before anything is asked; nothing is kept."""
        token = bytes.fromhex(await self._read_code(request, "token"))
        invitation = hashlib.sha256(token).digest()
        unused = await run_in_threadpool(self.store.find_unused, [invitation])
        if self.store.by_invitation and not unused:
            raise _refuse(Outcome.NOT_INVITED)
        return JSONResponse({"good": True})

    async def receipt_page(self, request: Request) -> Response:
        """Serve the page that asks for a receipt."""
        language = self._find_language(request)

        def make() -> str:
            return render_plain_page(self.survey, language, "receipt")

        return (await self._make_once(f"receipt {language}", make)).give(request)

    async def upload_page(self, request: Request) -> Response:
        """Serve the page that asks for a report that was saved offline."""
        language = self._find_language(request)

        def make() -> str:
            return render_upload_page(self.survey, language, self.public_key)

        return (await self._make_once(f"upload {language}", make)).give(request)

    async def offline_page(self, request: Request) -> Response:
        """Serve the page as one file."""
        language = self._find_language(request)

        def make() -> str:
            return render_offline_page(self.survey, language, self.public_key)

        named = {"Content-Disposition": 'attachment; filename="survey.html"'}
        return (await self._make_once(f"offline {language}", make, named)).give(request)

    async def _read_code(self, request: Request, key: str) -> str:
        """Read the 32 hexadecimal digits that are all a request holds."""
        return _check_code((await self._read_object(request, 256, (key,)))[key], key)

    async def _read_object(self, request: Request, most: int, keys: tuple[str, ...]) -> Json:
        """Read a JSON object that has these keys and no others."""
        check_origin(request.headers)
        self.rate.check(find_sender(request))
        try:
            given = json.loads(await read_json_body(request, most))
        except (ValueError, RecursionError):
            raise RefusedError(400, "the body is not JSON.") from None
        if not isinstance(given, dict) or set(given) != set(keys):
            raise RefusedError(400, f"the body has exactly the keys {', '.join(keys)}.")
        return given

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


async def serve_static(request: Request) -> Response:
    """Serve a script, a stylesheet or the icon."""
    found = _ready_static_files().get(request.path_params["name"])
    if found is None:
        raise RefusedError(404, "there is no such file.")
    return found.give(request)


@cache
def _ready_static_files() -> dict[str, ReadyAnswer]:
    return {name: ReadyAnswer(*found) for name, found in read_static_files().items()}


def _refuse(outcome: Outcome) -> RefusedError:
    return RefusedError(_STATUS[outcome], outcome.reason)


def _check_code(given: object, key: str) -> str:
    if not isinstance(given, str) or not _CODE.fullmatch(given):
        raise RefusedError(400, f"a {key} has 32 hexadecimal digits.")
    return given
