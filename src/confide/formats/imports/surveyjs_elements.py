"""Every element of a SurveyJS form, and every language of its texts."""

from __future__ import annotations

from collections.abc import Iterator

from confide.errors import DesignError
from confide.files import Json

CONDITIONS = ("visibleIf", "enableIf")
"""The keys that say after which answers an element is asked."""


def walk_elements(
    container: Json, prefix: str, conditions: tuple[str, ...]
) -> Iterator[tuple[str, Json, tuple[str, ...]]]:
    """List every element with its path, and the conditions of the pages and panels around it."""
    for key in ("pages", "elements", "questions"):
        entries = container.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise DesignError(f"{prefix}{key} must be a list of objects.")
        for i, entry in enumerate(entries):
            path = f"{prefix}{key}[{i}]"
            if key == "pages" or entry.get("type") == "panel":
                own = tuple(str(entry[each]) for each in CONDITIONS if entry.get(each))
                yield from walk_elements(entry, f"{path}.", (*conditions, *own))
            else:
                yield path, entry, conditions


def find_languages(value: object) -> Iterator[str]:
    """List the languages of every text of a form."""
    if isinstance(value, dict):
        if "default" in value and all(isinstance(text, str) for text in value.values()):
            yield from value
        else:
            for each in value.values():
                yield from find_languages(each)
    elif isinstance(value, list):
        for each in value:
            yield from find_languages(each)
