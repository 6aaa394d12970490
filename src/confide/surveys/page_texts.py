"""The texts of the respondent's page, and the languages that have them built in."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from string import Formatter

LANGUAGES = ("en", "de")
"""The languages whose texts are built in; the first is that of a page that names none."""

_RIGHT_TO_LEFT = {"ar", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"}


@cache
def built_in(language: str) -> dict[str, str]:
    """The built-in texts of a language."""
    path = files("confide.surveys") / "texts" / f"{language}.toml"
    texts: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))
    return texts


def texts_in(language: str) -> dict[str, str]:
    """All texts in a language: its own where they are built in, else the English ones."""
    base = base_language(language)
    return built_in(base if base in LANGUAGES else LANGUAGES[0])


def base_language(language: str) -> str:
    """A language without its country.

    >>> base_language("de-AT")
    'de'
    """
    return language.split("-")[0].lower()


def direction_of(language: str) -> str:
    """Which way a language is written, as HTML says it.

    >>> direction_of("ar-EG"), direction_of("de")
    ('rtl', 'ltr')
    """
    return "rtl" if base_language(language) in _RIGHT_TO_LEFT else "ltr"


def find_placeholders(text: str) -> set[str] | None:
    """The words in braces that are filled in; None for braces that are not sound.

    >>> sorted(find_placeholders("From {low} to {high}")), find_placeholders("{")
    (['high', 'low'], None)
    >>> find_placeholders("{a!r:9}") is None
    True
    """
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return None
    if any(spec or conversion for _, _, spec, conversion in parts):
        return None
    return {name for _, name, _, _ in parts if name is not None}
