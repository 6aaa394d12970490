"""What the pages of the results and the report say, in the languages of the respondent's page."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from confide.surveys.page_texts import LANGUAGES, base_language


@cache
def results_texts_in(language: str) -> dict[str, str]:
    """All texts of the results in a language: its own where they are built in, else English.

    >>> results_texts_in("en-GB")["results"]
    'Results'
    """
    base = base_language(language)
    name = base if base in LANGUAGES else LANGUAGES[0]
    path = files("confide.surveys") / "texts" / "results" / f"{name}.toml"
    texts: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))
    return texts
