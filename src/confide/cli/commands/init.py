"""The command `confide init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.example import read_example_survey
from confide.cli.output import print_table, print_text
from confide.errors import ConfideError
from confide.files import write_atomically
from confide.surveys.starting_points import find_starting_point, list_starting_points


def init(
    survey: Annotated[
        Path | None,
        typer.Argument(help="The survey file to write; left out, worked ones are listed."),
    ] = None,
    worked: Annotated[
        str | None, typer.Option("--from", help="A worked survey, such as student-misconduct.")
    ] = None,
    force: Annotated[bool, typer.Option(help="Replace a file that is there.")] = False,
) -> None:
    """Write a commented survey to start from: an example, or one of the worked surveys.

    Example: `confide init survey.toml --from workplace-harassment`
    """
    if survey is None:
        print_table(
            ["worked survey", "what it asks"], [(e.name, e.about) for e in list_starting_points()]
        )
        print_text("confide init survey.toml --from health writes one of them for you to edit.")
        return
    text = read_example_survey() if worked is None else find_starting_point(worked).text
    if survey.exists() and not force:
        raise ConfideError(f"{survey} is there already. Use another name, or --force.")
    if survey.suffix != ".toml":
        raise ConfideError(f"a survey file's name ends in .toml. Got {survey.name}.")
    with write_atomically(survey) as temporary:
        temporary.write_text(text, encoding="utf-8")
    print_text(f"Wrote {survey}. Edit it, then: confide check {survey}")
