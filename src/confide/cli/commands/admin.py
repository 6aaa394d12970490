"""The commands `confide admin password` and `confide admin sessions`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confide.cli.commands.serve import Database, import_serving
from confide.cli.options import JsonOption, SurveyArgument
from confide.cli.output import print_json, print_table, print_text
from confide.extras import explain_missing

if TYPE_CHECKING:
    from confide.reports.store import Store

administration = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Change the password of the results; see and end the sessions. Also while it is served.",
)


@administration.command()
def password(survey: SurveyArgument, database: Database = None) -> None:
    """Set the password of the results, and end all sessions. It is asked for, or read from a pipe.

    Example: `confide admin password survey.toml`
    """
    with explain_missing("confide[serve]", "the web app"):
        from confide.web.admin.access import check_length, set_password

    with _open_store(survey, database) as store:
        given = _read_password()
        check_length(given)
        set_password(store, given)
    print_text("The password is set, and all sessions are ended.")


@administration.command()
def sessions(
    survey: SurveyArgument,
    database: Database = None,
    end: Annotated[bool, typer.Option("--end", help="End them all.")] = False,
    json: JsonOption = False,
) -> None:
    """List the sessions of who is logged in to the results, or end them.

    Example: `confide admin sessions survey.toml --end`
    """
    with explain_missing("confide[serve]", "the web app"):
        from confide.web.admin.sessions import Sessions

    with _open_store(survey, database) as store:
        kept = Sessions(store)
        found = kept.list_good()
        if end:
            kept.end_all()
    rows = [(each.name, _write_time(each.began), _write_time(each.until)) for each in found]
    if json:
        keys = ("session", "began", "until")
        print_json({"ended": end, "sessions": [dict(zip(keys, row, strict=True)) for row in rows]})
        return
    print_table(["session", "began", "until"], rows)
    if end:
        print_text(f"{len(rows):,} sessions are ended.")


@contextmanager
def _open_store(survey: Path, database: str | None) -> Iterator[Store]:
    serving = import_serving()
    design = serving.Survey.load(survey).design
    store: Store = serving.open_store(database or serving.default_database(survey), design)
    try:
        yield store
        store.tidy()
    finally:
        store.close()


def _read_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\r\n")


def _write_time(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
