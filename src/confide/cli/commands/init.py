"""The command `confide init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.example import read_example_survey
from confide.cli.output import print_text
from confide.errors import ConfideError
from confide.files import write_atomically


def init(
    survey: Annotated[Path, typer.Argument(help="The survey file to write.")],
    force: Annotated[bool, typer.Option(help="Replace a file that is there.")] = False,
) -> None:
    """Write a commented survey to start from.

    Example: `confide init survey.toml`
    """
    if survey.exists() and not force:
        raise ConfideError(f"{survey} is there already. Use another name, or --force.")
    if survey.suffix != ".toml":
        raise ConfideError(f"a survey file's name ends in .toml. Got {survey.name}.")
    with write_atomically(survey) as temporary:
        temporary.write_text(read_example_survey(), encoding="utf-8")
    print_text(f"Wrote {survey}. Edit it, then: confide check {survey}")
