"""The command `confide verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.options import JsonOption
from confide.cli.output import print_json, print_table, print_text, show_spinner
from confide.extras import explain_missing
from confide.surveys.survey import Survey


def verify(
    address: Annotated[str, typer.Argument(help="Where the survey is: https://survey.example.")],
    survey: Annotated[
        Path | None,
        typer.Option(help="The survey file; left out, the design that the server publishes."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say whether a server serves exactly what this release serves for a survey.

    It is visited as several browsers in several languages would; page, scripts, weights and headers
    are compared byte for byte. The exit code is 1 where something differs. A server that
    knows your network address could still serve others differently: verify from several places.

    Example: `confide verify https://survey.example --survey survey.toml`
    """
    with explain_missing("confide[serve]", "the web app"):
        from confide.web.verification import verify_server
    loaded = None if survey is None else Survey.load(survey)
    with show_spinner("Visiting as several browsers would"):
        found = verify_server(address, loaded)
    good = all(each.good for each in found)
    if json:
        parts = [{"part": each.part, "good": each.good, "found": each.told} for each in found]
        print_json({"good": good, "parts": parts})
    else:
        rows = [(each.part, "yes" if each.good else "NO", each.told) for each in found]
        print_table(["part", "good", "found"], rows)
        print_text(
            "Exactly what this release serves."
            if good and loaded is not None
            else "What was compared is what this release serves."
            if good
            else "Not what this release serves: do not answer this survey there."
        )
    if not good:
        raise typer.Exit(1)
