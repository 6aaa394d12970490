"""What can be asked."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Any, ClassVar, Literal

import numpy as np

from confide.arrays import Array
from confide.errors import DesignError, QueryError, show
from confide.formats import PREFER_NOT
from confide.mechanisms import Grid
from confide.mechanisms.number_mechanism import LARGEST_NUMBER, is_number, read_finite

Missing = Literal["error", "option"]
Option = str | int

_FINEST_GRID = 100
_NOT_TEXT = re.compile("[\ud800-\udfff]")  # halves of characters, which no file can hold
_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def check_text(value: Any, what: str) -> None:
    """Refuse what is not a text."""
    if not isinstance(value, str) or _NOT_TEXT.search(value):
        raise DesignError(f"{what} must be a text. Got {show(value)}.")


def check_line(value: Any, what: str) -> None:
    """Refuse what cannot be a heading or a label: it would break tables and terminals."""
    check_text(value, what)
    if not value.strip() or _NOT_IN_A_LINE.search(value):
        raise DesignError(
            f"{what} must be a word or words on one line, without control characters. "
            f"Got {show(value)}."
        )


def whole(value: Any) -> Any:
    """Give a whole number as the integer it is, so that equal designs are written alike.

    >>> whole(16.0), whole(0.5), whole("16")
    (16, 0.5, '16')
    """
    if not is_number(value) or not abs(value) <= LARGEST_NUMBER:
        return value
    return int(value) if value == int(value) else float(value)


def _number(value: Any) -> float:
    """A number as reports may have it, also written out; what is none is NaN."""
    try:
        return float(value) if isinstance(value, Real | str) else float("nan")
    except ValueError:
        return float("nan")


@dataclass(frozen=True)
class Question(ABC):
    """One thing asked: what every kind of question states about itself.

    Its true values are told apart by codes 0 … size − 1: options by their number, numbers by that
    of their interval.
    """

    name: str
    kind: ClassVar[str]

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
    def may_be_left_out(self) -> bool:
        """Whether "prefer not to say" is one of the options."""
        return False

    @abstractmethod
    def code(self, value: Any) -> int:
        """The code that a value stands for."""

    def _check(self) -> None:
        check_line(self.name, "a question's name")
        check_text(self.text, f"text of question {self.name!r}")
        check_text(self.unit, f"unit of question {self.name!r}")


@dataclass(frozen=True)
class Finite(Question):
    """A question with finitely many options; an option's number is its code."""

    _spellings: ClassVar[dict[str, int]] = {}
    """Texts that stand for an option beside its own."""

    @property
    def options(self) -> tuple[Option, ...]:
        """The options, in the order of their codes."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """How many options there are."""
        return len(self.options)

    @property
    def labels(self) -> tuple[str, ...]:
        """The options as people read them."""
        return tuple(map(str, self.options))

    @property
    def values(self) -> tuple[Option, ...]:
        """The options."""
        return self.options

    @property
    def numbers(self) -> Array:
        """The options' codes."""
        return np.arange(self.size, dtype=float)

    @property
    def may_be_left_out(self) -> bool:
        return self.options[-1] == PREFER_NOT

    @property
    def allowed(self) -> str:
        """The values that stand for an option, as an error lists them."""
        return ", ".join(self.labels[:20]) + (", …" if self.size > 20 else "")

    @cached_property
    def words(self) -> dict[str, int]:
        """Every text that stands for an option, with its code; whole numbers may be written 1.0."""
        words = {label: code for code, label in enumerate(self.labels)}
        words |= {f"{o}.0": code for code, o in enumerate(self.options) if isinstance(o, int)}
        return words | self._spellings

    def code(self, value: Any) -> int:
        """The number of the option that a value stands for: the same in reports and queries."""
        if value in self.options:
            return self.options.index(value)
        whole = isinstance(value, float | np.floating) and float(value).is_integer()
        word = str(int(value)) if whole else str(value)
        if value is None or word not in self.words:
            raise QueryError(
                f"{self.name} has no option {value!r}. Its options are {', '.join(self.labels)}."
            )
        return self.words[word]

    def _check_missing(self, missing: Missing) -> None:
        if missing not in ("error", "option"):
            raise DesignError(
                f'missing of question {self.name!r} must be "error" or "option". '
                f"Got {show(missing)}."
            )


