"""Questions answered by a number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import floor, log10
from numbers import Real
from typing import ClassVar

import numpy as np

from confide.arrays import Array
from confide.design.question import Option, Question, as_whole, check_line, drop_defaults
from confide.errors import DesignError, QueryError
from confide.files import Json
from confide.mechanisms import Grid
from confide.mechanisms.grid import write_apart
from confide.mechanisms.number_mechanism import LARGEST_NUMBER, read_finite

_FINEST_GRID = 100


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
        The distance between possible numbers; left out, any number in the range is possible. Give
        it where numbers are whole or rounded: saved `Counts` without it take each for the middle
        of one of a hundred intervals.
    missing : str, optional
        The yes-no question of the same design that tells whether the number is missing: people may
        prefer not to say it. That question is not asked but follows from whether there is a number,
        and in the place of a missing number the middle of the range is disguised. All that a crowd
        says of the number is about people who gave it. Left out, every answer must be given.

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
    missing: str | None = None
    kind: ClassVar[str] = "number"
    summary: ClassVar[str] = "Answered by a number within a range."
    needed_keys: ClassVar[Json] = {
        "name": {"$ref": "#/$defs/name"},
        "low": {"description": "The smallest possible number.", "$ref": "#/$defs/finite"},
        "high": {"description": "The largest possible number.", "$ref": "#/$defs/finite"},
    }
    optional_keys: ClassVar[Json] = {
        "text": {"$ref": "#/$defs/text"},
        "unit": {"description": "Such as years.", "type": "string"},
        "step": {
            "description": (
                "The distance between possible numbers. "
                "Left out, any number in the range is possible."
            ),
            "$ref": "#/$defs/positive",
        },
        "missing": {
            "description": (
                "The yes-no question that tells whether the number is missing, disguised whenever "
                "the number is: people may prefer not to say it. "
                "Left out, every answer must be given."
            ),
            "$ref": "#/$defs/line",
        },
    }

    def __post_init__(self) -> None:
        self._check_words()
        self._read_field("low", self.low)
        self._read_field("high", self.high)
        if self.step is not None:
            self._read_field("step", self.step)
        if self.missing is not None:
            check_line(self.missing, f"missing of question {self.name!r}")
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

    def _read_field(self, field: str, value: float) -> None:
        number = read_finite(value, f"{field} of question {self.name!r}")
        object.__setattr__(self, field, as_whole(number))

    def parameters(self) -> Json:
        optional = {
            "text": (self.text, ""),
            "unit": (self.unit, ""),
            "step": (self.step, None),
            "missing": (self.missing, None),
        }
        return {"name": self.name, "low": self.low, "high": self.high} | drop_defaults(optional)

    @property
    def ordered(self) -> bool:
        return True

    @cached_property
    def stand_in(self) -> float:
        """The number that is disguised where one is missing: the middle of the range, on its step.

        From there the noise need not reach further than half the range to hide the difference.

        >>> Number("income", 0, 5, step=1).stand_in, Number("share", 0, 1).stand_in
        (2, 0.5)
        """
        if self.step is None:
            return (self.low + self.high) / 2
        steps = round((self.high - self.low) / self.step) // 2
        decimals = max(0, -floor(log10(self.step))) + 6
        middle = round(self.low + steps * self.step, decimals)  # without what floating point adds
        return int(middle) if middle == int(middle) else middle

    @cached_property
    def grid(self) -> Grid:
        """The intervals in which true numbers are told apart: at most a hundred."""
        if self.step is None:
            return Grid.equal(self.low, self.high, _FINEST_GRID)
        return self.cut_at_steps(self.step, _FINEST_GRID)

    def cut_at_steps(self, step: float, most: int) -> Grid:
        """Cut the range into at most so many intervals, each of as many steps.

        A step's number sits in the middle of it.
        """
        points = round((self.high - self.low) / step) + 1
        each = -(-points // most)
        cells = -(-points // each)
        start = self.low - step / 2
        return Grid.equal(start, start + cells * each * step, cells)

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
        held = zip(lows, highs, strict=True)
        ends = [low if high - low < most else high for low, high in held]
        written = write_apart([*lows, *ends], 10, self.step)
        pairs = zip(written, written[len(lows) :], strict=False)
        return tuple(low if low == end else f"{low} to {end}" for low, end in pairs)

    def code(self, value: object, grid: Grid | None = None) -> int:
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
        number = _read_number(value)
        if not self.low <= number <= self.high:
            raise QueryError(
                f"{self.name} is a number between {self.low:g} and {self.high:g}. Got {value!r}."
            )
        if not self.on_step(number):
            raise QueryError(
                f"{self.name} goes from {self.low:g} in steps of {self.step:g}. Got {number:g}."
            )
        code = int(grid.code(np.array([number]))[0])
        last = min(grid.array[code + 1], self.high + (self.step or 0) / 2)
        if self.step is None or last - grid.array[code] > 1.5 * self.step:
            raise QueryError(
                f"{self.name} is told apart only in intervals, and {value!r} shares "
                f"{labels[code]!r} with other numbers. Ask for that interval by its name; the "
                f"distribution of {self.name} lists them."
            )
        return code

    def on_step(self, value: float) -> bool:
        """Whether a number lies on a step; without steps every one does."""
        steps = 0.0 if self.step is None else (value - self.low) / self.step
        return abs(steps - round(steps)) <= 1e-6

    @property
    def exact(self) -> bool:
        """Whether every possible number has an interval of its own."""
        return (
            self.step is not None
            and self.step * self.size >= self.high - self.low + 0.5 * self.step
        )


def _read_number(value: object) -> float:
    """A number as reports may have it, also written out; what is none is NaN."""
    try:
        return float(value) if isinstance(value, Real | str) else float("nan")
    except ValueError:
        return float("nan")
