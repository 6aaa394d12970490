"""A survey as the web app serves it: the design, and how the page presents it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from confide.design import Design
from confide.design.plain_values import MOST_PROBLEMS
from confide.design.survey_file import SurveyFile
from confide.errors import DesignError, show
from confide.surveys.field import Field
from confide.surveys.page_checks import find_page_problems
from confide.surveys.page_settings import Page
from confide.surveys.page_texts import LANGUAGES, direction_of
from confide.surveys.questionnaire import Questionnaire
from confide.surveys.section_checks import find_misplaced
from confide.surveys.translation_checks import find_untranslated
from confide.surveys.wording import Wording

_MOST_MISSING = 7  # with eight classes of people these make 1,024 kinds of them


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
    page: Page = field(default_factory=Page)

    def __post_init__(self) -> None:
        for problem in find_serving_problems(self.design, asdict(self.page)):
            raise DesignError(problem)

    @classmethod
    def load(cls, path: str | Path) -> Survey:
        """Read a survey file of any format, with its ``[page]``."""
        file = SurveyFile.read(path)
        if found := find_survey_problems(file):
            more = f" And {len(found) - 1} more: see confide check." if len(found) > 1 else ""
            raise DesignError(f"{file.name}: {found[0]}{more}")
        return cls(file.design, Page.from_table(file.page))

    @cached_property
    def questionnaire(self) -> Questionnaire:
        """The design as the page needs it."""
        return Questionnaire(self.design)

    @property
    def title(self) -> str:
        """The survey's name, in the language of its questions."""
        return self.wording(self.language).title

    @property
    def language(self) -> str:
        """The language of the questions, in which the page speaks, too, whatever a browser wishes.

        >>> import confide as cf
        >>> Survey(cf.Design([cf.YesNo("a")])).language
        'en'
        """
        return self.page.language or LANGUAGES[0]

    def direction(self, language: str) -> str:
        """Which way a language is written."""
        return direction_of(language)

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the page can be read in, that of the questions first."""
        return (self.language, *(each for each in self.page.translations if each != self.language))

    def wording(self, language: str) -> Wording:
        """All words of the survey in a language."""
        return Wording(self.design, self.page, language)

    def texts(self, language: str) -> dict[str, str]:
        """All texts of the page in a language: the survey's own, the language's, else English."""
        return self.wording(language).texts


def find_serving_problems(design: Design, page: Mapping[str, Any]) -> Iterator[str]:
    """Find every reason why a sound design cannot be served with a page that is sound by itself."""
    for name in page.get("personal", {}):
        if name not in design.names:
            yield f"[page.personal]: there is no question {show(name)}."
        elif (found := design.block(name).mechanism) is None or not found.personal_cover:
            yield f"{name} is not disguised by an unrelated question, so it has no personal one."
    for name in page.get("help", {}):
        if name not in design.names:
            yield f"[page.help]: there is no question {show(name)}."
    yield from find_untranslated(design, page, page.get("translations", {}))
    yield from find_misplaced(design, page.get("section", []))
    if len(design.declines) > _MOST_MISSING:
        yield (
            f"at most {_MOST_MISSING} numbers may be missing: for more it is not computed what "
            f"whole reports give away. This survey has {len(design.declines)}."
        )
    for name in design.declines:
        if (found := design.block(name).mechanism) is None or not found.by_chance:
            yield f"{name} may be missing, so on the web it must be disguised by noise."
    for block in design.blocks:
        for question in block.questions:
            try:
                Field(question, block)
            except DesignError as error:
                yield str(error)


def find_survey_problems(file: SurveyFile) -> list[str]:
    """Find everything for which `confide serve` refuses a survey file, worst first.

    What makes the design unsound comes first, then what is wrong with its page, then what a
    browser could not do with it.
    """
    of_page = list(islice(find_page_problems(file.page), MOST_PROBLEMS))
    found = [*file.problems, *of_page]
    if not file.problems:
        page = file.page if isinstance(file.page, dict) and not of_page else {}
        found += islice(find_serving_problems(file.design, page), MOST_PROBLEMS)
    return found[:MOST_PROBLEMS]
