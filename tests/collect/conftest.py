"""A real browser and real database servers for the tests of the web app."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest
import uvicorn
from machine import postgres_program, program

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


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server of our own on a free port, unless CONFIDE_POSTGRES names one."""
    if given := os.environ.get("CONFIDE_POSTGRES"):
        yield given
        return
    with Cluster() as cluster:
        yield cluster.url


class Cluster:
    """A PostgreSQL server in a folder, run as an ordinary user because it refuses to be root."""

    def __init__(self):
        # not in pytest's own folder, which only root may enter
        self.folder = Path(tempfile.mkdtemp(prefix="confide-postgres-"))
        self.data = self.folder / "data"
        self.port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self._user = []
        if os.geteuid() == 0:
            postgres_program("initdb")  # its package makes the user
            self._user = ["runuser", "-u", "postgres", "--"]
            shutil.chown(self.folder, "postgres")
        self._run("initdb", "-A", "trust", "-U", "postgres", "--no-sync")

    def _run(self, program, *arguments):
        command = [*self._user, postgres_program(program), "-D", str(self.data), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=60, cwd="/")

    def start(self):
        options = f"-p {self.port} -k {self.data} -c listen_addresses=127.0.0.1"
        log = str(self.data / "log")
        self._run("pg_ctl", "start", "-w", "-l", log, "-o", options)

    def stop(self, mode="fast"):
        self._run("pg_ctl", "stop", "-w", "-m", mode)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop("immediate")
        shutil.rmtree(self.folder)


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]


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
