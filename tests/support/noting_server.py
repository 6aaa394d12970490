"""A server of a survey by invitation that notes whatever it is sent, and may be restarted."""

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

import httpx

from confide.design import Design
from confide.reports.store import open_store
from confide.surveys.survey import Survey
from confide.web.app import create_app
from confide.web.blind_signatures import find_public_key
from confide.web.guard import Rate
from support.web_reports import post
from support.web_surveys import small


def by_invitation():
    """A survey of its own each time, so that a shared database server holds a new one each time."""
    survey = small(invitation=True)
    design = survey.design
    titled = Design(design.questions, design.groups, title=secrets.token_hex(8))
    return Survey(titled, survey.page)


class Server:
    """A server that notes whatever it is sent."""

    def __init__(self, url, survey):
        self.url, self.survey = url, survey
        self.store = open_store(url, survey.design, by_invitation=True)
        self.key = find_public_key(self.store)
        self.redeemed, self.reported = [], []

    def run(self, act):
        """Let people act on a client of the running server."""

        async def work():
            app = create_app(self.survey, self.store, rate=Rate(0))
            transport = httpx.ASGITransport(app)
            async with (
                app.router.lifespan_context(app),
                httpx.AsyncClient(
                    transport=transport, base_url="http://survey", timeout=60
                ) as client,
            ):
                return await act(client)

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(asyncio.run, work()).result()

    async def post(self, client, path, sent):
        """Send, and note it as the server sees it."""
        (self.redeemed if path == "/ticket" else self.reported).append(sent)
        return await post(client, sent, path)

    def restart(self):
        """Close the database, and open it as another process would."""
        self.store.close()
        self.store = open_store(self.url, self.survey.design, by_invitation=True)
