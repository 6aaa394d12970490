"""A SQLite file whose survey was changed before anybody answered it."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import apsw

from confide.design import Design
from confide.design.plain_values import from_dict
from confide.errors import ConfideError
from confide.reports.sqlite import SQLiteStore


def set_aside_unused(path: Path, design: Design, by_invitation: bool) -> Path | None:
    """Give another name to a file that holds another survey, and neither reports nor invitations.

    Whoever still serves the old survey from it is refused by the file's store from then on.

    Returns
    -------
    Path or None
        The new name; None where the file stays: it is not there, holds this survey, or is in use.
    """
    held = _read_held_survey(path)
    if held is None or held == (design.fingerprint, by_invitation) or not _is_unused(path):
        return None
    aside = path.with_name(f"{path.stem}-unused-{held[0][:8]}{path.suffix}")
    if aside.exists():
        aside.unlink()  # as unused as this one
    return path.rename(aside)


def _read_held_survey(path: Path) -> tuple[str, bool] | None:
    """Read the fingerprint of what a file holds, and whether it is by invitation."""
    rows = _select(path, "SELECT fingerprint, by_invitation FROM survey")
    return (str(rows[0][0]), bool(rows[0][1])) if rows else None


def _is_unused(path: Path) -> bool:
    ((design,),) = _select(path, "SELECT design FROM survey")
    try:
        store = SQLiteStore(path, from_dict(json.loads(str(design))))
    except (ConfideError, ValueError):
        return False  # opening it will say what is wrong
    try:
        return store.count() == 0 and store.count_invitations()[0] == 0 and store.tidy()
    finally:
        store.close()


def _select(path: Path, sql: str) -> list[tuple[object, ...]]:
    if not path.is_file():
        return []
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
            return list(connection.execute(sql))
    except apsw.Error:
        return []
