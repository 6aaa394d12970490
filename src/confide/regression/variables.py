"""The columns of a regression: which are disguised, and what each is in a formula.

A yes-no question is 1 for yes and 0 for no, a choice of whole numbers is that number, any other
choice is a factor with its options in the design's order, a number is itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from confide.arrays import Array, Codes
from confide.design import Design
from confide.design.coding import MISSING, UNKNOWN, Column, encode, encode_number, find_absent
from confide.design.questions import Choice, Finite, Number, YesNo
from confide.errors import ReportsError
from confide.extras import PandasFrame, explain_missing
from confide.regression.report_channel import report_channel

_TRUTH_VALUES = {"false": "0", "False": "0", "FALSE": "0", "true": "1", "True": "1", "TRUE": "1"}


@dataclass(frozen=True, eq=False)
class Variables:
    """Columns read for a regression, with a mark on the rows in which one is empty.

    Parameters
    ----------
    design : Design
        What the questions are, and how they are disguised.
    columns : mapping of columns
        The columns, as they were read.
    counts : array
        How many reports each row stands for.
    typed : bool
        Whether the columns have types; a CSV file's are all texts.
    parts : sequence of (Design, int)
        Where the reports were made under several designs: each with its number of rows, in order.
    """

    design: Design
    columns: Mapping[str, Column]
    counts: Array
    typed: bool = True
    parts: Sequence[tuple[Design, int]] = ()
    _codes: dict[str, Codes] = field(default_factory=dict)

    def codes(self, name: str) -> Codes:
        """The option numbers of a question; `MISSING` where there is none."""
        if name not in self._codes:
            question = self.design.reported(name)
            codes = encode(question, self.columns[name]).codes.astype(np.int64)
            if (unknown := codes == UNKNOWN).any():
                raise ReportsError(
                    f"column {name!r} holds none of its options {self.say_rows(unknown)}. "
                    f"Allowed are {question.allowed}."
                )
            self._codes[name] = codes
        return self._codes[name]

    def numbers(self, name: str) -> Array:
        """A column of numbers; NaN where it is empty, or is no question and holds none."""
        values = encode_number(self.columns[name]).astype(float)
        question = self.design.question(name) if name in self.design.names else None
        if isinstance(question, Number):
            unfit, allowed = ~np.isfinite(values) & ~find_absent(self.columns[name]), ""
            if not self.is_disguised(name):
                unfit |= (values < question.low) | (values > question.high)
                allowed = f" from {question.low:g} to {question.high:g}"
            if unfit.any():
                raise ReportsError(
                    f"column {name!r} holds no number{allowed} {self.say_rows(unfit)}."
                )
        return values

    @property
    def designs(self) -> list[Design]:
        """The designs under which the reports were made."""
        return [design for design, _ in self.parts] or [self.design]

    def is_disguised(self, name: str) -> bool:
        """Whether a question is disguised in any of the designs."""
        return any(design.block(name).mechanism is not None for design in self.designs)

    def channel(self, hidden: Sequence[str], keep: Codes) -> Array:
        """M[report, truth] of the rows to keep, each by its own design."""
        return self._lay_channels(hidden, keep, {name: self.codes(name) for name in hidden})

    def every_channel(self, hidden: Sequence[str], keep: Codes) -> Iterator[Array]:
        """M[report, truth] of the rows to keep, were it each report that could have come in."""
        sizes = [self.design.reported(name).size for name in hidden]
        for report in np.ndindex(*sizes):
            said = {
                name: np.full(len(self.counts), code)
                for name, code in zip(hidden, report, strict=True)
            }
            yield self._lay_channels(hidden, keep, said)

    def _lay_channels(
        self, hidden: Sequence[str], keep: Codes, codes: Mapping[str, Codes]
    ) -> Array:
        parts = self.parts or [(self.design, len(self.counts))]
        ends = np.cumsum([rows for _, rows in parts])
        found = []
        for (design, rows), end in zip(parts, ends.tolist(), strict=True):
            here = slice(end - rows, end)
            own = {name: codes[name][here][keep[here]] for name in hidden}
            found.append(report_channel(design, own, int(keep[here].sum())))
        return np.concatenate(found)

    def say_rows(self, rows: Codes) -> str:
        """How many reports some rows stand for, as a message says it."""
        return f"in {self.counts[rows].sum():,.0f} of {self.counts.sum():,.0f} reports"

    def empty(self, name: str) -> Codes:
        """The rows in which a column is empty."""
        if name in self.design.names and isinstance(self.design.question(name), Finite):
            return self.codes(name) == MISSING
        if name in self.design.names:
            return np.isnan(self.numbers(name))
        return np.asarray(load_pandas().isna(self._plain(name)))

    def value(self, name: str) -> Any:
        """A column as a formula sees it."""
        question = self.design.question(name) if name in self.design.names else None
        if isinstance(question, Finite):
            # reports may have more values than answers; what they tell is up to the channel
            return self._options(question, np.minimum(self.codes(name), question.size - 1))
        return self.numbers(name) if question else self._plain(name)

    def _options(self, question: Finite, codes: Codes) -> Any:
        if is_numeric(question):
            return option_numbers(question)[codes]
        if self.is_disguised(question.name):
            return factor(question, codes)
        there = np.unique(codes[codes >= 0])  # an option that nobody chose has no coefficient
        place = np.full(question.size + 2, -1)
        place[there] = np.arange(len(there))
        labels = [question.labels[code] for code in there]
        return load_pandas().Categorical.from_codes(place[codes], labels)

    def _plain(self, name: str) -> Any:
        """A column that is no question: numbers as they are, texts as a factor.

        In a file without types, texts that are all numbers, or all truth values, are numbers.
        """
        pandas = load_pandas()
        column = self.columns[name]
        values = column.to_pandas() if isinstance(column, pa.ChunkedArray | pa.Array) else column
        series = pandas.Series(values)
        if not self.typed:
            numbers = pandas.to_numeric(series.replace(_TRUTH_VALUES), errors="coerce")
            if not (numbers.isna() & series.notna() & (series != "")).any():
                return numbers.to_numpy()
        plain = series.to_numpy()
        return plain if plain.dtype.kind in "biufmM" else pandas.Categorical(plain)

    def frame(self, names: Sequence[str], keep: Codes) -> PandasFrame:
        """Some columns as a formula sees them, in the rows to keep."""
        pandas = load_pandas()
        values = {name: self.value(name)[keep] for name in names}
        return pandas.DataFrame(values, index=range(int(keep.sum())))


def is_numeric(question: Finite) -> bool:
    """Whether a formula sees the options as numbers: yes and no, or whole numbers."""
    if isinstance(question, YesNo):
        return question.size == 2
    return all(isinstance(option, int) for option in question.options)


def option_numbers(question: Finite) -> Array:
    """The number of each option: 0 and 1 for no and yes, a whole number for itself."""
    if isinstance(question, Choice):
        return np.array(question.options, dtype=float)
    return np.arange(question.size, dtype=float)


def factor(question: Finite, codes: Codes) -> Any:
    """Options as a factor that has them all."""
    return load_pandas().Categorical.from_codes(codes, list(question.labels))


def number_groups(values: Any) -> Codes:
    """Number the groups that a column names: 0, 1, 2, … in their order."""
    return np.unique(np.asarray(values), return_inverse=True)[1]


def load_pandas() -> Any:
    """Pandas, or one line that says how to get it."""
    with explain_missing("confide[regression]", "a regression"):
        import pandas
    return pandas
