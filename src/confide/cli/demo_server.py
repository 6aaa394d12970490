"""The example survey on the web, and the simulated people who answer it."""

from __future__ import annotations

import os
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pyarrow as pa
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from confide.cli.output import print_text
from confide.design import Design
from confide.extras import explain_missing

if TYPE_CHECKING:
    from confide.surveys.survey import Survey

_HOST = "127.0.0.1"
_COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())


@dataclass(frozen=True)
class DemoServer:
    """A survey that is served until Ctrl-C, and then gone.

    Parameters
    ----------
    design : Design
        What is asked.
    draw_people : callable
        Makes up so many people: an Arrow table of their true answers.
    respondents : int
        How many of them answer.
    seed : int
        Of the chance with which they are disguised.
    seconds : float
        How long the last people take to answer.
    browser : bool
        Whether to open the results in one.
    """

    design: Design
    draw_people: Callable[[int], pa.Table]
    respondents: int
    seed: int
    seconds: float
    browser: bool

    def run(self) -> None:
        """Serve, let people answer, and leave nothing behind."""
        with suppress(KeyboardInterrupt), TemporaryDirectory() as folder:
            self._serve(Path(folder))
        print_text("\nThe demo is over; its database is deleted.")

    def _serve(self, folder: Path) -> None:
        with explain_missing("confide[serve]", "the demo on the web"):
            from confide.surveys.page_settings import Page
            from confide.surveys.survey import Survey
            from confide.web import server as serving
            from confide.web.admin.simulated_truth import Simulation
            from confide.web.guard import Rate

        page = Page(organiser="nobody: this is a demonstration", wanted=self.respondents)
        survey = Survey(self.design, page)
        port = serving.find_free_port(_HOST)
        store = serving.open_survey_store(survey, f"sqlite:///{folder / 'demo.db'}")
        simulation = Simulation(self.design, self.draw_people, self.respondents, self.seed)
        unlimited = Rate(0)  # all people share one address here
        app = serving.build_app(survey, store, _HOST, rate=unlimited, simulation=simulation)
        app.state.access.without_password = True  # the link leads to the results at once
        link = f"http://{_HOST}:{port}/admin/welcome?key={app.state.access.link}"
        over = threading.Event()
        people = threading.Thread(target=self._answer, args=(survey, port, link, over))

        def print_addresses() -> None:
            typer.echo(f"Survey:  http://{_HOST}:{port}/\nResults: {link} (works once)")
            people.start()

        try:
            serving.run_server(app, _HOST, port, print_addresses)
        finally:
            over.set()
            if people.ident is not None:
                people.join()
            store.close()

    def _answer(self, survey: Survey, port: int, link: str, over: threading.Event) -> None:
        """Most people answer at once, so that there are results to open; the others one by one."""
        from confide.web.simulated_people import answer_survey

        if self.browser and has_display():
            webbrowser.open(link)
        n, people = self.respondents, self.draw_people(self.respondents).to_pylist()
        at_once = n * 3 // 5
        generator = Random(self.seed)
        words = iter(lambda: generator.getrandbits(32), -1)
        with Progress(*_COLUMNS, disable=not Console().is_terminal) as progress:
            task = progress.add_task("Simulated people answer", total=n)
            for stored in answer_survey(survey, people, _HOST, port, words):
                progress.update(task, completed=stored)
                if over.wait(self.seconds / (n - at_once) if stored >= at_once else 0):
                    return
        if not over.is_set():
            typer.echo("The simulated people have answered. Ctrl-C ends the demo.")


def has_display() -> bool:
    """Whether a browser would have a window; without one, a text browser takes the terminal."""
    return sys.platform != "linux" or any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
