"""The first page of a server of several surveys: those that everyone can answer now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from confide.files import Json
from confide.surveys.page_texts import LANGUAGES, base_language, direction_of
from confide.surveys.results_texts import results_texts_in
from confide.surveys.survey import Survey
from confide.web.addresses import HERE, name_root
from confide.web.dealing import DEAL, Dealing
from confide.web.respondent.endpoints import serve_static
from confide.web.served_survey import ServedSurvey
from confide.web.template_environment import load_environment


@dataclass(frozen=True)
class StartPage:
    """Lists surveys by title and link, and tells nothing else of them.

    A survey that is closed, or that only invited people can answer, is not listed.

    Parameters
    ----------
    served : mapping
        The surveys by their names.
    dealing : Dealing, optional
        Two of them that are forms of one survey, which is listed in their place.
    """

    served: Mapping[str, ServedSurvey]
    dealing: Dealing | None = None

    def routes(self) -> list[Route]:
        """List the paths of the page and of what it loads, each with its endpoint."""
        return [
            Route("/", self.page),
            *(Route(name_root(name), _add_slash) for name in self.served),
            Route("/static/{name}", serve_static),
        ]

    async def page(self, _: Request) -> Response:
        """Serve the list; its own few words are in the language that all surveys share, or English.

        English it is, too, where that language is not built in.
        """
        listed = await run_in_threadpool(self._list_open)
        languages = {base_language(each.survey.language) for each in self.served.values()}
        shared = languages.pop() if len(languages) == 1 else ""
        language = shared if shared in LANGUAGES else LANGUAGES[0]
        template = load_environment().get_template("surveys.html")
        return HTMLResponse(
            template.render(
                t=results_texts_in(language),
                language=language,
                direction=direction_of(language),
                surveys=listed,
            )
        )

    def _list_open(self) -> list[Json]:
        """List the surveys that are open, and of two forms the one page that deals."""
        forms = self.dealing.forms if self.dealing else ()
        listed = [
            _describe(f"{name_root(name)}/", each.survey)
            for name, each in self.served.items()
            if name not in forms and not each.store.by_invitation and each.store.is_open()
        ]
        if self.dealing and all(self.served[name].store.is_open() for name in forms):
            listed.append(_describe(DEAL, self.dealing.survey))
        return listed


def _describe(path: str, survey: Survey) -> Json:
    return {"address": HERE + path, "title": survey.title, "language": survey.language}


async def _add_slash(request: Request) -> Response:
    """Lead to a survey whose address lacks its last slash; an invitation behind # stays with it."""
    return RedirectResponse(f"{request.scope['path']}/", 308)
