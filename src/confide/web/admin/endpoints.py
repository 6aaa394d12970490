"""What owners and readers reach: results while they come in, export, closing, the JSON API."""

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
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from confide.counts.stores import CountedStore, recount_store
from confide.errors import ConfideError, MissingPackageError
from confide.files import Json
from confide.reports.store import Store
from confide.surveys.survey import Survey
from confide.web.addresses import find_root, lead_to
from confide.web.admin import export, results
from confide.web.admin.access import Access
from confide.web.admin.accounts import Role
from confide.web.admin.admin_pages import choose_words, read_form, render_admin_page
from confide.web.admin.login import LoginPages
from confide.web.admin.results_pages import ResultsPages, describe_state
from confide.web.admin.sharing import SharingPages
from confide.web.admin.slow_pages import SlowPages
from confide.web.guard import RefusedError
from confide.web.openapi import document
from confide.web.writer import Writer

if TYPE_CHECKING:
    from confide.web.admin.simulated_truth import Simulation
    from confide.web.model.published import Published

Endpoint = Callable[[Request], Awaitable[Response]]


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
    simulation : Simulation, optional
        The people, where they are simulated.
    """

    survey: Survey
    store: Store
    writer: Writer
    access: Access
    published: Published | None = None
    simulation: Simulation | None = None
    _counted: CountedStore = field(default_factory=CountedStore)
    _counting: asyncio.Lock = field(default_factory=asyncio.Lock)

    def routes(self) -> list[Route]:
        """List the paths that the administrator reaches, each with its endpoint."""
        owner, reader = self._admit(Role.OWNER), self._admit(Role.READER)
        read = (self.survey, self.store, self.access, self.count_reports, self.simulation)
        return [
            *LoginPages(self.survey, self.access).routes(),
            *ResultsPages(*read, published=self.published).routes(),
            *SlowPages(*read).routes(),
            *SharingPages(self.survey, self.access, self.writer).routes(),
            Route("/admin/open", owner(self.set_open), methods=["POST"]),
            Route("/admin/state", reader(self.state)),
            Route("/admin/export/{kind}", owner(self.export)),
            Route("/admin/backup", owner(self.backup)),
            Route("/api/counts", owner(self.api_counts)),
            Route("/api/estimates", reader(self.api_estimates)),
            Route("/openapi.json", self.openapi),
        ]

    def _admit(self, least: Role) -> Callable[[Endpoint], Endpoint]:
        """Let in whoever is at least this, and nobody else."""

        def guard(endpoint: Endpoint) -> Endpoint:
            async def answer(request: Request) -> Response:
                await self.access.check(request, least)
                return await endpoint(request)

            return answer

        return guard

    async def state(self, _: Request) -> Response:
        """Say how many reports are released and can be read, and whether more are taken."""
        collected = await self.count_reports()
        return JSONResponse(await describe_state(self.survey, self.store, collected))

    async def count_reports(self) -> CountedStore:
        """Count the reports: only those that came since the last time, if nothing else changed."""
        async with self._counting:
            self._counted = await run_in_threadpool(
                recount_store, self.survey.questionnaire, self.store, self._counted
            )
            return self._counted

    async def set_open(self, request: Request) -> Response:
        """Close the survey, after asking whether that is meant, or reopen it."""
        given = await read_form(request)
        wanted = given.get("open") == "yes"
        if not wanted and given.get("sure") != "yes":
            words = choose_words(self.survey, request)
            return render_admin_page("dashboard-close.html", request, words, test_round=False)
        await self.writer.run(lambda: self.store.set_open(wanted))
        return lead_to(request, "/admin")

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
        asked, collected = request.query_params.getlist("question"), await self.count_reports()
        try:
            found = await (
                run_in_threadpool(results.estimate_joint_table, self.survey, collected, asked)
                if asked
                else run_in_threadpool(results.estimate_questions, self.survey, collected)
            )
        except ConfideError as error:
            raise RefusedError(400, str(error)) from None
        return JSONResponse(found)

    async def openapi(self, request: Request) -> Response:
        """Serve the description of the API."""
        return JSONResponse(document(self.survey, self.published, find_root(request)))
