"""A real browser and real database servers for the tests of the web app."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

import pytest
from machine import postgres_program, program


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
def postgres(tmp_path_factory):
    """A PostgreSQL server of our own on a free port, unless CONFIDE_POSTGRES names one."""
    if given := os.environ.get("CONFIDE_POSTGRES"):
        yield given
        return
    with Cluster(tmp_path_factory.mktemp("postgres")) as cluster:
        yield cluster.url


class Cluster:
    """A PostgreSQL server in a folder, run as an ordinary user because it refuses to be root."""

    def __init__(self, folder):
        self.data = folder / "data"
        self.port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self._user = []
        if os.geteuid() == 0:
            postgres_program("initdb")  # its package makes the user
            self._user = ["runuser", "-u", "postgres", "--"]
            for each in (folder, *folder.parents):
                if each == Path(tempfile.gettempdir()):
                    break
                each.chmod(0o755)
            shutil.chown(folder, "postgres")
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


def free_port():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        return held.getsockname()[1]
