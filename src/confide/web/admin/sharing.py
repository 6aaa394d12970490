"""Links that let readers in: an owner makes and revokes them, and removes who has a password."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from confide.errors import ConfideError
from confide.surveys.survey import Survey
from confide.web.addresses import SHARED, find_root, lead_to
from confide.web.admin.access import Access
from confide.web.admin.admin_pages import choose_words, read_form, render_admin_page
from confide.web.guard import RefusedError
from confide.web.writer import Writer


@dataclass(frozen=True)
class SharingPages:
    """The endpoints by which owners say who else may see the results.

    Parameters
    ----------
    survey : Survey
        Whose results they are.
    access : Access
        Who may come in.
    writer : Writer
        Who writes it down.
    """

    survey: Survey
    access: Access
    writer: Writer

    def routes(self) -> list[Route]:
        """List the paths, each with its endpoint."""
        return [
            Route("/admin/links", self.make, methods=["POST"]),
            Route("/admin/links/remove", self.remove, methods=["POST"]),
        ]

    async def make(self, request: Request) -> Response:
        """Make a link, and show it this once: its code is not kept."""
        await self.access.check(request)
        name = (await read_form(request)).get("name", "")
        try:
            code = await self.writer.run(lambda: self.access.accounts.make_link(name))
        except ConfideError as error:
            raise RefusedError(400, str(error)) from None
        page = request.url.replace(path=find_root(request) + SHARED, query="")
        words = choose_words(self.survey, request)
        return render_admin_page("link-made.html", request, words, name=name, link=f"{page}#{code}")

    async def remove(self, request: Request) -> Response:
        """Revoke a link, or remove who has a password; their sessions end with it."""
        await self.access.check(request)
        key = (await read_form(request)).get("account", "")
        if not await self.writer.run(lambda: self.access.accounts.remove(key)):
            raise RefusedError(404, "there is no such link or user.")
        return lead_to(request, "/admin")
