"""The commands `confide backup` and `confide restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.commands.serve import Database, import_serving
from confide.cli.options import SurveyArgument
from confide.cli.output import print_text
from confide.errors import ConfideError


def backup(
    survey: SurveyArgument,
    output: Annotated[Path, typer.Option("-o", "--output", help="The SQLite file to write.")],
    database: Database = None,
) -> None:
    """Copy what a survey has collected, also while it is served.

    The copy holds the reports that are released and the invitations that are unused: no password,
    no session, and no report of a batch that is not complete. Close the survey to copy all.

    Example: `confide backup survey.toml -o copy.db`
    """
    serving = import_serving()
    loaded = serving.Survey.load(survey)
    store = serving.open_store(database or serving.default_database(survey), loaded.design)
    try:
        store.backup(output)
        released, waiting = store.count_released(), store.count() - store.count_released()
    finally:
        store.close()
    rest = f" {waiting:,} wait for a complete batch and are not in it." if waiting else ""
    print_text(f"{released:,} reports in {output}.{rest}")


def restore(
    survey: SurveyArgument,
    copy: Annotated[Path, typer.Argument(help="A file that `confide backup` wrote.")],
    database: Database = None,
) -> None:
    """Fill a new database from a copy. Set the password again with the link that serving prints.

    A survey by invitation gets a new key: links that were made before no longer fit its seal.

    Example: `confide restore survey.toml copy.db --database sqlite:///new.db`
    """
    serving = import_serving()
    loaded = serving.Survey.load(survey)
    database = database or serving.default_database(survey)
    if not copy.exists():
        raise ConfideError(f"there is no file {copy}.")
    source = serving.open_store(f"sqlite:///{copy}", loaded.design)
    try:
        target = serving.open_store(database, loaded.design, by_invitation=source.by_invitation)
        try:
            target.write_copy(source.read_copy())
            released = target.count_released()
        finally:
            target.close()
    finally:
        source.close()
    print_text(f"{released:,} reports are restored.")
    if loaded.page.invitation:
        print_text(
            "Its key and so its seal are new ones: make new invitations, old links are refused."
        )
