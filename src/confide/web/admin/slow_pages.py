"""The pages of the results that take a while: privacy, models, the report, the demonstration."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from confide.errors import ConfideError
from confide.files import Json
from confide.surveys.seal import compute_seal
from confide.web.admin import background_learning
from confide.web.admin.read_pages import ReadPages
from confide.web.admin.result_views import ResultViews
from confide.web.admin.results_report import write_report
from confide.web.admin.shown_people import check_enough
from confide.web.admin.simulated_truth import LEAST, MOST
from confide.web.blind_signatures import find_public_key
from confide.web.guard import RefusedError

if TYPE_CHECKING:
    from confide.counts import Counts


@dataclass(eq=False)
class SlowPages(ReadPages):
    """What is worked out for a page, or a part of one, when it is asked for."""

    _said: tuple[Counts, asyncio.Future[Json]] | None = None

    def routes(self) -> list[Route]:
        """List the paths of the pages, each with its endpoint."""
        return [
            Route("/admin/privacy", self.read(self.privacy)),
            Route("/admin/model", self.read(self.model)),
            Route("/admin/report", self.read(self.report)),
            *([Route("/admin/demo", self.read(self.demo))] if self.simulation else []),
        ]

    async def privacy(self, request: Request, views: ResultViews) -> Response:
        """Say what a report gives away to someone who knows the crowd as the reports show it."""
        views, people, problem = await self.find_people(views)
        lines, sentences = [], []
        if people is not None:
            try:
                found = await self._find_disclosure(people.counts)
                lines, sentences = views.list_privacy_lines(found), found["sentences"]
            except ConfideError as error:
                problem = views.words.say_problem(error)
        return self.render(
            "results-privacy.html",
            request,
            views,
            heading=views.words.texts["privacy"],
            problem=problem,
            lines=lines,
            sentences=sentences,
        )

    async def _find_disclosure(self, counts: Counts) -> Json:
        """What a report gives away; it takes seconds, so it is worked out once for all readers."""
        if self._said is None or self._said[0] is not counts:
            work = run_in_threadpool(background_learning.describe_disclosure, counts)
            self._said = (counts, asyncio.ensure_future(work))
        try:
            return await asyncio.shield(self._said[1])
        except ConfideError:
            self._said = None
            raise

    async def model(self, request: Request, views: ResultViews) -> Response:
        """Learn to predict a question from the others; first say that this takes a while.

        Where no question is named, one is to be chosen.
        """
        target = request.query_params.get("target", "")
        kind = request.query_params.get("kind", "tree")
        views, people, problem = await self.find_people(views)
        started = "learn" in request.query_params
        learned, heading = None, views.words.texts["model"]
        if people is not None and started:
            try:
                found = await run_in_threadpool(
                    background_learning.learn_model, people.counts, kind, target
                )
                learned = await run_in_threadpool(views.show_model, people, target, found)
                heading = views.words.name(people.find_field(target))
            except ConfideError as error:
                problem = views.words.say_problem(error)
        asked = {"target": target, "kind": kind}
        wait = people is not None and bool(target) and not started
        return self.render(
            "results-model.html",
            request,
            views,
            heading=heading,
            problem=problem,
            learned=learned,
            kept=views.links.list_kept(()),
            pairs=views.list_questions(),
            targets=views.list_questions(finite=True),
            left_out=bool(views.words.survey.design.declines),
            waiting=views.links.to("/admin/model", (), **asked, learn="1") if wait else "",
            **asked,
        )

    async def report(self, _: Request, views: ResultViews) -> Response:
        """Serve the report as one file."""
        counts = (await self.count_reports()).counts
        try:
            check_enough(self.survey, counts.n if counts else 0)
            assert counts is not None
            disclosure = await self._find_disclosure(counts)
            seal = await run_in_threadpool(compute_seal, self.survey, find_public_key(self.store))
            days = await run_in_threadpool(self.store.count_days)
            made = await run_in_threadpool(
                write_report, self.survey, counts, disclosure, seal, views.words.language, days
            )
        except ConfideError as error:
            raise RefusedError(400, str(error)) from None
        named = {"Content-Disposition": 'attachment; filename="report.html"'}
        return HTMLResponse(made, headers=named)

    async def demo(self, request: Request, views: ResultViews) -> Response:
        """Show what other odds and another number of people would have told."""
        assert self.simulation is not None
        given = [request.query_params.get(key, "") for key in ("truth", "people")]
        percent, count = self.simulation.read(*given)
        found = await run_in_threadpool(self.simulation.try_odds, percent, count)
        said = {"guessed": found["guessed"], "before": found["before"]}
        return self.render(
            "results-demo.html",
            request,
            views,
            heading=views.words.texts["demo"],
            kept=views.links.list_kept(()),
            cards=[views.show_tried(row) for row in found["rows"]],
            guess=views.words.say("demo_guess", **said),
            percent=percent,
            count=count,
            least=LEAST,
            most=MOST,
        )
