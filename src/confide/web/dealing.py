"""Two forms of a survey in the field at once: each browser draws which one its person gets.

The forms ask the same under different designs. The server names both to everyone, in the same
bytes; it does not choose, and learns no more than which one is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from confide.errors import ConfideError
from confide.surveys.results_texts import results_texts_in
from confide.surveys.survey import Survey
from confide.web.addresses import ABOVE, name_root
from confide.web.respondent.page_script import embed_json
from confide.web.respondent.survey_template import render_survey_template

DEAL = "/deal/"
"""Where people are dealt to one of the forms."""


@dataclass(frozen=True)
class Dealing:
    """The page that deals.

    Parameters
    ----------
    forms : pair of str
        The names of the two surveys.
    survey : Survey
        The first of them, whose title and language the page has.
    """

    forms: tuple[str, str]
    survey: Survey

    @classmethod
    def among(cls, surveys: Mapping[str, Survey], forms: tuple[str, str]) -> Dealing:
        """Deal between two of some surveys; refuse those that people cannot be dealt to."""
        for name in forms:
            if name not in surveys:
                raise ConfideError(f"there is no survey {name!r} to deal people to.")
        first, second = (surveys[name] for name in forms)
        if first.design.fingerprint == second.design.fingerprint:
            raise ConfideError(
                f"{forms[0]} and {forms[1]} have the same design: change one of them."
            )
        if first.design.questions != second.design.questions:
            raise ConfideError(
                f"{forms[0]} and {forms[1]} must ask the same questions in the same order, to be "
                "analysed together."
            )
        if first.page.invitation or second.page.invitation:
            raise ConfideError(
                "an invitation is to one survey, so nobody can be dealt with it: leave "
                "invitation = true out of both."
            )
        return cls(forms, first)

    def routes(self) -> list[Route]:
        """List the path of the page."""
        return [Route(DEAL, self.page)]

    async def page(self, _: Request) -> Response:
        """Serve the page, the same for everyone."""
        addresses = [f"{ABOVE}{name_root(name)}/" for name in self.forms]
        language = self.survey.language
        page = render_survey_template(
            "deal",
            self.survey,
            language,
            root=ABOVE,
            said=results_texts_in(language)["deal"],
            forms=embed_json(addresses),
        )
        return HTMLResponse(page)
