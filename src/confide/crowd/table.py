"""A cross table of estimates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product

import pyarrow as pa

from confide.arrays import Array
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import Estimate
from confide.design import Design, Number
from confide.design.questions import Option
from confide.mechanisms import Grid


@dataclass(frozen=True, eq=False)
class Table(ArrowRows):
    """The estimated share of every combination of some questions' values.

    It is tidy: one row per combination. Every library that reads Arrow takes it as it is
    (``polars.DataFrame(table)``, ``table.to_pandas()``); `values` and `standard_errors` are the
    same as arrays with one axis per question.

    Parameters
    ----------
    design : Design
        The questions' design.
    questions : tuple of str
        The axes.
    values, standard_errors : arrays
        The estimated shares and their standard errors.
    n : int
        The number of reports.
    method : str
        "inverse" or "likelihood".
    grids : mapping
        The intervals of the numbers that were merged into fewer than the design's.
    """

    design: Design
    questions: tuple[str, ...]
    values: Array
    standard_errors: Array
    n: int
    method: str
    grids: Mapping[str, Grid] = field(default_factory=dict)

    def __getitem__(self, where: Mapping[str, object]) -> Estimate:
        """The estimate of one cell, such as ``table[{"cheated": "yes", "faculty": "law"}]``."""
        cell = tuple(self._code(name, where[name]) for name in self.questions)
        return Estimate(float(self.values[cell]), float(self.standard_errors[cell]), self.n)

    def _code(self, name: str, value: object) -> int:
        question = self.design.question(name)
        if isinstance(question, Number):
            return question.code(value, self.grids.get(name))
        return question.code(value)

    @property
    def estimates(self) -> list[Estimate]:
        """The estimates, row by row."""
        pairs = zip(self.values.ravel(), self.standard_errors.ravel(), strict=True)
        return [Estimate(float(value), float(error), self.n) for value, error in pairs]

    def rows(self) -> Iterator[tuple[*tuple[Option, ...], Estimate]]:
        """Every combination of values with its `Estimate`."""
        values = [self._values(name) for name in self.questions]
        for combination, estimate in zip(product(*values), self.estimates, strict=True):
            yield (*combination, estimate)

    def _values(self, name: str) -> tuple[Option, ...]:
        """A question's values, or the names of the intervals that a number was merged into."""
        question = self.design.question(name)
        if isinstance(question, Number) and name in self.grids:
            return question.interval_labels(self.grids[name])
        return question.values

    def to_arrow(self) -> pa.Table:
        """The table as Arrow, with the ends of the 95 % interval.

        Beside a question of the same name, such as share, a column of numbers is called ``share_``.
        """
        rows = list(self.rows())
        intervals = [estimate.interval() for estimate in self.estimates]
        columns = {
            "share": self.values.ravel(),
            "standard_error": self.standard_errors.ravel(),
            "low": [low for low, _ in intervals],
            "high": [high for _, high in intervals],
        }
        answers = {name: [row[i] for row in rows] for i, name in enumerate(self.questions)}
        numbers = {f"{name}_" if name in answers else name: c for name, c in columns.items()}
        return pa.table({**answers, **numbers})

    def __len__(self) -> int:
        return int(self.values.size)

    def __repr__(self) -> str:
        rows = [[*map(str, self.questions), "share"]]
        rows += [[str(cell) for cell in row] for row in self.rows()]
        shown = rows[:41]
        widths = [max(len(row[i]) for row in shown) for i in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in shown
        ]
        more = [f"… {len(rows) - 41:,} more rows"] if len(rows) > 41 else []
        return "\n".join(line.rstrip() for line in [*lines, *more])
