"""A survey as the web app serves it: the design, and how the page presents it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import Any

from confide.design import Design
from confide.design.questions import check_line, check_text
from confide.design.survey_file import SurveyFile
from confide.errors import ConfideError, DesignError, show
from confide.mechanisms.probability import read_probability
from confide.surveys.field import Field
from confide.surveys.questionnaire import Questionnaire

LANGUAGES = ("en", "de")
"""The languages whose texts are built in; the first one stands in where a text is missing."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_RIGHT_TO_LEFT = {"ar", "dv", "fa", "he", "ks", "ku", "ps", "sd", "ug", "ur", "yi"}


@dataclass(frozen=True)
class Page:
    """How the page presents a survey: the ``[page]`` table of a survey file.

    Parameters
    ----------
    language : str
        The language of the questions, such as "de", in which the page speaks, too; left out,
        English. One that is not built in needs its texts.
    organiser : str
        Who runs the survey.
    consent : str
        What people agree to before the first question.
    own_device : bool
        Whether people may draw by their own coin.
    invitation : bool
        Whether only invited people can report.
    minimum : int
        Below this number of reports nothing is estimated.
    wanted : int
        The number of reports hoped for, shown as progress.
    exit : str
        Where the quick exit leads.
    test : str
        Whether people may test a published model, and how often a test's result is then sent as it
        is, such as "3/4"; left out, there is no test.
    personal : mapping
        For an unrelated question its personal question, by question name.
    texts : mapping
        Texts that replace the built-in ones.
    """

    language: str = ""
    organiser: str = ""
    consent: str = ""
    own_device: bool = True
    invitation: bool = False
    minimum: int = 50
    wanted: int = 0
    exit: str = "about:blank"
    test: str = ""
    personal: dict[str, str] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for problem in page_problems(vars(self)):
            raise DesignError(problem)


def page_problems(given: Any) -> Iterator[str]:
    """Everything that is wrong with a ``[page]`` table, whatever the survey asks."""
    if not isinstance(given, dict):
        yield "write how the page looks under [page]."
        return
    known = {each.name: type(getattr(Page, each.name, {})) for each in fields(Page)}
    for key, value in given.items():
        if key not in known:
            yield f"[page] has the unknown key {show(key)}. Known are {', '.join(known)}."
        elif type(value) is not known[key]:
            yield f"{key} of the page must be a {_KINDS[known[key]]}. Got {show(value)}."
        else:
            yield from _refused(_CHECKS[known[key]], key, value)
            yield from _value_problems(key, value)
    if _untranslated(given.get("language"), given.get("texts")):
        yield (
            f"language of the page must be {' or '.join(LANGUAGES)}, whose texts are built in, or "
            f"its texts must stand under [page.texts]. Got {show(given['language'])}."
        )


def _refused(check: Callable[..., Any], *given: Any) -> Iterator[str]:
    """Why a check refuses what it is given, if it does."""
    try:
        check(*given)
    except ConfideError as error:
        yield str(error)


def _check_texts(key: str, table: dict[str, Any]) -> None:
    for name, text in table.items():
        check_line(name, f"each key of {key} of the page")
        check_text(text, f"{name} in {key} of the page")


def _check_count(key: str, count: int) -> None:
    least = 1 if key == "minimum" else 0
    if not least <= count <= _MOST_REPORTS:
        raise DesignError(
            f"{key} of the page must be at least {least}, and at most {_MOST_REPORTS:,}. "
            f"Got {show(count)}."
        )


_MOST_REPORTS = 10**9
_KINDS = {str: "text", bool: "truth value", int: "whole number", dict: "table"}
_CHECKS: dict[type, Callable[[str, Any], None]] = {
    str: lambda key, text: check_text(text, f"{key} of the page"),
    bool: lambda key, given: None,  # noqa: ARG005
    int: _check_count,
    dict: _check_texts,
}


def _value_problems(key: str, value: Any) -> Iterator[str]:
    """What is wrong with a value of the right kind."""
    if key == "exit" and value != "about:blank" and not value.startswith("https://"):
        yield "exit of the page must be an address that starts with https://."
    if key == "language" and value and not _LANGUAGE.fullmatch(value):
        yield f'language of the page must be a code such as "de" or "pt-BR". Got {show(value)}.'
    if key == "test" and value:
        yield from _refused(_check_test, value)
    for name, text in value.items() if key == "texts" else ():
        yield from _text_problems(name, text)


def _check_test(value: str) -> None:
    if read_probability(value, "test of the page") == Fraction(1, 2):
        raise DesignError("test of the page must differ from 1/2: at 1/2 a result says nothing.")


