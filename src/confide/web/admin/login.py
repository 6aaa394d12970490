"""How people come in to the results and go: the one-time link, the login, a link, the logout."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from confide.surveys.survey import Survey
from confide.web.addresses import SHARED, lead_to
from confide.web.admin.access import Access
from confide.web.admin.accounts import ADMIN, ADMIN_KEY, SHORTEST, Role
from confide.web.admin.admin_pages import choose_words, read_form, render_admin_page
from confide.web.guard import RefusedError, check_origin


@dataclass(eq=False)
class LoginPages:
    """The endpoints by which people log in and out.

    Parameters
    ----------
    survey : Survey
        Whose results they are.
    access : Access
        Who may come in.
    """

    survey: Survey
    access: Access

    def routes(self) -> list[Route]:
        """List the paths by which people come in and go, each with its endpoint."""
        return [
            Route("/admin/welcome", self.welcome, methods=["GET", "POST"]),
            Route("/admin/login", self.login, methods=["GET", "POST"]),
            Route(SHARED, self.shared, methods=["GET", "POST"]),
            Route("/admin/logout", self.logout, methods=["POST"]),
        ]

    async def welcome(self, request: Request) -> Response:
        """Set the first password by the one-time link; where there is one, ask for it."""
        problem = ""
        key = request.query_params.get("key", "")
        if request.method == "GET":
            if await self.access.has_password():
                return lead_to(request, "/admin/login")
            if await self.access.let_in_once(key):
                return await self._enter(request)
        else:
            check_origin(request.headers)
            given = await read_form(request)
            key = given.get("key", "")
            try:
                await self.access.set_first_password(key, given.get("password", ""))
            except RefusedError as error:
                if error.status != 400:
                    raise
                problem = error.reason
            else:
                return await self._enter(request)
        words = choose_words(self.survey, request)
        return render_admin_page(
            "welcome.html", request, words, key=key, problem=problem, n=SHORTEST
        )

    async def login(self, request: Request) -> Response:
        """Log in whoever knows a name and its password; ask others again."""
        problem, words, name = "", choose_words(self.survey, request), ADMIN
        if request.method == "POST":
            check_origin(request.headers)
            given = await read_form(request)
            name = given.get("user", ADMIN)
            account = await self.access.find_by_password(name, given.get("password", ""), request)
            if account is not None:
                return await self._enter(request, account)
            problem = words.texts["wrong_password"]
        page = render_admin_page("login.html", request, words, problem=problem, name=name)
        page.status_code = 401 if problem else 200
        return page

    async def shared(self, request: Request) -> Response:
        """Let in whoever has a link for readers.

        Its code stands behind # in the address, so that no log holds it, and is sent by the page
        as a form: a session begins when a person wants it to, not when a program follows the link.
        """
        problem, words = "", choose_words(self.survey, request)
        if request.method == "POST":
            check_origin(request.headers)
            code = (await read_form(request)).get("code", "")
            account = await self.access.find_by_link(code, request)
            if account is not None:
                return await self._enter(request, account)
            problem = words.texts["shared_wrong"]
        page = render_admin_page("shared.html", request, words, problem=problem)
        page.status_code = 401 if problem else 200
        return page

    async def _enter(self, request: Request, account: str = ADMIN_KEY) -> Response:
        response = lead_to(request, "/admin")
        await self.access.start_session(response, account)
        return response

    async def logout(self, request: Request) -> Response:
        """Log out, and lead back to the login."""
        await self.access.check(request, Role.READER)
        response = lead_to(request, "/admin/login")
        await self.access.end_session(request, response)
        return response
