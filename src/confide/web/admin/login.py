"""How the administrator comes in and goes: the one-time link, the login, the logout."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from confide.surveys.survey import Survey
from confide.web.admin.access import SHORTEST, Access
from confide.web.admin.admin_pages import choose_words, read_form, render_admin_page
from confide.web.guard import RefusedError, check_origin


@dataclass(eq=False)
class LoginPages:
    """The endpoints by which the administrator logs in and out.

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
        """List the paths by which the administrator comes in and goes, each with its endpoint."""
        return [
            Route("/admin/welcome", self.welcome, methods=["GET", "POST"]),
            Route("/admin/login", self.login, methods=["GET", "POST"]),
            Route("/admin/logout", self.logout, methods=["POST"]),
        ]

    async def welcome(self, request: Request) -> Response:
        """Set the first password by the one-time link; where there is one, ask for it."""
        problem = ""
        key = request.query_params.get("key", "")
        if request.method == "GET":
            if await self.access.has_password():
                return RedirectResponse("/admin/login", 303)
            if await self.access.let_in_once(key):
                return await self._enter()
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
                return await self._enter()
        words = choose_words(self.survey, request)
        return render_admin_page("welcome.html", words, key=key, problem=problem, n=SHORTEST)

    async def login(self, request: Request) -> Response:
        """Log in whoever knows the password; ask others again."""
        problem, words = "", choose_words(self.survey, request)
        if request.method == "POST":
            check_origin(request.headers)
            given = await read_form(request)
            if await self.access.check_password(given.get("password", ""), request):
                return await self._enter()
            problem = words.texts["wrong_password"]
        page = render_admin_page("login.html", words, problem=problem)
        page.status_code = 401 if problem else 200
        return page

    async def _enter(self) -> Response:
        response = RedirectResponse("/admin", 303)
        await self.access.start_session(response)
        return response

    async def logout(self, request: Request) -> Response:
        """Log the administrator out, and lead back to the login."""
        await self.access.check(request)
        response = RedirectResponse("/admin/login", 303)
        await self.access.end_session(request, response)
        return response
