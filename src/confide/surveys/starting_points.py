"""Worked surveys to start from."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from confide.errors import ConfideError, show


@dataclass(frozen=True)
class StartingPoint:
    """A worked survey.

    Parameters
    ----------
    name : str
        Such as "student-misconduct".
    about : str
        What it asks, in a line.
    text : str
        The survey file, with comments that name the sources of its questions.
    """

    name: str
    about: str
    text: str


def list_starting_points() -> list[StartingPoint]:
    """List the worked surveys that come with confide.

    >>> [each.name for each in list_starting_points()][:2]
    ['corruption', 'health']
    """
    found = []
    for file in (files("confide.surveys") / "gallery").iterdir():
        text = file.read_text(encoding="utf-8")
        about = text.partition("\n")[0].lstrip("# ")
        found.append(StartingPoint(file.name.removesuffix(".toml"), about, text))
    return sorted(found, key=lambda each: each.name)


def find_starting_point(name: str) -> StartingPoint:
    """Find a worked survey by its name."""
    known = {each.name: each for each in list_starting_points()}
    if name not in known:
        raise ConfideError(f"there is no worked survey {show(name)}. Known are {', '.join(known)}.")
    return known[name]
