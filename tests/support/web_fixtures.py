"""A real browser and a real server for the tests of the web app."""

from __future__ import annotations

import asyncio
import subprocess
import tempfile
import threading
from pathlib import Path

import httpx
import pytest
import uvicorn

from confide.reports.store import open_store
from confide.web.app import create_app, create_app_of_several
from confide.web.guard import Rate
from confide.web.server import open_test_store
from support.cluster import free_port
from support.machine import program as find_program
from support.served_program import Program
from support.web_reports import PASSWORD


@pytest.fixture(scope="session")
def playwright():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright


def _find_chromium():
    """Where Debian's Chromium is, and how it is started."""
    path = find_program("chromium", "chromium")
    return {"executable_path": path, "args": ["--no-sandbox", "--disable-dev-shm-usage"]}


@pytest.fixture(scope="session")
def chromium(playwright):
    """Debian's Chromium, headless."""
    browser = playwright.chromium.launch(**_find_chromium())
    yield browser
    browser.close()


@pytest.fixture
def profile(playwright, tmp_path):
    """A browser whose profile lies in a folder: gives the folder and a page; closing it flushes."""
    folder = tmp_path / "profile"
    context = playwright.chromium.launch_persistent_context(folder, **_find_chromium())
    page = context.pages[0]
    page.set_default_timeout(20_000)
    yield folder, page
    context.close()


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.problems = []
    page.on("pageerror", lambda error: page.problems.append(str(error)))
    yield page
    context.close()
    assert page.problems == []


@pytest.fixture(scope="session")
def axe():
    """The accessibility checker axe-core, from npm."""
    kept = Path(tempfile.gettempdir()) / "confide-axe"
    script = kept / "node_modules" / "axe-core" / "axe.min.js"
    if not script.exists():
        npm = find_program("npm", "npm")
        kept.mkdir(exist_ok=True)
        command = [npm, "install", "--prefix", str(kept), "--silent", "axe-core"]
        if subprocess.run(command, check=False, timeout=120).returncode:
            pytest.skip("npm could not fetch axe-core")
    return script.read_text()


@pytest.fixture
def run_app():
    """Run any app over real HTTP on loopback; gives its address. ``run_app.stop()`` ends all."""
    running = []

    def run_app(app):
        port = free_port()
        config = uvicorn.Config(app, port=port, log_level="warning", access_log=False)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=lambda: asyncio.run(server.serve()), daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.01)
        running.append((server, thread))
        return f"http://127.0.0.1:{port}"

    def stop():
        while running:
            server, thread = running.pop()
            server.should_exit = True
            thread.join(10)

    run_app.stop = stop
    yield run_app
    stop()


@pytest.fixture
def serve(tmp_path, run_app):
    """Serve a survey over real HTTP on loopback; gives its address and its store.

    ``serve.link(address)`` is the secret of its one-time link, ``serve.test_store(address)``
    the store of its model's test round.
    """
    links, stores, test_stores = {}, [], {}

    def serve(survey, rate=None, published=None, database=None):
        database = database or f"sqlite:///{tmp_path}/{len(stores)}.db"
        store = open_store(database, survey.design, by_invitation=survey.page.invitation)
        test_store = None if published is None else open_test_store(published, database)
        given = {"published": published, "test_store": test_store, "rate": rate or Rate(0)}
        app = create_app(survey, store, **given)
        address = run_app(app)
        stores.append(store)
        links[address] = app.state.access.link
        test_stores[address] = test_store
        return address, store

    serve.link, serve.test_store = links.get, test_stores.get
    yield serve
    run_app.stop()  # before what it serves from is closed
    for store in (*stores, *test_stores.values()):
        if store is not None:
            store.close()


@pytest.fixture
def serve_several(tmp_path, run_app):
    """Serve several surveys by their names; gives the server's address and what serves each."""
    stores = []

    def serve_several(surveys, rate=None, deal=None):
        opened = {}
        for name, survey in surveys.items():
            url = f"sqlite:///{tmp_path}/several-{name}.db"
            store = open_store(url, survey.design, by_invitation=survey.page.invitation)
            opened[name] = survey, store
            stores.append(store)
        app = create_app_of_several(opened, deal=deal, rate=rate or Rate(0))
        return run_app(app), app.state.served

    yield serve_several
    run_app.stop()
    for store in stores:
        store.close()


@pytest.fixture
def admin(serve):
    """A client that is logged in, and knows the store behind it."""
    opened = []

    def admin(survey, **given):
        address, store = serve(survey, **given)
        client = httpx.Client(base_url=address, timeout=60)
        given = {"key": serve.link(address), "password": PASSWORD}
        entered = client.post("/admin/welcome", data=given)
        client.headers["Cookie"] = entered.headers["set-cookie"].split(";")[0]
        client.store = store
        opened.append(client)
        return client

    yield admin
    for each in opened:
        each.close()


@pytest.fixture
def program(tmp_path):
    """Start `confide serve` in a process of its own; it ends with the test."""
    running = []

    def program(**given):
        running.append(Program(tmp_path, **given))
        return running[-1]

    yield program
    for each in running:
        if each.process.poll() is None:
            each.stopped()
