"""The commands `confide admin …`: passwords, users, links for readers, sessions."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated

import typer

from confide.cli.commands.serve import Database, import_serving
from confide.cli.options import JsonOption, SurveyArgument
from confide.cli.output import print_json, print_table, print_text
from confide.errors import ConfideError
from confide.extras import explain_missing

if TYPE_CHECKING:
    from confide.reports.store import Store

administration = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Say who may see the results; see and end the sessions. Also while it is served.",
)
NameArgument = Annotated[str, typer.Argument(help="Whom it is for.")]


@administration.command()
def password(survey: SurveyArgument, database: Database = None) -> None:
    """Set the password of the results, and end all sessions. It is asked for, or read from a pipe.

    Example: `confide admin password survey.toml`
    """
    with _open_store(survey, database) as store:
        _import_accounts().Accounts(store).set_password(_read_password())
    print_text("The password is set, and all sessions are ended.")


@administration.command()
def user(
    survey: SurveyArgument,
    name: NameArgument,
    database: Database = None,
    role: Annotated[
        str, typer.Option(help="owner: may do everything. reader: sees results alone.")
    ] = "reader",
    remove: Annotated[bool, typer.Option("--remove", help="Let them in no longer.")] = False,
) -> None:
    """Let somebody in by a name and a password of their own, or no longer.

    A reader sees the results: no single reports, no backup, no closing, no invitations. The
    password is asked for, or read from a pipe; another one replaces it, and ends their sessions.

    Example: `confide admin user survey.toml anna --role reader`
    """
    accounts = _import_accounts()
    if role not in list(accounts.Role):
        raise ConfideError(f"--role is owner or reader. Got {role[:20]!r}.")
    name = accounts.check_name(name)
    if name == accounts.ADMIN:
        raise ConfideError(
            "admin is the first owner: `confide admin password` sets their password."
        )
    with _open_store(survey, database) as store:
        if remove:
            if not accounts.Accounts(store).remove(accounts.find_key(name)):
                raise ConfideError(f"there is no user {name!r}. See confide admin users.")
        else:
            accounts.Accounts(store).set_password(_read_password(), name, accounts.Role(role))
    print_text(f"{name} is removed." if remove else f"{name} can log in, as {role}.")


@administration.command()
def link(
    survey: SurveyArgument,
    name: NameArgument,
    database: Database = None,
    address: Annotated[str, typer.Option(help="Where people reach the survey.")] = (
        "http://127.0.0.1:8000"
    ),
    revoke: Annotated[bool, typer.Option("--revoke", help="Revoke the links for them.")] = False,
) -> None:
    """Make a link that shows the results, and nothing else, to whoever has it; or revoke it.

    It works until it is revoked, which ends the sessions that it began. It is printed this once.

    Example: `confide admin link survey.toml board --address https://survey.example`
    """
    accounts = _import_accounts()
    name = accounts.check_name(name)
    with _open_store(survey, database) as store:
        kept = accounts.Accounts(store)
        if not revoke:
            code = kept.make_link(name)
        else:
            found = [each for each in kept.list_all() if each.by_link and each.name == name]
            if not found:
                raise ConfideError(f"there is no link for {name!r}. See confide admin users.")
            for each in found:
                kept.remove(each.key)
    if revoke:
        print_text(f"The link for {name} is revoked.")
    else:
        typer.echo(f"{address.rstrip('/')}/admin/shared#{code}")


@administration.command()
def users(survey: SurveyArgument, database: Database = None, json: JsonOption = False) -> None:
    """List who may see the results: by a password, and by links.

    Example: `confide admin users survey.toml`
    """
    with _open_store(survey, database) as store:
        found = _import_accounts().Accounts(store).list_all()
    rows = [(each.name, str(each.role), "link" if each.by_link else "password") for each in found]
    if json:
        keys = ("name", "role", "by")
        print_json([dict(zip(keys, row, strict=True)) for row in rows])
    else:
        print_table(["name", "role", "by"], rows)


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
        names = {each.key: each.name for each in _import_accounts().Accounts(store).list_all()}
        if end:
            kept.end_all()
    rows = [
        (each.name, names.get(each.account, ""), _write_time(each.began), _write_time(each.until))
        for each in found
    ]
    if json:
        keys = ("session", "of", "began", "until")
        print_json({"ended": end, "sessions": [dict(zip(keys, row, strict=True)) for row in rows]})
        return
    print_table(["session", "of", "began", "until"], rows)
    if end:
        print_text(f"{len(rows):,} sessions are ended.")


def _import_accounts() -> ModuleType:
    with explain_missing("confide[serve]", "the web app"):
        from confide.web.admin import accounts
    return accounts


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
    """Ask for a password, or read it from a pipe; one that is too short is refused."""
    given = (
        str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))
        if sys.stdin.isatty()
        else sys.stdin.readline().rstrip("\r\n")
    )
    _import_accounts().check_length(given)
    return given


def _write_time(seconds: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
