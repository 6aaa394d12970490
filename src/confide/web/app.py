"""The web app, put together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from confide.reports.store import Store, StoreError
from confide.surveys.survey import Survey
from confide.web.admin.access import Access
from confide.web.admin.endpoints import Admin
from confide.web.admin.survey_address import SurveyAddress
from confide.web.guard import Rate, RefusedError, SecurityHeaders, answer_refused
from confide.web.model.endpoints import ModelPages
from confide.web.respondent.endpoints import Respondent
from confide.web.writer import Writer

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
    writer, rate = Writer(store), rate or Rate()
    respondent = Respondent(survey, store, writer, rate, has_model=published is not None)
    access = Access(store, writer)
    admin = Admin(survey, store, writer, access, published, simulation)
    routes = [*respondent.routes(), *admin.routes(), *SurveyAddress(access).routes()]
    writers = [writer]
    if published is not None:
        test_respondent = None
        if published.model_test is not None and test_store is not None:
            writers.append(Writer(test_store))
            test_respondent = Respondent(
                published.model_test.survey_of_bits, test_store, writers[-1], rate
            )
        routes += ModelPages(published, respondent, admin, test_respondent).routes()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        for each in writers:
            each.close()

    app = Starlette(
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
    app.state.access = access
    return app


async def _answer_unavailable(_: Request, __: Exception) -> Response:
    reason = "the report could not be stored now. Try again; the same report is sent."
    return JSONResponse({"error": reason}, 503, {"Retry-After": "2"})


async def _answer_not_found(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _answer_gone(_: Request, __: Exception) -> Response:
    """Answer a client that has hung up: nobody reads it, and no error is logged."""
    return Response(status_code=400)
