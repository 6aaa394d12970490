"""The web app, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount

from confide.reports.store import Store, StoreError
from confide.surveys.survey import Survey
from confide.web.addresses import name_root
from confide.web.admin.background_learning import stop_learning
from confide.web.admin.password_limits import PasswordLimits
from confide.web.dealing import Dealing
from confide.web.guard import Rate, RefusedError, SecurityHeaders, answer_refused
from confide.web.served_survey import Limits, ServedSurvey, assemble_survey
from confide.web.start_page import StartPage

if TYPE_CHECKING:  # it brings the learners in, which take a while
    from confide.web.admin.simulated_truth import Simulation
    from confide.web.model.published import Published


def create_app(
    survey: Survey,
    store: Store,
    *,
    published: Published | None = None,
    test_store: Store | None = None,
    hosts: tuple[str, ...] = ("*",),
    rate: Rate | None = None,
    always_tls: bool = False,
    simulation: Simulation | None = None,
) -> Starlette:
    """Make the app that serves a survey from a store; ``state.access`` has the one-time link.

    Parameters
    ----------
    survey : Survey
        What is asked.
    store : Store
        Where reports are kept.
    published : Published, optional
        A model that people can use.
    test_store : Store, optional
        Where the bits of its test round are kept, if it has one.
    hosts : tuple of str
        The names under which it may be reached.
    rate : Rate, optional
        How often one address may send.
    always_tls : bool
        Whether people reach it by TLS alone.
    simulation : Simulation, optional
        The people, where they are simulated: the results then show the truth, too.
    """
    limits = Limits(rate or Rate(), PasswordLimits())
    served = assemble_survey(
        survey,
        store,
        limits,
        published=published,
        test_store=test_store,
        simulation=simulation,
    )
    app = _finish_app(served.routes, [served], hosts, always_tls)
    app.state.access = served.access
    return app


def create_app_of_several(
    surveys: Mapping[str, tuple[Survey, Store]],
    *,
    deal: tuple[str, str] | None = None,
    hosts: tuple[str, ...] = ("*",),
    rate: Rate | None = None,
    always_tls: bool = False,
) -> Starlette:
    """Make the app that serves several surveys, each under its name, and lists those that are open.

    Each has its own store, seal, invitations, passwords and sessions. How often an address may
    send, and how many passwords may be tried, is limited for all of them together.
    Of two that are named to deal, browsers draw one. ``state.served`` has them by their names.
    """
    dealing = deal and Dealing.among({name: each for name, (each, _) in surveys.items()}, deal)
    limits = Limits(rate or Rate(), PasswordLimits())
    served = {
        name: assemble_survey(survey, store, limits, name=name)
        for name, (survey, store) in surveys.items()
    }
    mounted = [Mount(name_root(name), routes=each.routes) for name, each in served.items()]
    first = [*StartPage(served, dealing).routes(), *(dealing.routes() if dealing else ())]
    app = _finish_app([*first, *mounted], list(served.values()), hosts, always_tls)
    app.state.served = served
    return app


def _finish_app(
    routes: Sequence[BaseRoute],
    served: Sequence[ServedSurvey],
    hosts: tuple[str, ...],
    always_tls: bool,
) -> Starlette:
    """Put what stands before every endpoint around the addresses of all surveys."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        for each in served:
            for writer in each.writers:
                writer.close()
        stop_learning()

    return Starlette(
        routes=routes,
        middleware=[
            Middleware(SecurityHeaders, always_tls=always_tls),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)),
        ],
        exception_handlers={
            RefusedError: answer_refused,
            StoreError: _answer_unavailable,
            HTTPException: _answer_not_found,
            ClientDisconnect: _answer_gone,
        },
        lifespan=lifespan,
    )


async def _answer_unavailable(_: Request, __: Exception) -> Response:
    reason = "the report could not be stored now. Try again; the same report is sent."
    return JSONResponse({"error": reason}, 503, {"Retry-After": "2"})


async def _answer_not_found(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _answer_gone(_: Request, __: Exception) -> Response:
    """Answer a client that has hung up: nobody reads it, and no error is logged."""
    return Response(status_code=400)