def _text_problems(name: str, text: Any) -> Iterator[str]:
    """Whether a text of the survey can stand where a built-in one does."""
    if name not in built_in("en"):
        yield f"the page has no text {show(name)}. See texts/en.toml for all."
    elif isinstance(text, str):
        allowed = _placeholders(built_in("en")[name])
        given = _placeholders(text)
        if given is None or not given <= (allowed or set()):
            words = ", ".join(f"{{{word}}}" for word in sorted(allowed or ())) or "nothing"
            yield f"the text {name!r} of the page may have {words} in braces. Got {show(text)}."


def _placeholders(text: str) -> set[str] | None:
    """The words in braces that are filled in; None for braces that are not sound.

    >>> sorted(_placeholders("From {low} to {high}")), _placeholders("{"), _placeholders("{a!r:9}")
    (['high', 'low'], None, None)
    """
    try:
        parts = list(Formatter().parse(text))
    except ValueError:
        return None
    if any(spec or conversion for _, _, spec, conversion in parts):
        return None
    return {name for _, name, _, _ in parts if name is not None}


def _untranslated(language: Any, texts: Any) -> bool:
    """Whether a page would be in a language that it has no text of."""
    foreign = isinstance(language, str) and language and _base(language) not in LANGUAGES
    return bool(foreign) and not texts


def _base(language: str) -> str:
    """A language without its country.

    >>> _base("de-AT")
    'de'
    """
    return language.split("-")[0].lower()


@cache
def built_in(language: str) -> dict[str, str]:
    """The built-in texts of a language."""
    path = files("confide.surveys") / "texts" / f"{language}.toml"
    texts: dict[str, str] = tomllib.loads(path.read_text(encoding="utf-8"))
    return texts


@dataclass(frozen=True, eq=False)
class Survey:
    """A design with its page.

    Parameters
    ----------
    design : Design
        What is asked and how it is disguised.
    page : Page
        How it is presented.
    """

    design: Design
    page: Page = Page()

    def __post_init__(self) -> None:
        for problem in serving_problems(self.design, self.page.personal):
            raise DesignError(problem)

    @classmethod
    def load(cls, path: str | Path) -> Survey:
        """Read a survey file of any format, with its ``[page]``."""
        file = SurveyFile.read(path)
        if found := serving_refusals(file):
            more = f" And {len(found) - 1} more: see confide check." if len(found) > 1 else ""
            raise DesignError(f"{file.name}: {found[0]}{more}")
        return cls(file.design, Page(**file.page))

    @cached_property
    def questionnaire(self) -> Questionnaire:
        """The design as the page needs it."""
        return Questionnaire(self.design)

    @property
    def title(self) -> str:
        """The survey's name."""
        return self.design.title or "Survey"

    def language(self, wished: str = "") -> str:
        """The language of the questions, in which the page speaks, too, whatever a browser wishes.

        Where the survey names none, a link may ask for one that is built in.

        >>> import confide as cf
        >>> survey = Survey(cf.Design([cf.YesNo("a")]))
        >>> survey.language(), survey.language("de"), survey.language("fr")
        ('en', 'de', 'en')
        """
        return self.page.language or (wished if wished in LANGUAGES else LANGUAGES[0])

    def direction(self, language: str) -> str:
        """Which way a language is written."""
        return "rtl" if _base(language) in _RIGHT_TO_LEFT else "ltr"

    def texts(self, language: str) -> dict[str, str]:
        """All texts in a language: the survey's own, the language's, else English."""
        own = built_in(_base(language)) if _base(language) in LANGUAGES else {}
        return built_in(LANGUAGES[0]) | own | self.page.texts


def serving_problems(design: Design, personal: Mapping[str, Any]) -> Iterator[str]:
    """Everything for which a sound design cannot be served."""
    for name in personal:
        if name not in design.names:
            yield f"[page.personal]: there is no question {show(name)}."
        elif (found := design.block(name).mechanism) is None or not found.personal_cover:
            yield f"{name} is not disguised by an unrelated question, so it has no personal one."
    for block in design.blocks:
        for question in block.questions:
            yield from _refused(Field, question, block)


def serving_refusals(file: SurveyFile) -> list[str]:
    """Everything for which `confide serve` refuses a survey file, worst first.

    What makes the design unsound comes first, then what is wrong with its page, then what a
    browser could not do with it.
    """
    personal = file.page.get("personal") if isinstance(file.page, dict) else None
    found = [*file.problems, *page_problems(file.page)]
    if not file.problems:
        found += serving_problems(file.design, personal if isinstance(personal, dict) else {})
    return found
