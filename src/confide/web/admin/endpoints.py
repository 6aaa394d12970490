"""What the administrator reaches: results while they come in, export, closing, the JSON API."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.background import BackgroundTask
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from confide import privacy
from confide.counts.stores import CountedStore, count_store
from confide.errors import ConfideError, MissingPackageError
from confide.files import Json
from confide.reports.store import Store
from confide.surveys.survey import Survey
from confide.web.admin import background_learning, export, results
from confide.web.admin.access import Access
from confide.web.admin.admin_pages import read_form, render_admin_page
from confide.web.admin.login import LoginPages
from confide.web.admin.vega import VegaBundle
from confide.web.guard import RefusedError
from confide.web.openapi import document
from confide.web.static_files import SCRIPTS, hash_files
from confide.web.writer import Writer

if TYPE_CHECKING:
    from confide.counts import Counts
    from confide.web.model.published import Published

Endpoint = Callable[[Request], Awaitable[Response]]
Cross = Callable[[Survey, CountedStore, list[str]], Json]

_STALE = 30.0  # one deleted and one new report leave the number as it was


@dataclass(eq=False)
class Admin:
    """The endpoints behind the login.

    Parameters
    ----------
    survey : Survey
        What is asked.
    store : Store
        Where reports are kept.
    writer : Writer
        Who writes.
    access : Access
        Who may come in.
    published : Published, optional
        The model that people can use.
    vega : VegaBundle
        What the dashboard draws with.
    """

    survey: Survey
    store: Store
    writer: Writer
    access: Access
    published: Published | None = None
    vega: VegaBundle = field(default_factory=VegaBundle)
    _counted: tuple[int, float, CountedStore] = (0, 0.0, CountedStore())
    _counting: asyncio.Lock = field(default_factory=asyncio.Lock)
    _said: tuple[Counts, list[str]] | None = None

    def routes(self) -> list[Route]:
        """List the paths that the administrator reaches, each with its endpoint."""
        inside = self._require_login
        return [
            *LoginPages(self.survey.title, self.access, self.vega).routes(),
            Route("/admin", self.dashboard),
            Route("/admin/open", inside(self.set_open), methods=["POST"]),
            Route("/admin/state", inside(self.state)),
            Route("/admin/results", inside(self.results)),
            Route("/admin/cross", inside(self.cross)),
            Route("/admin/privacy", inside(self.privacy)),
            Route("/admin/model/{kind}", inside(self.model)),
            Route("/admin/export/{kind}", inside(self.export)),
            Route("/admin/backup", inside(self.backup)),
            Route("/admin/vega.js", self.serve_vega),
            Route("/api/counts", inside(self.api_counts)),
            Route("/api/estimates", inside(self.api_estimates)),
            Route("/openapi.json", self.openapi),
        ]

    def _require_login(self, endpoint: Endpoint) -> Endpoint:
        async def answer(request: Request) -> Response:
            await self.access.check(request)
            return await endpoint(request)

        return answer

    async def dashboard(self, request: Request) -> Response:
        """Show the results; the page asks for them again while reports come in."""
        if not await self.access.is_admitted(request):
            return RedirectResponse("/admin/login", 303)
        statement = privacy.of(self.survey.design)
        return render_admin_page(
            "dashboard.html",
            title=self.survey.title,
            fingerprint=self.survey.design.fingerprint,
            hashes=hash_files(SCRIPTS),
            minimum=self.survey.page.minimum,
            questions=[field.name for field in self.survey.questionnaire.fields],
            targets=[field.name for field in self.survey.questionnaire.fields if field.finite],
            privacy=await run_in_threadpool(statement.sentences),
            kinds=export.list_offered_kinds(),
            published=self.published,
        )

    async def state(self, _: Request) -> Response:
        """Say how many reports are released and can be read, and whether more are taken."""
        collected = await self.count_reports()
        released = collected.n + collected.damaged
        is_open = await run_in_threadpool(self.store.is_open)
        by_invitation = self.store.by_invitation
        made, _unused = await run_in_threadpool(self.store.count_invitations)
        return JSONResponse(
            {
                "n": collected.n,
                "damaged": collected.damaged,
                "open": is_open,
                "by_invitation": by_invitation,
                "invitations": made,
                "unused": max(made - released, 0) if by_invitation else 0,  # as if only these came
                "wanted": self.survey.page.wanted or (made if by_invitation else 0),
            }
        )

    async def count_reports(self) -> CountedStore:
        """Count the reports; count again when their number changed, or after a while."""
        async with self._counting:
            n = await run_in_threadpool(self.store.count_released)
            if n != self._counted[0] or time.monotonic() > self._counted[1] + _STALE:
                found = await run_in_threadpool(count_store, self.survey.questionnaire, self.store)
                self._counted = (n, time.monotonic(), found)
            return self._counted[2]

    async def results(self, _: Request) -> Response:
        """Serve every question's reports and estimates."""
        collected = await self.count_reports()
        return JSONResponse(
            await run_in_threadpool(results.estimate_questions, self.survey, collected)
        )

    async def _estimate_cross_table(self, cross: Cross, questions: list[str]) -> Response:
        collected = await self.count_reports()
        try:
            found = await run_in_threadpool(cross, self.survey, collected, questions)
        except ConfideError as error:
            raise RefusedError(400, str(error)) from None
        return JSONResponse(found)

    async def cross(self, request: Request) -> Response:
        """Serve the cross table of two questions, numbers in bars."""
        asked = [request.query_params.get(key, "") for key in ("row", "column")]
        return await self._estimate_cross_table(results.estimate_cross_table_in_bars, asked)

    async def privacy(self, _: Request) -> Response:
        """Say what a report gives away to someone who knows the crowd as the reports show it."""
        counts = (await self.count_reports()).counts
        if counts is None or counts.n < self.survey.page.minimum:
            raise RefusedError(400, f"nothing is said below {self.survey.page.minimum} reports.")
        if self._said is None or self._said[0] is not counts:
            said = await run_in_threadpool(background_learning.describe_disclosure, counts)
            self._said = (counts, said)
        return JSONResponse({"n": counts.n, "sentences": self._said[1]})

    async def model(self, request: Request) -> Response:
        """Learn to predict a question from the others."""
        counts = (await self.count_reports()).counts
        if counts is None or counts.n < self.survey.page.minimum:
            raise RefusedError(400, f"nothing is learned below {self.survey.page.minimum} reports.")
        kind, target = request.path_params["kind"], request.query_params.get("target", "")
        try:
            return JSONResponse(
                await run_in_threadpool(background_learning.learn_model, counts, kind, target)
            )
        except ConfideError as error:
            raise RefusedError(400, str(error)) from None

    async def set_open(self, request: Request) -> Response:
        """Close the survey, after asking whether that is meant, or reopen it."""
        given = await read_form(request)
        wanted = given.get("open") == "yes"
        if not wanted and given.get("sure") != "yes":
            return render_admin_page(
                "dashboard-close.html", title=self.survey.title, test_round=False
            )
        await self.writer.run(lambda: self.store.set_open(wanted))
        return RedirectResponse("/admin", 303)

    async def export(self, request: Request) -> Response:
        """Serve the released reports, with the design beside them, as a ZIP."""
        kind, minimum = request.path_params["kind"], self.survey.page.minimum
        if (await self.count_reports()).n < minimum:  # single reports, of too few to hide among
            raise RefusedError(400, f"no reports are given out below {minimum}.")

        def write(path: Path) -> None:
            export.write_export(self.survey.questionnaire, self.store, kind, path)

        return await self.file(write, f"reports-{kind}.zip", "application/zip")

    async def backup(self, _: Request) -> Response:
        """Serve a copy of the database: released reports and unused invitations, no secrets."""
        return await self.file(self.store.backup, "backup.db", "application/vnd.sqlite3")

    async def file(self, write: Callable[[Path], None], name: str, kind: str) -> Response:
        """Write a file, serve it, and then delete it."""
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name) / name
        try:
            await run_in_threadpool(write, path)
        except ConfideError as error:
            folder.cleanup()
            status = 501 if isinstance(error, MissingPackageError) else 400
            raise RefusedError(status, str(error)) from None
        dated = f"{time.strftime('%Y-%m-%d')}-{name}"
        done = BackgroundTask(folder.cleanup)
        return FileResponse(path, media_type=kind, filename=dated, background=done)

    async def serve_vega(self, _: Request) -> Response:
        """Serve the script with which the dashboard draws."""
        return Response(await self.vega.start(), media_type="text/javascript")

    async def api_counts(self, _: Request) -> Response:
        """Serve the distinct reports and how often each came, from the minimum on."""
        counts = (await self.count_reports()).counts
        found: Json = {"n": 0, "questions": list(self.survey.design.names)}
        if counts is None or counts.n < self.survey.page.minimum:
            return JSONResponse({**found, "patterns": []})
        rows = zip(counts.patterns.tolist(), counts.reports.tolist(), strict=True)
        patterns = [{"report": report, "n": n} for report, n in rows]
        return JSONResponse({**found, "n": counts.n, "patterns": patterns})

    async def api_estimates(self, request: Request) -> Response:
        """Serve estimates of every question, or of the cross table of some."""
        asked = request.query_params.getlist("question")
        return await (
            self._estimate_cross_table(results.estimate_cross_table, asked)
            if asked
            else self.results(request)
        )

    async def openapi(self, _: Request) -> Response:
        """Serve the description of the API."""
        return JSONResponse(document(self.survey, self.published))