@dataclass(frozen=True)
class YesNo(Finite):
    """A question answered by yes or no.

    Parameters
    ----------
    name : str
        A short name, used as the column's.
    text : str
        The question as people read it.
    missing : {"error", "option"}
        With "option", "prefer not to say" is one more option, disguised like the rest; where a
        personal or forced distribution leaves it out, a report of it is true for certain.

    Examples
    --------
    >>> YesNo("cheated", "Have you ever cheated in an exam?").options
    ('no', 'yes')
    """

    text: str = ""
    missing: Missing = "error"
    kind: ClassVar[str] = "yes-no"

    def __post_init__(self) -> None:
        self._check()
        self._check_missing(self.missing)

    @property
    def options(self) -> tuple[Option, ...]:
        return ("no", "yes", PREFER_NOT) if self.missing == "option" else ("no", "yes")

    @property
    def allowed(self) -> str:
        return "yes/no, 1/0 and true/false"

    _spellings: ClassVar[dict[str, int]] = {
        "false": 0, "true": 1, "0": 0, "1": 1, "0.0": 0, "1.0": 1,
    }  # fmt: skip

    def code(self, value: Any) -> int:
        if isinstance(value, str):
            value = value.lower()
        return int(value) if value in (0, 1) else super().code(value)


@dataclass(frozen=True)
class Choice(Finite):
    """A question with one answer out of several options.

    Parameters
    ----------
    name : str
        A short name, used as the column's.
    choices : sequence of str, or of int
        At least two different options.
    text : str
        The question as people read it.
    ordered : bool
        Whether the options rise in a natural order.
    missing : {"error", "option"}
        With "option", "prefer not to say" is one more option, disguised like the rest; where a
        personal or forced distribution leaves it out, a report of it is true for certain.

    Examples
    --------
    >>> Choice("faculty", ["arts", "law", "science"]).options
    ('arts', 'law', 'science')
    """

    choices: Sequence[Option]
    text: str = ""
    ordered: bool = False
    missing: Missing = "error"
    kind: ClassVar[str] = "choice"

    def __post_init__(self) -> None:
        self._check()
        self._check_missing(self.missing)
        where = f"options of question {self.name!r}"
        if isinstance(self.choices, str) or not isinstance(self.choices, Sequence | range):
            raise DesignError(f'{where} must be a list such as ["arts", "law"].')
        given = tuple(map(whole, self.choices))
        numbers = all(type(o) is int and abs(o) <= LARGEST_NUMBER for o in given)
        if not numbers and not all(isinstance(o, str) for o in given):
            raise DesignError(f"{where} must be all texts or all whole numbers up to 2^53.")
        if len(set(given)) < len(given):
            raise DesignError(f"{where} must differ from each other. Got {show(list(given))}.")
        if len(given) < 2:
            raise DesignError(f"{where} must be at least two. Got {len(given)}.")
        for option in given:
            if option == PREFER_NOT:
                raise DesignError(f'{where}: write missing = "option" for {PREFER_NOT!r}.')
            if isinstance(option, str):
                check_line(option, f"each of the {where}")
        if type(self.ordered) is not bool:
            raise DesignError(
                f"ordered of question {self.name!r} must be true or false. "
                f"Got {show(self.ordered)}."
            )
        object.__setattr__(self, "choices", given)

    @property
    def options(self) -> tuple[Option, ...]:
        given = tuple(self.choices)
        return (*given, PREFER_NOT) if self.missing == "option" else given


