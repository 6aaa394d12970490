"""A PostgreSQL server of our own, for tests that need one or that stop it."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

from support.machine import postgres_program


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

    def start(self, *settings):
        given = "".join(f" -c {each}" for each in settings)
        options = f"-p {self.port} -k {self.data} -c listen_addresses=127.0.0.1{given}"
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
    """A port that nobody listens at, below those that outgoing connections are given.

    It is taken some seconds later, while other tests connect by the thousand: one that the system
    itself chose would sometimes be theirs by then.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        tcp, udp = socket.socket(), socket.socket(type=socket.SOCK_DGRAM)
        with tcp, udp, contextlib.suppress(OSError):
            tcp.bind(("127.0.0.1", port))
            udp.bind(("127.0.0.1", port))  # for HTTP/3
            return port
