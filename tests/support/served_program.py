"""`confide serve` in a process of its own."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
from pathlib import Path

import httpx

from confide.surveys.survey import Survey
from confide.web import bounded_http as http
from support.cluster import free_port
from support.web_surveys import small

QUICK = """
import sys
from confide.web import bounded_http as http
http.LONGEST = float(sys.argv.pop(1))
from confide.cli import main
main()
"""


class Program:
    """`confide serve` in a process of its own, with its log in a file."""

    def __init__(
        self,
        folder: Path,
        longest: float = http.LONGEST,
        survey: Survey | None = None,
        options: tuple[str, ...] = (),
        served: Path | None = None,
    ) -> None:
        """Serve a survey, or the folder of surveys that is named."""
        file = served or folder / "survey.toml"
        if served is None:
            (survey or small()).design.save(file)
        surveys = len(list(file.glob("*.toml"))) if file.is_dir() else 1
        self.port = free_port()
        self._log = folder / "log.txt"
        serve = ["serve", str(file), "--port", str(self.port), *options]
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", QUICK, str(longest), *serve],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        lines = ""
        while lines.count("key=") < surveys:
            line = self.process.stdout.readline()
            assert line, "the program has ended"
            lines += line
        self.keys = re.findall(r"key=(\S+)", lines)
        self.key = self.keys[0]

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)

    def memory(self) -> int:
        """Its resident kilobytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def works(self) -> None:
        assert httpx.get(f"http://127.0.0.1:{self.port}/").status_code == 200

    def stopped(self) -> str:
        """Stop it; what it has logged."""
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()
        return self._log.read_text()