@dataclass(frozen=True)
class Number(Question):
    """A question answered by a number.

    Parameters
    ----------
    name : str
        A short name, used as the column's.
    low, high : float
        The smallest and the largest possible number.
    text : str
        The question as people read it.
    unit : str
        Such as "years".
    step : float, optional
        The distance between possible numbers; left out, any number in the range is possible.

    Examples
    --------
    >>> Number("age", 16, 80, step=1).labels[:2]
    ('16', '17')
    >>> Number("income", 0, 9_990, step=10).labels[:2]
    ('0 to 90', '100 to 190')
    """

    low: float
    high: float
    text: str = ""
    unit: str = ""
    step: float | None = None
    kind: ClassVar[str] = "number"

    def __post_init__(self) -> None:
        self._check()
        for field in ("low", "high", "step"):
            value = getattr(self, field)
            if value is not None or field != "step":
                number = read_finite(value, f"{field} of question {self.name!r}")
                object.__setattr__(self, field, whole(number))
        if self.low >= self.high:
            raise DesignError(
                f"low of question {self.name!r} must be below high. Got {self.low} and {self.high}."
            )
        if self.step is not None:
            steps = (self.high - self.low) / self.step if self.step > 0 else 0.0
            if not 1 <= steps <= LARGEST_NUMBER or abs(steps - round(steps)) > 1e-9 * steps:
                raise DesignError(
                    f"step of question {self.name!r} must be positive and divide the range "
                    f"{self.low} to {self.high}. Got {self.step}."
                )
        if not (self.grid.array[1:] > self.grid.array[:-1]).all():
            raise DesignError(
                f"the range of question {self.name!r}, {self.low} to {self.high}, is too narrow "
                "to be told apart in a computer's numbers. Use another unit."
            )

    @cached_property
    def grid(self) -> Grid:
        """The intervals in which true numbers are told apart: at most a hundred.

        With a step each possible number sits in the middle of its own step.
        """
        if self.step is None:
            return Grid.equal(self.low, self.high, _FINEST_GRID)
        points = round((self.high - self.low) / self.step) + 1
        each = -(-points // _FINEST_GRID)
        cells = -(-points // each)
        start = self.low - self.step / 2
        return Grid.equal(start, start + cells * each * self.step, cells)

    @property
    def size(self) -> int:
        """How many intervals are told apart."""
        return self.grid.size

    @property
    def labels(self) -> tuple[str, ...]:
        """The intervals as people read them."""
        return self.interval_labels(self.grid)

    @property
    def values(self) -> tuple[Option, ...]:
        """The intervals as people read them."""
        return self.labels

    @property
    def numbers(self) -> Array:
        """The middles of the intervals."""
        return self.grid.middles

    def interval_labels(self, grid: Grid) -> tuple[str, ...]:
        """Some intervals as people read them: with a step by the numbers that they hold."""
        if self.step is None:
            return grid.labels
        lows = (grid.array[:-1] + self.step / 2).tolist()
        highs = (grid.array[1:] - self.step / 2).clip(max=self.high).tolist()
        most = self.step / 4  # what rounding could make of one number
        return tuple(
            f"{low:.10g}" if high - low < most else f"{low:.10g} to {high:.10g}"
            for low, high in zip(lows, highs, strict=True)
        )

    def code(self, value: Any, grid: Grid | None = None) -> int:
        """The interval that a value names: by its label, or by the only number that it holds.

        Parameters
        ----------
        value : float or str
            A number, read as in reports, or an interval's label.
        grid : Grid, optional
            The intervals; left out, the question's own.
        """
        grid = grid or self.grid
        labels = self.interval_labels(grid)
        if labels.count(value) == 1:
            return labels.index(value)
        number = _number(value)
        if not self.low <= number <= self.high:
            raise QueryError(
                f"{self.name} is a number between {self.low:g} and {self.high:g}. Got {value!r}."
            )
        self._check_step(number)
        code = int(grid.code(np.array([number]))[0])
        last = min(grid.array[code + 1], self.high + (self.step or 0) / 2)
        if self.step is None or last - grid.array[code] > 1.5 * self.step:
            raise QueryError(
                f"{self.name} is told apart only in intervals, and {value!r} shares "
                f"{labels[code]!r} with other numbers. Ask for that interval by its name, or for "
                f"distribution({self.name!r}), which lists them."
            )
        return code

    def _check_step(self, value: float) -> None:
        if self.step is not None:
            steps = (value - self.low) / self.step
            if abs(steps - round(steps)) > 1e-6:
                raise QueryError(
                    f"{self.name} goes from {self.low:g} in steps of {self.step:g}. Got {value:g}."
                )
