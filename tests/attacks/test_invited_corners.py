"""Corners of redeeming and reporting: lost answers, second tabs, restarts, mixed tickets, clocks.

However it goes, an invitation admits one report, and nobody who was invited is left without one.
"""

import json
import secrets
import time
from contextlib import closing

import pytest
from support.blinding import Invited
from support.noting_server import Server, by_invitation
from support.web_browser import answered, hurry, lock_answers
from support.web_reports import invite

import confide as cf
from confide.surveys.page_settings import Page
from confide.surveys.survey import Survey
from confide.web.admin.sessions import HOURS, Sessions
from confide.web.server import seal_survey

pytestmark = pytest.mark.slow  # each makes a key

REFUSED = "this invitation is unknown or was used."


@pytest.fixture
def server(url):
    found = Server(url, by_invitation())
    yield found
    found.store.close()


async def send(server, client, path, body, lost):
    """Send as over a bad line: nothing arrives the first time, or the answer does not."""
    if lost == f"answer of {path}":
        assert (await server.post(client, path, body)).status_code == 200
    return await server.post(client, path, body)


async def buy(server, client, person, lost=""):
    answer = await send(server, client, "/ticket", person.redemption, lost)
    assert answer.status_code == 200
    return person.ticket(answer.json()["signature"])


@pytest.mark.parametrize("lost", ["nothing", "answer of /ticket", "answer of /report"])
def test_a_lost_answer_at_any_step_loses_and_doubles_nothing(server, lost):
    """And between the two requests the server is restarted."""
    person = invite(server.store, server.survey)
    ticket = server.run(lambda client: buy(server, client, person, lost))
    server.restart()

    async def report(client):
        again = await buy(server, client, person)
        assert again == ticket  # asked once more, the same
        sent = person.report(ticket)
        assert (await send(server, client, "/report", sent, lost)).status_code == 200

    server.run(report)
    assert (server.store.count(), server.store.count_invitations()) == (1, (1, 0))


def test_a_second_tab_that_redeems_the_same_invitation_gets_nothing(server):
    """Each tab draws for itself; the first that redeems reports, and the other is told."""
    first = invite(server.store, server.survey)
    second = Invited(server.survey, server.key, first.token)

    async def act(client):
        ticket = await buy(server, client, first)
        refused = await server.post(client, "/ticket", second.redemption)
        assert (refused.status_code, refused.json()) == (403, {"error": REFUSED})
        # nor is the first tab's ticket good for what the second one drew
        assert (await server.post(client, "/report", second.report(ticket))).status_code == 403
        assert (await server.post(client, "/report", first.report(ticket))).status_code == 200

    server.run(act)
    assert server.store.count() == 1


def test_tickets_of_two_surveys_are_not_good_for_each_other(server, tmp_path):
    """Nor where the report names the other design, as whoever writes it by hand may."""
    other = Server(f"sqlite:///{tmp_path}/other.db", by_invitation())
    with closing(other.store):
        person = invite(server.store, server.survey)
        ticket = server.run(lambda client: buy(server, client, person))

        async def report_elsewhere(client):
            sent = person.report(ticket)
            wrong = await other.post(client, "/report", sent)
            assert (wrong.status_code, "another design" in wrong.text) == (400, True)
            named = {**json.loads(sent), "design": other.survey.design.fingerprint}
            forged = await other.post(client, "/report", json.dumps(named).encode())
            assert (forged.status_code, forged.json()) == (403, {"error": REFUSED})

        other.run(report_elsewhere)
        assert other.store.count() == 0


def sixty():
    """A survey of sixty questions by invitation, another one each time."""
    names = [f"q{i}" for i in range(60)]
    groups = [cf.Group([name], cf.RelatedQuestion("3/4")) for name in names]
    title = f"Sixty {secrets.token_hex(8)}"
    design = cf.Design([cf.YesNo(name) for name in names], groups, title=title)
    return Survey(design, Page(invitation=True))


def test_sixty_questions_by_invitation_are_taken(url):
    server = Server(url, sixty())
    with closing(server.store):
        person = invite(server.store, server.survey, tuple(i % 2 for i in range(60)))

        async def act(client):
            sent = person.report(await buy(server, client, person))
            assert (await server.post(client, "/report", sent)).status_code == 200

        server.run(act)
        ((_, record),) = server.store.find_records([bytes.fromhex(person.id)]).items()
    codes, _ = server.survey.questionnaire.unpack(record)
    assert tuple(codes) == person.codes


def test_a_phone_six_times_as_slow_buys_its_ticket_and_reports(page, serve):
    """Sixty questions; what the browser works out for a ticket takes a slow one 1.5 seconds."""
    hurry(page)
    survey = sixty()
    address, store = serve(survey)
    token = invite(store, survey).token
    slowed = page.context.new_cdp_session(page)
    slowed.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.goto(f"{address}/#{seal_survey(survey, store)}.{token}")
    page.click("#start")
    answered(page, survey, [number % 2 for number in range(60)])
    lock_answers(page)
    page.click("#send")
    page.wait_for_selector("#done:not([hidden])")
    assert (store.count(), store.count_invitations()) == (1, (1, 0))


@pytest.mark.parametrize("years", [10, -10])
def test_a_clock_that_jumps_between_redeeming_and_reporting_changes_nothing(
    server, monkeypatch, years
):
    """Tickets have no time; a session ends early rather than late."""
    person, sessions = invite(server.store, server.survey), Sessions(server.store)
    code = sessions.begin("password")
    ticket = server.run(lambda client: buy(server, client, person))
    now = time.time() + years * 365 * 86_400
    monkeypatch.setattr("confide.web.admin.sessions.time.time", lambda: now)
    assert not sessions.find_account(code)

    async def report(client):
        assert (await server.post(client, "/report", person.report(ticket))).status_code == 200

    server.run(report)
    assert server.store.count() == 1


def test_clocks_that_differ_a_little_end_no_session(server, monkeypatch):
    code, now = Sessions(server.store).begin("password"), time.time()
    for seconds, good in [(-60, True), (-3600, False), (HOURS * 3600 + 60, False)]:
        then = now + seconds
        monkeypatch.setattr("confide.web.admin.sessions.time.time", lambda then=then: then)
        assert (Sessions(server.store).find_account(code) == "password") == good
