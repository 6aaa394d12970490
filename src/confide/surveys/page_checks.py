"""What may stand in the ``[page]`` table of a survey file, whatever the survey asks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction

from confide.design.questions import check_line, check_text
from confide.errors import DesignError, show
from confide.mechanisms.probability import read_probability
from confide.surveys.page_texts import (
    LANGUAGES,
    built_in,
    describe_untranslated,
    find_text_problems,
    is_language,
)
from confide.surveys.section_checks import find_section_problems
from confide.surveys.translation_checks import find_translation_problems

PAGE_KEYS: dict[str, type] = {
    "language": str,
    "organiser": str,
    "consent": str,
    "own_device": bool,
    "invitation": bool,
    "minimum": int,
    "wanted": int,
    "exit": str,
    "test": str,
    "thanks": str,
    "redirect": str,
    "personal": dict,
    "help": dict,
    "texts": dict,
    "translations": dict,
    "section": list,
}
"""Every key of the table, with the kind of its value."""

_KIND_NAMES = {str: "text", bool: "truth value", int: "whole number", dict: "table", list: "list"}
_MOST_REPORTS = 10**9
_ADDRESS = re.compile(r"https://[^/?#\s]")


def find_page_problems(page: object) -> Iterator[str]:
    """Find everything that is wrong with a ``[page]`` table, whatever the survey asks."""
    if not isinstance(page, dict):
        yield "write how the page looks under [page]."
        return
    for key, value in page.items():
        if key not in PAGE_KEYS:
            yield f"[page] has the unknown key {show(key)}. Known are {', '.join(PAGE_KEYS)}."
        elif type(value) is not PAGE_KEYS[key]:
            yield f"{key} of the page must be a {_KIND_NAMES[PAGE_KEYS[key]]}. Got {show(value)}."
        else:
            yield from _find_value_problems(key, value)
    if lacking := describe_untranslated(page.get("language"), page.get("texts")):
        yield (
            f"language of the page must be {' or '.join(LANGUAGES)}, whose texts are built in, or "
            f"[page.texts] must have all {len(built_in(LANGUAGES[0]))} texts of texts/en.toml in "
            f"it. Got {show(page['language'])} without {lacking}."
        )
    if not page.get("personal") and _is_certain(page.get("test")):
        yield (
            "test of the page must lie between 0 and 1: the bit is about people's own answers and "
            'must be disguised. Write test = "3/4".'
        )


def _find_value_problems(key: str, value: object) -> Iterator[str]:
    """Find everything that is wrong with a value of the right kind."""
    try:
        if isinstance(value, str):
            check_text(value, f"{key} of the page")
        elif isinstance(value, int) and not isinstance(value, bool):
            _check_count(key, value)
    except DesignError as error:
        yield str(error)
    if isinstance(value, str):
        yield from _find_text_value_problems(key, value)
    if key == "translations" and isinstance(value, dict):
        yield from find_translation_problems(value)
    elif key == "section" and isinstance(value, list):
        yield from find_section_problems(value)
    elif key == "texts" and isinstance(value, dict):
        for name, text in value.items():
            yield from find_text_problems(name, text)
    elif isinstance(value, dict):
        yield from _find_line_problems(key, value)


def _find_text_value_problems(key: str, value: str) -> Iterator[str]:
    """Find what is wrong with the address, language or probability that a text stands for."""
    if key == "exit" and value != "about:blank" and not _ADDRESS.match(value):
        yield "exit of the page must be an address that starts with https://."
    if key == "redirect" and value and not _ADDRESS.match(value):
        yield "redirect of the page must be an address that starts with https://."
    if key == "language" and value and not is_language(value):
        yield f'language of the page must be a code such as "de" or "pt-BR". Got {show(value)}.'
    if key == "test" and value:
        try:
            _check_test(value)
        except DesignError as error:
            yield str(error)


def _find_line_problems(key: str, table: Mapping[object, object]) -> Iterator[str]:
    """Find what is wrong with a table of texts, line by line."""
    for name, text in table.items():
        try:
            check_line(name, f"each key of {key} of the page")
            check_text(text, f"{name} in {key} of the page")
        except DesignError as error:
            yield str(error)


def _check_count(key: str, count: int) -> None:
    least = 1 if key == "minimum" else 0
    if not least <= count <= _MOST_REPORTS:
        raise DesignError(
            f"{key} of the page must be at least {least}, and at most {_MOST_REPORTS:,}. "
            f"Got {show(count)}."
        )


def _check_test(value: str) -> None:
    truth = read_probability(value, "test of the page")
    if truth == Fraction(1, 2):
        raise DesignError("test of the page must differ from 1/2: at 1/2 a result says nothing.")
    if truth == 0:
        raise DesignError(
            "test of the page must be above 0: at 0 every result is sent as its opposite, which "
            'hides nothing. Write test = "3/4".'
        )


def _is_certain(test: object) -> bool:
    """Say whether every result of a test would be sent as it is."""
    try:
        return isinstance(test, str) and read_probability(test, "test of the page") == 1
    except DesignError:
        return False
