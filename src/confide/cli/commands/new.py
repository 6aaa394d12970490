"""The command `confide new`."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from confide.cli.commands.serve import import_serving
from confide.cli.demo_server import has_display
from confide.cli.output import print_text
from confide.errors import ConfideError

_HOST = "127.0.0.1"


def new(
    survey: Annotated[Path, typer.Argument(help="The survey file to write, or to go on with.")] = (
        Path("survey.toml")
    ),
    port: Annotated[int, typer.Option(min=1, max=65535, help="The port.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Write a survey by clicking; beside it stands what people see and what it gives away.

    The page is for this machine alone. It saves the file; comments that a file held are lost then.

    Example: `confide new survey.toml`
    """
    serving = import_serving()
    if survey.suffix != ".toml":
        raise ConfideError(f"a survey file's name ends in .toml. Got {survey.name}.")
    if not survey.parent.is_dir():
        raise ConfideError(f"there is no folder {survey.parent}.")
    serving.check_port(_HOST, port)
    app, key = serving.build_builder_app(survey, _HOST)
    address = f"http://{_HOST}:{port}/new#{key}"

    def print_address() -> None:
        typer.echo(f"Write:   {address}")
        print_text(f"It saves to {survey}. Ctrl-C ends it.")
        if browser and has_display():
            webbrowser.open(address)

    serving.run_server(app, _HOST, port, print_address)
