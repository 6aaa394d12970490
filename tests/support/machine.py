"""Programs that some tests need: installed from Debian's packages if we may, or the test skips."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

POSTGRES = "/usr/lib/postgresql/*/bin"


def program(name: str, package: str) -> str:
    """Give the path of a program, installing its package when root; otherwise skip."""
    if not shutil.which(name):
        _install(package)
    return shutil.which(name) or pytest.skip(
        f"{name} is not installed; `apt-get install {package}` as root brings it"
    )


def postgres_program(name: str) -> str:
    """Give the path of a program of the PostgreSQL server, which Debian keeps off the path."""
    if not _postgres(name):
        _install("postgresql")
    return _postgres(name) or pytest.skip(
        "no PostgreSQL server is installed; `apt-get install postgresql` as root brings it"
    )


def _postgres(name: str) -> str:
    found = sorted(Path("/").glob(f"{POSTGRES[1:]}/{name}"))
    return str(found[-1]) if found else ""


def _install(package: str) -> None:
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        return
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "check": False}
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    # several test processes may come here at once
    with (Path(tempfile.gettempdir()) / "confide-apt.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["apt-get", "update", "-qq"], env=environment, **quiet)
        command = ["apt-get", "install", "-qq", "-y", "--no-install-recommends", package]
        subprocess.run(command, env=environment, **quiet)
