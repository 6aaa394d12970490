"""Where people answer, as a picture that telephones read, for whoever sees the results."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from confide.web.addresses import find_address
from confide.web.admin.access import Access
from confide.web.admin.accounts import Role
from confide.web.qr_codes import draw_for_page


@dataclass(frozen=True)
class SurveyAddress:
    """The picture of the survey's address, behind the login.

    Parameters
    ----------
    access : Access
        Who may come in.
    """

    access: Access

    def routes(self) -> list[Route]:
        """List the path of the picture."""
        return [Route("/admin/address.svg", self.draw)]

    async def draw(self, request: Request) -> Response:
        """Draw the survey's address."""
        await self.access.check(request, Role.READER)
        return Response(draw_for_page(find_address(request)), media_type="image/svg+xml")
