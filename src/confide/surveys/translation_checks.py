"""Whether a page's translations say all that the survey says, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from confide.design import Choice, Design
from confide.design.questions import check_line, check_text
from confide.errors import DesignError, show
from confide.surveys.page_texts import (
    LANGUAGES,
    describe_untranslated,
    find_text_problems,
    is_language,
)

_TEXTS = ("title", "organiser", "consent", "thanks")
_TABLES = ("personal", "help", "texts", "question")
_KEYS = (*_TEXTS, *_TABLES, "section")
_OF_QUESTION = ("text", "options", "unit")


def find_translation_problems(translations: Mapping[object, object]) -> Iterator[str]:
    """Find what is wrong with translations, whatever the survey asks."""
    for language, given in translations.items():
        where = f"translations.{language} of the page"
        if not isinstance(language, str) or not is_language(language):
            yield f'a translation is named by a code such as "de" or "pt-BR". Got {show(language)}.'
        elif not isinstance(given, dict):
            yield f"{where} must be a table."
        else:
            yield from _find_table_problems(where, given)
            if lacking := describe_untranslated(language, given.get("texts")):
                yield (
                    f"{where} needs the page's texts under texts, because built in are only "
                    f"{', '.join(LANGUAGES)}: {lacking}."
                )


def _find_table_problems(where: str, given: Mapping[str, object]) -> Iterator[str]:
    for key, value in given.items():
        if key not in _KEYS:
            yield f"{where} has the unknown key {show(key)}. Known are {', '.join(_KEYS)}."
        elif not isinstance(value, str if key in _TEXTS else dict if key in _TABLES else list):
            yield f"{key} of {where} is of the wrong kind. Got {show(value)}."
        else:
            yield from _find_value_problems(where, key, value)


def _find_value_problems(where: str, key: str, value: Any) -> Iterator[str]:
    try:
        if key in _TEXTS:
            check_text(value, f"{key} of {where}")
        for name, text in value.items() if key in ("personal", "help", "texts") else ():
            check_text(text, f"{name} in {key} of {where}")
        for name, asked in value.items() if key == "question" else ():
            _check_question(f"question.{name} of {where}", asked)
        for part in value if key == "section" else ():
            if not isinstance(part, dict) or not set(part) <= {"title", "text"}:
                raise DesignError(f"a section of {where} has a title and a text.")
            for text in part.values():
                check_text(text, f"a section of {where}")
    except DesignError as error:
        yield str(error)
        return
    if key == "texts":
        for name, text in value.items():
            yield from find_text_problems(name, text)


def _check_question(where: str, asked: object) -> None:
    if not isinstance(asked, dict) or not set(asked) <= set(_OF_QUESTION):
        raise DesignError(f"{where} has the keys {', '.join(_OF_QUESTION)}. Got {show(asked)}.")
    for key in ("text", "unit"):
        check_text(asked.get(key, ""), f"{key} of {where}")
    if not isinstance(asked.get("options", []), list):
        raise DesignError(f"options of {where} must be a list. Got {show(asked['options'])}.")
    for option in asked.get("options", []):
        check_line(option, f"each option of {where}")


def find_untranslated(
    design: Design, page: Mapping[str, Any], translations: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Find what a survey says and a translation does not, or says of something else."""
    for language, given in translations.items():
        where = f"[page.translations.{language}]"
        wanted = [key for key in ("consent", "thanks") if page.get(key)]
        wanted += ["title"] if design.title else []
        missing = [key for key in wanted if not given.get(key)]
        for table in ("personal", "help"):
            missing += [
                f"{table}.{n}" for n in page.get(table, {}) if n not in given.get(table, {})
            ]
        missing += _find_missing_words(design, given.get("question", {}))
        if len(given.get("section", [])) < len(page.get("section", [])):
            missing.append("section")
        if missing:
            yield f"{where} lacks {', '.join(missing)}."
        for name in given.get("question", {}):
            if name not in design.names:
                yield f"{where}: there is no question {show(name)}."


def _find_missing_words(design: Design, given: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    for question in design.questions:
        words = given.get(question.name, {})
        if question.text and not words.get("text"):
            yield f"question.{question.name}.text"
        count = question.size - question.may_be_left_out if isinstance(question, Choice) else 0
        if len(words.get("options", [])) != count or len(set(words.get("options", []))) != count:
            yield f"question.{question.name}.options ({count} different ones)"
        if question.unit and not words.get("unit"):
            yield f"question.{question.name}.unit"
