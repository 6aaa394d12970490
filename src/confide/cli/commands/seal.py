"""The command `confide seal`."""

from __future__ import annotations

import typer

from confide.cli.commands.serve import Database, import_serving
from confide.cli.options import JsonOption, SurveyArgument
from confide.cli.output import print_json
from confide.surveys.seal import compute_seal
from confide.surveys.survey import Survey
from confide.web.static_files import SCRIPTS, hash_files


def seal(survey: SurveyArgument, database: Database = None, json: JsonOption = False) -> None:
    """Print a survey's seal, and the SHA-256 of every script that this release serves for it.

    The seal names what a respondent's browser executes: the questions, the weights it draws with
    and the words it says. The page shows it, and refuses to ask where its link names another one:
    `https://survey.example/#seal`. Of a survey by invitation it names the key of its tickets, too,
    which is in its database.

    Example: `confide seal survey.toml`
    """
    loaded = Survey.load(survey)
    key = ""
    if loaded.page.invitation:
        serving = import_serving()
        key = serving.read_public_key(loaded, database or serving.default_database(survey))
    found, scripts = compute_seal(loaded, key), hash_files(SCRIPTS)
    if json:
        print_json(
            {
                "seal": found,
                "fingerprint": loaded.design.fingerprint,
                "scripts": dict(scripts),
            }
        )
        return
    typer.echo(found)
    for name, digest in scripts:
        typer.echo(f"{digest}  {name}")
