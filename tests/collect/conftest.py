"""A real browser and a real server for the tests of the web app."""

from __future__ import annotations

import asyncio
import threading

import pytest
import uvicorn
from cluster import free_port
from machine import program

from confide.collect.app import application
from confide.collect.guard import Rate
from confide.collect.store import open_store


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium, headless."""
    from playwright.sync_api import sync_playwright

    path = program("chromium", "chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture
def serve(tmp_path):
    """Serve a survey over real HTTP on loopback; gives its address and its store.

    ``serve.link(address)`` is the secret of its one-time link.
    """
    running, links = [], {}

    def serve(survey, rate=None):
        database = f"sqlite:///{tmp_path}/{len(running)}.db"
        store = open_store(database, survey.design, by_invitation=survey.page.invitation)
        app = application(survey, store, rate=rate or Rate(0))
        port = free_port()
        config = uvicorn.Config(app, port=port, log_level="warning", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.01)
        running.append((server, thread, store))
        address = f"http://127.0.0.1:{port}"
        links[address] = app.state.access.link
        return address, store

    serve.link = links.get
    yield serve
    for server, thread, store in running:
        server.should_exit = True
        thread.join(10)
        store.close()
