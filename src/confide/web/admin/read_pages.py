"""What every page of the results has: who may read it, of whom it tells, and its links."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from confide.counts import Counts
from confide.counts.stores import CountedStore
from confide.errors import ConfideError
from confide.reports.store import Store
from confide.surveys.survey import Survey
from confide.web.addresses import find_root, lead_to
from confide.web.admin.access import Access
from confide.web.admin.accounts import Role
from confide.web.admin.admin_pages import choose_words, render_admin_page
from confide.web.admin.result_links import Links
from confide.web.admin.result_views import ResultViews
from confide.web.admin.shown_people import ShownPeople, TooFewPeopleError
from confide.web.admin.simulated_truth import Simulation

ShowPage = Callable[[Request, ResultViews], Awaitable[Response]]
"""Shows a page of the results to who may read it."""

_MOST_KEPT = 50  # groups of people


@dataclass(eq=False)
class ReadPages:
    """Pages that people read.

    Parameters
    ----------
    survey : Survey
        What is asked.
    store : Store
        Where reports are kept.
    access : Access
        Who may come in.
    count_reports : callable
        Counts the reports that are released.
    simulation : Simulation, optional
        The people, where they are simulated.
    """

    survey: Survey
    store: Store
    access: Access
    count_reports: Callable[[], Awaitable[CountedStore]]
    simulation: Simulation | None = None
    _kept: dict[tuple[str, ...], ShownPeople] = field(default_factory=dict, init=False)

    def read(self, page: ShowPage) -> Callable[[Request], Awaitable[Response]]:
        """Let in who may read, in the language and with the links of the request."""

        async def answer(request: Request) -> Response:
            request.state.role = await self.access.find_role(request)
            if request.state.role is None:
                return lead_to(request, "/admin/login")
            words = choose_words(self.survey, request)
            language = "" if words.language == self.survey.language else words.language
            among = tuple(request.query_params.getlist("among"))
            truth = self.simulation.truth if self.simulation else None
            links = Links(find_root(request), language, among)
            return await page(request, ResultViews(words, links, truth))

        return answer

    async def find_people(self, views: ResultViews) -> tuple[ResultViews, ShownPeople | None, str]:
        """Find the people that the address asks for.

        Where nothing can be said of them it is everybody, with links to everybody, and why; nobody
        where there are too few reports.
        """
        collected, words = await self.count_reports(), views.words
        minimum = self.survey.page.minimum
        if collected.counts is None or collected.n < minimum:
            return views, None, words.say("too_few", minimum=minimum)
        everybody, among = self._keep_everybody(collected.counts), views.links.among
        try:
            if among not in self._kept:
                self._kept[among] = await run_in_threadpool(everybody.given, among)
            return views, self._kept[among], ""
        except TooFewPeopleError:
            problem = words.say("too_few_people", minimum=minimum)
        except ConfideError as error:
            problem = words.say_problem(error)
        return replace(views, links=replace(views.links, among=())), everybody, problem

    def _keep_everybody(self, counts: Counts) -> ShownPeople:
        """Everybody; people are kept while reports are the same, for their estimates are."""
        kept = self._kept.get(())
        if kept is None or kept.counts is not counts or len(self._kept) > _MOST_KEPT:
            self._kept = {(): ShownPeople(self.survey, counts)}
        return self._kept[()]

    def render(
        self, template: str, request: Request, views: ResultViews, **values: object
    ) -> Response:
        """Render a page with the links that every one has."""
        given = request.query_params.multi_items()
        kept = [(key, value) for key, value in given if key != "language"]
        languages = [
            (code, name, f"{request.url.path}?{urlencode([*kept, ('language', code)])}")
            for code, name in views.words.list_languages()
        ]
        common = {
            "overview": views.links.to("/admin"),
            "languages": languages,
            "owner": request.state.role is Role.OWNER,
        }
        return render_admin_page(template, request, views.words, **{**common, **values})
