"""A folder of survey files to one running web app."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path

from starlette.applications import Starlette

from confide.errors import ConfideError
from confide.reports.store import Store
from confide.surveys.survey import Survey
from confide.web.addresses import NAME
from confide.web.app import create_app_of_several
from confide.web.server import default_database, name_hosts, open_survey_store


def open_folder(folder: Path, database: str | None = None) -> dict[str, tuple[Survey, Store]]:
    """Open every survey of a folder with its own database; give them by their files' names.

    A file that is no survey, or whose database cannot be opened, is left out, and a warning says
    why in one line: the others are served all the same.

    Parameters
    ----------
    folder : Path
        The folder; its surveys are the files that end in .toml.
    database : str, optional
        A PostgreSQL database for all of them, in which each design has a schema of its own. Left
        out, each survey has a SQLite file beside its own.
    """
    if database is not None and database.startswith("sqlite:"):
        raise ConfideError(
            "each survey of a folder has a SQLite file of its own beside it: leave --database out, "
            "or name a PostgreSQL database."
        )
    opened: dict[str, tuple[Survey, Store]] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            survey = _load_survey(path, opened, one_database=database is not None)
            opened[path.stem] = (
                survey,
                open_survey_store(survey, database or default_database(path)),
            )
        except ConfideError as error:
            why = str(error).removeprefix(f"{path.name}: ")
            warnings.warn(f"{path.name} is not served: {why}", stacklevel=2)
    if not opened:
        raise ConfideError(f"{folder} holds no survey that can be served: a file such as a.toml.")
    return opened


def _load_survey(
    path: Path, opened: Mapping[str, tuple[Survey, Store]], *, one_database: bool
) -> Survey:
    if not NAME.fullmatch(path.stem):
        raise ConfideError(
            "its name is part of its address, and has at most 60 letters (a to z), digits, - and _."
        )
    survey = Survey.load(path)
    for name, (other, _) in opened.items():
        if one_database and other.design.fingerprint == survey.design.fingerprint:
            raise ConfideError(
                f"it has the same design as {name}, with which it would share its reports in one "
                "PostgreSQL database. Leave --database out."
            )
    return survey


def build_folder_app(
    surveys: Mapping[str, tuple[Survey, Store]],
    host: str,
    address: str | None = None,
    deal: tuple[str, str] | None = None,
) -> Starlette:
    """Build the app of several surveys for a host, as `build_app` does for one."""
    return create_app_of_several(
        surveys, deal=deal, hosts=name_hosts(host, address), always_tls=bool(address)
    )
