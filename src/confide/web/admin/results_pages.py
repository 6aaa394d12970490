"""The pages of the results that are there at once: the overview, a question, two together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from confide import privacy
from confide.counts.stores import CountedStore
from confide.errors import ConfideError
from confide.files import Json
from confide.reports.store import Store
from confide.surveys.survey import Survey
from confide.web.addresses import find_address
from confide.web.admin import export
from confide.web.admin.accounts import Account, Role
from confide.web.admin.read_pages import ReadPages
from confide.web.admin.release_days import ShownDays, show_days
from confide.web.admin.result_views import ResultViews
from confide.web.admin.shown_people import ShownPeople
from confide.web.static_files import SCRIPTS, hash_files

if TYPE_CHECKING:
    from confide.web.model.published import Published


@dataclass(eq=False)
class ResultsPages(ReadPages):
    """The overview and what it leads to.

    Parameters
    ----------
    published : Published, optional
        The model that people can use; the others are those of `ReadPages`.
    """

    published: Published | None = None

    def routes(self) -> list[Route]:
        """List the paths of the pages, each with its endpoint."""
        return [
            Route("/admin", self.read(self.overview)),
            Route("/admin/question/{name:path}", self.read(self.question)),
            Route("/admin/cross", self.read(self.cross)),
        ]

    async def overview(self, request: Request, views: ResultViews) -> Response:
        """Show every question at a glance, and what else can be asked."""
        views, people, problem = await self.find_people(views)
        cards: list[Json] = []
        if people is not None and not problem:
            cards = await run_in_threadpool(views.list_cards, people)
        statement = privacy.of(self.survey.design)
        return self.render(
            "dashboard.html",
            request,
            views,
            **await self._describe_state(views),
            **await self._describe_people(views, people, problem, "/admin"),
            heading=views.words.texts["results"],
            cards=cards,
            days=await self._find_days(views) if people is not None else None,
            targets=views.list_questions(finite=True),
            left_out=bool(views.words.survey.design.declines),
            privacy=await run_in_threadpool(statement.sentences),
            privacy_link=views.links.to("/admin/privacy", ()),
            report_link=views.links.to("/admin/report", ()),
            published_link=views.links.to("/admin/published", ()),
            address=find_address(request),
            kinds=export.list_offered_kinds(),
            published=self.published,
            has_round=self.published is not None and self.published.model_test is not None,
            fingerprint=self.survey.design.fingerprint,
            hashes=hash_files(SCRIPTS),
            target="",
            kind="tree",
            accounts=await self._list_accounts(request),
            demo=views.links.to("/admin/demo", ()) if self.simulation else "",
        )

    async def _find_days(self, views: ResultViews) -> ShownDays | None:
        """Find on which days how many reports were released."""
        return show_days(views.words, await run_in_threadpool(self.store.count_days))

    async def _list_accounts(self, request: Request) -> list[Account]:
        """List who may come in, for owners alone."""
        if request.state.role is not Role.OWNER:
            return []
        return await run_in_threadpool(self.access.accounts.list_all)

    async def _describe_state(self, views: ResultViews) -> Json:
        """Say how many reports there are, of how many, and whether more are taken."""
        collected, say = await self.count_reports(), views.words.say
        found = await describe_state(self.survey, self.store, collected)
        progress = say("of_wanted", count=found["wanted"]) if found["wanted"] else say("so_far")
        if found["by_invitation"]:
            progress += f" · {say('invitations_unused', count=found['unused'])}"
        return {
            "n": found["n"],
            "state": f"{found['n']} {found['damaged']} {str(found['open']).lower()}",
            "counted": say("reports", count=found["n"]),
            "wanted": found["wanted"],
            "progress": progress,
            "damaged": say("damaged", count=found["damaged"]) if found["damaged"] else "",
            "is_open": found["open"],
        }

    async def _describe_people(
        self, views: ResultViews, people: ShownPeople | None, problem: str, path: str, **given: str
    ) -> Json:
        """What every page says of the people that it is about, and how to ask for others."""
        names = [name for name, _ in views.list_questions()]
        described: Json = {
            "problem": problem,
            "enough": people is not None,
            "kept": views.links.list_kept(),
            "pairs": views.list_questions(),
            "row": names[0],
            "column": names[-1],
            "of": "rows",
            "truth": views.truth,
            "conditions": [],
            "people": "",
            "offered": [],
        }
        if people is None:
            return described
        return described | {
            "conditions": views.list_conditions(people, path, **given),
            "people": await run_in_threadpool(views.count_people, people),
            "offered": await run_in_threadpool(views.list_offered, people),
        }

    async def question(self, request: Request, views: ResultViews) -> Response:
        """Show one question with all its answers."""
        name = request.path_params["name"]
        fields = self.survey.questionnaire.fields
        place = next((i for i, each in enumerate(fields) if each.name == name), None)
        if place is None:
            return RedirectResponse(views.links.to("/admin"), 303)
        views, people, problem = await self.find_people(views)
        asked, shown = fields[place], None
        if people is not None and not problem:
            if name in {each.name for each in people.conditions}:
                problem = views.words.say("among_remove", answer=views.words.name(asked))
            else:
                shown = await run_in_threadpool(views.show_question, people, asked)
        links = [views.links.question(each.name) for each in fields]
        path = f"/admin/question/{quote(name, safe='')}"
        described = await self._describe_people(views, people, problem, path)
        by = next((each.name for each in reversed(fields) if each.name != name), "")
        return self.render(
            "results-question.html",
            request,
            views,
            **described | {"row": by, "column": name},
            heading=views.words.name(asked),
            name=name,
            path=path,
            question=shown,
            previous=links[place - 1] if place else "",
            next=links[place + 1] if place + 1 < len(links) else "",
        )

    async def cross(self, request: Request, views: ResultViews) -> Response:
        """Show two questions together."""
        names = self.survey.design.names
        first = {"row": names[0], "column": names[min(1, len(names) - 1)], "of": "rows"}
        asked = {key: request.query_params.get(key, each) for key, each in first.items()}
        views, people, problem = await self.find_people(views)
        shown = None
        if people is not None and not problem:
            try:
                shown = await run_in_threadpool(views.show_crossed, people, **asked)
            except ConfideError as error:
                problem = views.words.say_problem(error)
        described = await self._describe_people(views, people, problem, "/admin/cross", **asked)
        return self.render(
            "results-cross.html",
            request,
            views,
            **described | asked,
            heading=shown["caption"] if shown else views.words.texts["together"],
            crossed=shown,
            kept_cross=[*views.links.list_kept(), *asked.items()],
            minimum=self.survey.page.minimum,
        )


async def describe_state(survey: Survey, store: Store, collected: CountedStore) -> Json:
    """Say how many reports are released and can be read, and whether more are taken."""
    released = collected.n + collected.damaged
    is_open = await run_in_threadpool(store.is_open)
    by_invitation = store.by_invitation
    made, _unused = await run_in_threadpool(store.count_invitations)
    return {
        "n": collected.n,
        "damaged": collected.damaged,
        "open": is_open,
        "by_invitation": by_invitation,
        "invitations": made,
        "unused": max(made - released, 0) if by_invitation else 0,  # as if only these came
        "wanted": survey.page.wanted or (made if by_invitation else 0),
    }
