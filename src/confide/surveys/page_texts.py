"""The texts of the respondent's page, and the languages that have them built in."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from string import Formatter

from confide.errors import show

LANGUAGES = ("en", "de", "fr", "es", "it", "ar")
"""The languages whose texts are built in; the first is that of a page that names none."""

_MOST_NAMED = 20
_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
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


def is_language(code: str) -> bool:
    """Say whether a text has the form of a language's code.

    >>> is_language("pt-BR"), is_language("German")
    (True, False)
    """
    return _CODE.fullmatch(code) is not None


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


def find_text_problems(name: object, text: object) -> Iterator[str]:
    """Find why a text of the survey cannot stand in place of a built-in one."""
    if name not in built_in("en"):
        yield f"the page has no text {show(name)}. See texts/en.toml for all."
    elif isinstance(text, str):
        allowed = find_placeholders(built_in("en")[name]) or set()
        given = find_placeholders(text)
        if given is None or not given <= allowed:
            words = ", ".join(f"{{{word}}}" for word in sorted(allowed)) or "nothing"
            yield f"the text {name!r} of the page may have {words} in braces. Got {show(text)}."


def describe_untranslated(language: object, texts: object) -> str:
    """Name the texts that a page would show in English though its language is another.

    >>> describe_untranslated("de", {}), describe_untranslated("qaa", built_in("en"))
    ('', '')
    """
    if not isinstance(language, str) or not language or base_language(language) in LANGUAGES:
        return ""
    given = texts if isinstance(texts, dict) else {}
    missing = [name for name in built_in(LANGUAGES[0]) if name not in given]
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    return ", ".join(missing[:_MOST_NAMED]) + more
