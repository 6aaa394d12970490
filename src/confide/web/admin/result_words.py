"""Results in the words, numbers and answers of one language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from math import floor, log10

from confide.errors import ConfideError
from confide.files import Json
from confide.surveys.field import Field
from confide.surveys.page_texts import LANGUAGES, built_in, direction_of, texts_in
from confide.surveys.results_texts import results_texts_in
from confide.surveys.survey import Survey
from confide.surveys.wording import Wording
from confide.surveys.written_numbers import write_number

_NUMBER = r"-?[\d.]+(?:e[+-]?\d+)?"
_RANGE = re.compile(rf"({_NUMBER})(?: to | – )({_NUMBER})")
_OUTSIDE = re.compile(rf"(below|above) ({_NUMBER})")
_MOST_DECIMALS = 6


@dataclass(frozen=True, eq=False)
class ResultWords:
    """How results are said in a language.

    Parameters
    ----------
    survey : Survey
        Whose questions and answers are named; in its own language where it has no translation.
    language : str
        One that is built in, or one of the survey's.
    """

    survey: Survey
    language: str

    @cached_property
    def texts(self) -> dict[str, str]:
        """What the pages say."""
        return results_texts_in(self.language)

    @cached_property
    def marks(self) -> dict[str, str]:
        """The texts of the respondent's page, which have the marks of numbers."""
        return texts_in(self.language)

    @property
    def direction(self) -> str:
        """Which way the language is written."""
        return direction_of(self.language)

    @cached_property
    def wording(self) -> Wording:
        """The survey's own words."""
        known = self.language in self.survey.languages
        return self.survey.wording(self.language if known else self.survey.language)

    def list_languages(self) -> list[tuple[str, str]]:
        """The languages that the results can be read in, with their names."""
        own = [each for each in self.survey.languages if each not in LANGUAGES]
        named = [(each, built_in(each)["language_name"]) for each in LANGUAGES]
        return [*((each, each) for each in own), *named]

    def say(self, key: str, **values: object) -> str:
        """Say a text, with numbers as the language writes them."""
        said = {
            name: write_number(value, self.marks) if isinstance(value, int | float) else value
            for name, value in values.items()
        }
        return self.texts[key].format(**said)

    def say_problem(self, error: ConfideError) -> str:
        """Say that something cannot be shown, and why."""
        return f"{self.texts['problem']} {error}"

    def name(self, field: Field) -> str:
        """A question as people read it."""
        return self.wording.text(self.survey.design.position(field.name))

    def context(self, field: Field) -> str:
        """What stands over a box to tick, or a row of a table, on the page; else nothing."""
        for place, section in enumerate(self.survey.page.section):
            if field.name in section["questions"] and section.get("look", "list") != "list":
                said = self.wording.section(place)
                return said["title"] or said["text"]
        return ""

    def unit(self, field: Field) -> str:
        """A number's unit."""
        return self.wording.unit(self.survey.design.position(field.name))

    def answer(self, field: Field, label: str) -> str:
        """An answer as people read it, from the design's name for it."""
        if field.finite:
            labels = [str(each) for each in field.question.labels]
            return self.wording.labels(self.survey.design.position(field.name))[labels.index(label)]
        if found := _RANGE.fullmatch(label):
            low, high = (write_number(float(end), self.marks) for end in found.groups())
            return self.say("range", low=low, high=high)
        if found := _OUTSIDE.fullmatch(label):
            number = write_number(float(found[2]), self.marks)
            return self.say(found[1], number=number)
        return label

    def percent(self, share: float | None, digits: int = 0) -> str:
        """A share in percent; what is not known is a dash, and nothing is below 0 by rounding."""
        if share is None:
            return self.texts["none_known"]
        return f"{self.decimal(100 * share, digits)} %"

    def decimal(self, number: float, digits: int) -> str:
        """A number with so many decimals, the same on every processor."""
        rounded = round(round(number, 12), digits)
        written = f"{abs(rounded):.{digits}f}".replace(".", self.marks["decimal_mark"])
        return f"-{written}" if rounded < 0 else written

    def span(self, row: Json, digits: int = 0) -> str:
        """The interval of a share in percent; a dash where none is known."""
        if row["low"] is None:
            return self.texts["none_known"]
        low, high = (self.decimal(100 * row[end], digits) for end in ("low", "high"))
        return f"{self.say('range', low=low, high=high)} %"

    def amount(self, found: Json, unit: str) -> str:
        """A mean or a quantile, with its interval where that is known."""
        digits = count_decimals([found], 1.0)
        value = f"{self.decimal(found['share'], digits)} {unit}".strip()
        if found["low"] is None:
            return value
        low, high = (self.decimal(found[end], digits) for end in ("low", "high"))
        return f"{value} ({self.say('range', low=low, high=high)})"


def count_decimals(rows: list[Json], scale: float = 100.0) -> int:
    """With how many decimals estimates are written: one figure of their narrowest interval.

    >>> count_decimals([{"low": 0.2, "high": 0.3}]), count_decimals([{"low": 0.2, "high": 0.201}])
    (0, 2)
    """
    reach = [scale * (row["high"] - row["low"]) / 2 for row in rows if row["low"] is not None]
    widths = [width for width in reach if width > 0]
    if not widths:
        return 1
    return min(max(0, -floor(log10(min(widths)))), _MOST_DECIMALS)
