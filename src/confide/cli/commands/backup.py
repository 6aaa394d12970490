"""The commands `confide backup` and `confide restore`."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Annotated

import typer

from confide.cli.commands.serve import Database, import_serving
from confide.cli.options import SurveyArgument
from confide.cli.output import print_text
from confide.errors import ConfideError
from confide.extras import explain_missing


def backup(
    survey: SurveyArgument,
    output: Annotated[Path, typer.Option("-o", "--output", help="The SQLite file to write.")],
    database: Database = None,
    key: Annotated[
        Path | None, typer.Option(help="Write the key that signs tickets, a secret, to this file.")
    ] = None,
) -> None:
    """Copy what a survey has collected, also while it is served.

    The copy holds the reports that are released and the invitations that are unused: no password,
    no session, no key, and no report of a batch that is not complete. Close the survey to copy all.

    Where a survey is by invitation, keep its key too, once and apart from the copies: only with it
    do links that were sent stay good after a restore.

    Example: `confide backup survey.toml -o copy.db --key key.pem`
    """
    serving, key_files = import_serving(), _import_key_files()
    loaded = serving.Survey.load(survey)
    store = serving.open_store(database or serving.default_database(survey), loaded.design)
    try:
        if key is not None:
            key_files.write_key_file(store, key)
        store.backup(output)
        released, waiting = store.count_released(), store.count() - store.count_released()
    finally:
        store.close()
    rest = f" {waiting:,} wait for a complete batch and are not in it." if waiting else ""
    print_text(f"{released:,} reports in {output}.{rest}")
    if key is not None:
        print_text(f"The key is in {key}: whoever has it can send reports without an invitation.")


def restore(
    survey: SurveyArgument,
    copy: Annotated[Path, typer.Argument(help="A file that `confide backup` wrote.")],
    database: Database = None,
    key: Annotated[
        Path | None, typer.Option(help="The file that `confide backup --key` wrote.")
    ] = None,
) -> None:
    """Fill a new database from a copy. Set the password again with the link that serving prints.

    A survey by invitation keeps its seal, and links that were sent stay good, where its key is
    given. Else it gets a new key, and the page refuses links that name the old seal.

    Example: `confide restore survey.toml copy.db --key key.pem --database sqlite:///new.db`
    """
    serving, key_files = import_serving(), _import_key_files()
    loaded = serving.Survey.load(survey)
    database = database or serving.default_database(survey)
    if not copy.exists():
        raise ConfideError(f"there is no file {copy}.")
    source = serving.open_store(f"sqlite:///{copy}", loaded.design)
    try:
        target = serving.open_store(database, loaded.design, by_invitation=source.by_invitation)
        try:
            if key is not None:
                key_files.put_key(target, key)
            target.write_copy(source.read_copy())
            released = target.count_released()
        finally:
            target.close()
    finally:
        source.close()
    print_text(f"{released:,} reports are restored.")
    if loaded.page.invitation and key is None:
        print_text(
            "Without --key its key and so its seal are new ones: links that were sent are void. "
            "Make new invitations with confide invite."
        )


def _import_key_files() -> ModuleType:
    """Import what keeps the key in a file, or say what must be installed for it."""
    with explain_missing("confide[serve]", "the key of a survey"):
        from confide.web import key_files
    return key_files
