"""A survey as the web app serves it: the design, and how the page presents it."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

from confide.collect.form import Form
from confide.design import Design
from confide.errors import DesignError, shown
from confide.mechanisms import UnrelatedQuestion
from confide.mechanisms.probability import probability

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
        for each in fields(self):
            kind = type(getattr(Page, each.name, {}))
            given = getattr(self, each.name)
            if type(given) is not kind:
                raise DesignError(f"{each.name} of the page must be a {_KINDS[kind]}.")
            if kind is dict and not all(isinstance(text, str) for text in given.values()):
                raise DesignError(f"{each.name} of the page must hold texts only.")
        if self.minimum < 1 or self.wanted < 0:
            raise DesignError("minimum of the page must be at least 1, and wanted at least 0.")
        if self.exit != "about:blank" and not self.exit.startswith("https://"):
            raise DesignError("exit of the page must be an address that starts with https://.")
        if self.test:
            probability(self.test, "test of the page")
        for key in self.texts:
            if key not in built_in("en"):
                raise DesignError(f"the page has no text {key[:40]!r}. See texts/en.toml for all.")
        if self.language and not _LANGUAGE.fullmatch(self.language):
            raise DesignError(
                'language of the page must be a code such as "de" or "pt-BR". '
                f"Got {shown(self.language)}."
            )
        if self.language and _base(self.language) not in LANGUAGES and not self.texts:
            raise DesignError(
                f"language {shown(self.language)} of the page is not built in "
                f"({', '.join(LANGUAGES)} are), so its texts must be given under [page.texts]."
            )


def _base(language: str) -> str:
    """A language without its country.

    >>> _base("de-AT")
    'de'
    """
    return language.split("-")[0].lower()


_KINDS = {str: "text", bool: "truth value", int: "whole number", dict: "table"}


@cache
def built_in(language: str) -> dict[str, str]:
    """The built-in texts of a language."""
    path = files("confide.collect") / "texts" / f"{language}.toml"
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
        for name in self.page.personal:
            if not isinstance(self.design.block(name).mechanism, UnrelatedQuestion):
                raise DesignError(
                    f"{name} is not disguised by an unrelated question, so it has no personal one."
                )
        _ = self.form.fields  # every mechanism must be one that a browser can draw

    @classmethod
    def load(cls, path: str | Path) -> Survey:
        """Read a survey file with its ``[page]``."""
        path = Path(path)
        design = Design.load(path)
        text = path.read_text(encoding="utf-8")
        held = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
        given = held.get("page", {})
        known = [each.name for each in fields(Page)]
        if not isinstance(given, dict):
            raise DesignError(f"{path.name}: write how the page looks under [page].")
        for key in given:
            if key not in known:
                raise DesignError(
                    f"{path.name}: [page] has the unknown key {key[:40]!r}. Known are "
                    f"{', '.join(known)}."
                )
        return cls(design, Page(**given))

    @cached_property
    def form(self) -> Form:
        """The design as the page needs it."""
        return Form(self.design)

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
