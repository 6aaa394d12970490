"""What every kind of question states about itself."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from confide.arrays import Array
from confide.errors import DesignError, show
from confide.files import Json
from confide.mechanisms import Grid
from confide.mechanisms.number_mechanism import LARGEST_NUMBER, is_number

Option = str | int

_NOT_TEXT = re.compile("[\ud800-\udfff]")  # halves of characters, which no file can hold
_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def check_text(value: object, what: str) -> str:
    """Give a text back; refuse what is not a text."""
    if not isinstance(value, str) or _NOT_TEXT.search(value):
        raise DesignError(f"{what} must be a text. Got {show(value)}.")
    return value


def check_line(value: object, what: str) -> None:
    """Refuse what cannot be a heading or a label: it would break tables and terminals."""
    line = check_text(value, what)
    if not line.strip() or _NOT_IN_A_LINE.search(line):
        raise DesignError(
            f"{what} must be a word or words on one line, without control characters. "
            f"Got {show(value)}."
        )


def as_whole(value: object) -> object:
    """Give a whole number as the integer it is, so that equal designs are written alike.

    >>> as_whole(16.0), as_whole(0.5), as_whole("16")
    (16, 0.5, '16')
    """
    if not is_number(value) or not abs(value) <= LARGEST_NUMBER:
        return value
    return int(value) if value == int(value) else float(value)


@dataclass(frozen=True)
class Question(ABC):
    """One thing asked: what every kind of question states about itself.

    Its true values are told apart by codes 0 … size − 1: options by their number, numbers by that
    of their interval.
    """

    name: str
    kind: ClassVar[str]
    """The question's kind in survey files."""
    summary: ClassVar[str]
    """One sentence for editors and for the reference of survey files."""
    needed_keys: ClassVar[Json]
    """The keys that survey files must give for it, each as the files' JSON Schema describes it."""
    optional_keys: ClassVar[Json]
    """The keys that survey files may give for it, described alike."""

    @property
    @abstractmethod
    def text(self) -> str:
        """The question as people read it."""

    @property
    def unit(self) -> str:
        """Such as "years"; nothing where there is none."""
        return ""

    @property
    @abstractmethod
    def size(self) -> int:
        """How many true values are told apart."""

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The true values as people read them."""

    @property
    @abstractmethod
    def values(self) -> tuple[Option, ...]:
        """The true values as a table or a query names them: options, or a number's intervals."""

    @property
    @abstractmethod
    def numbers(self) -> Array:
        """The numbers that stand for the true values: codes, or the middles of intervals."""

    @property
    def grid(self) -> Grid | None:
        """The intervals in which true numbers are told apart; None for options."""
        return None

    @property
    def ordered(self) -> bool:
        """Whether the true values rise in a natural order."""
        return False

    @property
    def may_be_left_out(self) -> bool:
        """Whether "prefer not to say" is one of the options."""
        return False

    @abstractmethod
    def code(self, value: object) -> int:
        """The code that a value stands for."""

    @abstractmethod
    def parameters(self) -> Json:
        """What survey files say of it under its keys, without whatever has its default."""

    @classmethod
    def from_parameters(cls, parameters: Json) -> Self:
        """Read what a survey file says under the question's keys."""
        return cls(**parameters)

    def _check_words(self) -> None:
        check_line(self.name, "a question's name")
        check_text(self.text, f"text of question {self.name!r}")
        check_text(self.unit, f"unit of question {self.name!r}")


def drop_defaults(values: Mapping[str, tuple[object, object]]) -> Json:
    """Of values given with their defaults, those that differ from them.

    >>> drop_defaults({"text": ("", ""), "unit": ("years", "")})
    {'unit': 'years'}
    """
    return {key: value for key, (value, default) in values.items() if value != default}
