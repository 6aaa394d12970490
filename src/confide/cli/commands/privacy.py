"""The command `confide privacy`."""

from __future__ import annotations

from typing import Annotated

import typer

from confide import privacy as statements
from confide.cli.options import JsonOption, SurveyArgument
from confide.cli.output import print_json, print_table, print_text, show_spinner
from confide.crowd import Crowd
from confide.design import Design


def privacy(
    survey: SurveyArgument,
    reports: Annotated[
        str | None,
        typer.Option(help="What an adversary who has these reports can guess."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Say in plain words what a report gives away about the person behind it.

    Without reports the adversary knows nothing of the crowd. With them the adversary knows it as
    well as you do, which is the honest number.

    Example: `confide privacy survey.toml --reports reports.parquet`
    """
    design = Design.load(survey)
    with show_spinner("Asking what an adversary could guess"):
        crowd = None if reports is None else Crowd(design, reports)
        statement = statements.of(design, crowd)
        described, sentences, rows = statement.to_dict(), statement.sentences(), statement.rows()
    if json:
        print_json(described)
        return
    for sentence in sentences:
        print_text(f"• {sentence}")
    print_table(statement.columns, rows)
