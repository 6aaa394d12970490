"""A question as the respondent's page asks it and a report carries it: always a whole number."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, floor, log10
from typing import Any

import numpy as np
import pyarrow as pa

from confide.arrays import Array, Codes
from confide.design import Block, Finite, Number, Question
from confide.errors import AnswersError, DesignError, QueryError
from confide.surveys.sampler import SymmetricNoise

_MOST_CODES = 2**32  # a store keeps a code in four bytes
_MOST_OPTIONS = 1000  # the page holds a table of options by options
_NARROWEST = 1e-200
_HAIR = 1e-9  # of a step, by which floating point may miss it
_FINEST = 10**6  # a number without a step is told to about a millionth of its range


@dataclass(frozen=True, eq=False)
class Field:
    """One question and the codes that stand for its reports.

    A report's code is an option's number; for a number how many steps it lies above the lowest
    that can be reported, which with noise is below the lowest that can be answered; for a number
    told by its interval the interval's number. All codes of a field are written with the same
    number of digits, so that no length tells an answer.

    Parameters
    ----------
    question : Finite or Number
        What is asked.
    block : Block
        The block it is disguised in.
    """

    question: Question
    block: Block

    def __post_init__(self) -> None:
        mechanism = self.block.mechanism
        if mechanism is not None:
            mechanism.noise_weights(self.question)  # refuses noise on a number without a step
        if self.finite:
            if mechanism is not None and mechanism.report_values(self.question) is not None:
                raise DesignError(
                    f"reports of {self.name} by {mechanism.name} are none of its options; such a "
                    "question is not asked on the web yet."
                )
            if self.disguised and self.size > _MOST_OPTIONS:
                raise DesignError(
                    f"{self.name} has {self.size:,} options; a browser draws among at most "
                    f"{_MOST_OPTIONS:,}. Ask for fewer, or ask it in the clear."
                )
        elif self.edges is None and self.number.high - self.number.low < _NARROWEST:
            raise DesignError(
                f"the range of {self.name} is too narrow to be sent. Use other units."
            )
        elif self.size > _MOST_CODES:
            raise DesignError(
                f"{self.name} has {self.size:,} possible numbers; a report can tell at most "
                f"{_MOST_CODES:,} apart. Use a larger step, or none."
            )

    @property
    def name(self) -> str:
        """The question's name."""
        return self.question.name

    @property
    def options(self) -> Finite:
        """The question, if it has options."""
        assert isinstance(self.question, Finite)
        return self.question

    @property
    def number(self) -> Number:
        """The question, if it asks for a number."""
        assert isinstance(self.question, Number)
        return self.question

    @property
    def finite(self) -> bool:
        """Whether it has options rather than a range."""
        return isinstance(self.question, Finite)

    @property
    def disguised(self) -> bool:
        """Whether chance has a part in the report."""
        return self.block.mechanism is not None and self.block.mechanism.by_chance

    @cached_property
    def noise(self) -> SymmetricNoise | None:
        """The integer weights of a number's noise, as the sampler reads them; None for all else."""
        mechanism = self.block.mechanism
        table = None if mechanism is None else mechanism.noise_weights(self.question)
        if table is None:
            return None
        middle = len(table["offsets"]) // 2  # the noise is the same either way: half is enough
        return {
            "noise": table["offsets"][middle:],
            "beyond": -table["lowest"],
            "points": table["highest"] + table["lowest"] + 1,
        }

    @cached_property
    def edges(self) -> tuple[float, ...] | None:
        """The edges of the intervals by which a number is reported; None for all else."""
        mechanism = self.block.mechanism
        return None if mechanism is None else mechanism.interval_edges

    @cached_property
    def ranges(self) -> tuple[tuple[float, float], ...]:
        """The lowest and the highest number that can be answered in each of these intervals.

        >>> import confide as cf
        >>> from confide.surveys.questionnaire import Questionnaire
        >>> group = cf.Group(["age"], cf.Intervals([-0.5, 29.5, 90.5]))
        >>> Questionnaire(cf.Design([cf.Number("age", 0, 90, step=1)], [group])).fields[0].ranges
        ((0.0, 29.0), (30.0, 90.0))
        """
        pairs = pairwise(self.edges or ())
        if self.number.step is None:
            return tuple(pairs)
        low, step = self.number.low, float(self.number.step)
        firsts = [[ceil((edge - low) / step - _HAIR) for edge in pair] for pair in pairs]
        return tuple((low + first * step, low + (beyond - 1) * step) for first, beyond in firsts)

    @cached_property
    def step(self) -> float:
        """The distance between two numbers that a report can tell apart."""
        if self.number.step is not None:
            return float(self.number.step)
        return float(10.0 ** floor(log10((self.number.high - self.number.low) / _FINEST)))

    @cached_property
    def beyond(self) -> int:
        """How many steps the lowest number reported is below the lowest that can be answered."""
        return self.noise["beyond"] if self.noise else 0

    @cached_property
    def size(self) -> int:
        """How many different reports there are."""
        if self.finite:
            return self.question.size
        if self.edges is not None:
            return len(self.edges) - 1
        highest = floor((self.number.high - self.number.low) / self.step + 0.5)
        return highest + 1 + 2 * self.beyond

    @cached_property
    def digits(self) -> int:
        """With how many digits a code is written."""
        return len(str(self.size - 1))

    @property
    def dtype(self) -> str:
        """The numpy type in which a store keeps a code."""
        return "u1" if self.size <= 1 << 8 else "<u2" if self.size <= 1 << 16 else "<u4"

    def read(self, answer: Any) -> float:
        """The true answer in words as the page holds it; one that does not fit is never shown."""
        try:
            return self.question.code(answer) if self.finite else float(answer)
        except (QueryError, TypeError, ValueError):
            allowed = self.options.allowed if self.finite else "a number"
            raise AnswersError(f"{self.name} must be answered by {allowed}.") from None

    def code(self, answer: float) -> int:
        """The code of a true answer as the page holds it: an option's number, or a number.

        That of a number that noise will be added to counts its steps above the lowest answer.
        """
        if self.finite:
            if answer not in range(self.size):
                raise AnswersError(f"{self.name} has {self.size} options.")
            return int(answer)
        low, high = self.number.low, self.number.high
        if not low <= answer <= high:
            raise AnswersError(f"{self.name} lies between {low:g} and {high:g}.")
        if self.edges is not None:
            return sum(answer >= edge for edge in self.edges[1:-1])
        return floor((answer - low) / self.step + 0.5)

    def to_counted_codes(self, codes: Codes) -> Codes:
        """Codes of records as those in which reports are counted: a number's are intervals."""
        grid = self.block.report_grid()
        return codes if grid is None else grid.code(self._numbers(codes))

    def column(self, codes: Codes) -> pa.Array:
        """Codes as the values that analysts read: labels, or numbers."""
        if self.finite:
            indices = pa.array(codes.astype(np.int32))
            return pa.DictionaryArray.from_arrays(indices, pa.array(self.question.labels))
        return pa.array(self._numbers(codes))

    def _numbers(self, codes: Codes) -> Array:
        if self.edges is not None:
            edges = np.array(self.edges)
            return np.asarray(((edges[:-1] + edges[1:]) / 2)[codes])
        decimals = max(0, -floor(log10(self.step))) + 6
        steps = codes.astype(np.int64) - self.beyond
        numbers = np.round(self.number.low + steps * self.step, decimals)
        return np.minimum(numbers, self.number.high + self.beyond * self.step)

    def label(self, code: int) -> str:
        """A code as people read it."""
        if self.finite:
            return self.question.labels[code]
        if self.edges is not None:
            return " – ".join(dict.fromkeys(f"{end:.10g}" for end in self.ranges[code]))
        return f"{self._numbers(np.array([code]))[0]:.10g}"
