"""One survey as a server serves it: its addresses, who may see its results, who writes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.routing import Route

from confide.reports.store import Store
from confide.surveys.survey import Survey
from confide.web.admin.access import Access
from confide.web.admin.endpoints import Admin
from confide.web.admin.password_limits import PasswordLimits
from confide.web.admin.survey_address import SurveyAddress
from confide.web.guard import Rate
from confide.web.model.endpoints import ModelPages
from confide.web.respondent.endpoints import Respondent
from confide.web.writer import Writer

if TYPE_CHECKING:  # it brings the learners in, which take a while
    from confide.web.admin.simulated_truth import Simulation
    from confide.web.model.published import Published


@dataclass(frozen=True)
class Limits:
    """How often people may come to a server, whichever of its surveys they come for.

    Parameters
    ----------
    reports : Rate
        How often one address may send.
    passwords : PasswordLimits
        How often wrong passwords may be tried.
    """

    reports: Rate
    passwords: PasswordLimits


@dataclass(frozen=True)
class ServedSurvey:
    """A survey, and all that answers for it.

    Parameters
    ----------
    survey : Survey
        What is asked.
    store : Store
        Where reports are kept.
    access : Access
        Who may see the results; it has the one-time link.
    routes : tuple of Route
        Its addresses, from its root on.
    writers : tuple of Writer
        Who writes, to be closed at the end.
    """

    survey: Survey
    store: Store
    access: Access
    routes: tuple[Route, ...]
    writers: tuple[Writer, ...]


def assemble_survey(
    survey: Survey,
    store: Store,
    limits: Limits,
    *,
    name: str = "",
    published: Published | None = None,
    test_store: Store | None = None,
    simulation: Simulation | None = None,
) -> ServedSurvey:
    """Put together what serves a survey; its name is "" where it is alone in its server."""
    writer = Writer(store)
    respondent = Respondent(survey, store, writer, limits.reports, has_model=published is not None)
    access = Access(store, writer, name, limits.passwords)
    admin = Admin(survey, store, writer, access, published, simulation)
    routes = [*respondent.routes(), *admin.routes(), *SurveyAddress(access).routes()]
    writers = [writer]
    if published is not None:
        test_respondent = None
        if published.model_test is not None and test_store is not None:
            writers.append(Writer(test_store))
            test_respondent = Respondent(
                published.model_test.survey_of_bits, test_store, writers[-1], limits.reports
            )
        routes += ModelPages(published, admin, test_respondent).routes()
    return ServedSurvey(survey, store, access, tuple(routes), tuple(writers))
