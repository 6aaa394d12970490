"""A cross table of estimates."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice, product

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array
from confide.crowd._influence import Influence
from confide.crowd._intervals import TableIntervals
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import Approximation, Estimate
from confide.design import Design, Number
from confide.design.questions import Option
from confide.errors import QueryError
from confide.extras import Altair, explain_missing
from confide.mechanisms import Grid

_SHOWN = 40  # rows
_MOST_COVARIANCES = 1_024  # cells


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
        The number of people it is about: of reports, or of estimated people in a sub-population.
    method : str
        "inverse" or "likelihood".
    grids : mapping
        The intervals of the numbers that were merged into fewer than the design's.
    total : int, optional
        The number of reports behind it, where they are not all about these people.
    intervals : TableIntervals, optional
        How the confidence intervals are made; left out, none is known to cover, and `interval`
        reaches as far as the standard errors tell.
    influence : callable, optional
        Tells how much each report moved the share of a cell, from the codes of its answers.
    """

    design: Design
    questions: tuple[str, ...]
    values: Array
    standard_errors: Array
    n: int
    method: str
    grids: Mapping[str, Grid] = field(default_factory=dict)
    total: int | None = None
    intervals: TableIntervals | None = field(default=None, repr=False)
    influence: Callable[[Mapping[str, int]], Influence] | None = field(default=None, repr=False)

    def __getitem__(self, where: Mapping[str, object]) -> Estimate:
        """The estimate of one cell, such as ``table[{"cheated": "yes", "faculty": "law"}]``."""
        if not isinstance(where, Mapping) or set(where) != set(self.questions):
            raise QueryError(
                f"a cell is named by an answer to each of {', '.join(self.questions)}, such as "
                f'{{"{self.questions[0]}": …}}.'
            )
        cell = tuple(self._code(name, where[name]) for name in self.questions)
        return self._estimate(cell)

    def _estimate(self, cell: tuple[int, ...]) -> Estimate:
        value, error = float(self.values[cell]), float(self.standard_errors[cell])
        how = None if self.intervals is None else self.intervals.at(cell)
        kind = Approximation if how is None else Estimate
        return kind(value, error, self.n, self.total, how, self._source(cell))

    def _source(self, cell: tuple[int, ...]) -> Callable[[], Influence] | None:
        if self.influence is None:
            return None
        return partial(self.influence, dict(zip(self.questions, cell, strict=True)))

    @cached_property
    def covariance(self) -> Array:
        """The covariances of the cells' estimates, in the order of `rows`: a square matrix."""
        if self.influence is None:
            raise QueryError("only a table by the inverse has covariances: method='inverse'.")
        if len(self) > _MOST_COVARIANCES:
            raise QueryError(
                f"a table of {len(self):,} cells has {len(self) ** 2:,} covariances; at most "
                f"{_MOST_COVARIANCES:,} cells are possible. Ask for fewer questions."
            )
        names = self.questions
        cells = [dict(zip(names, cell, strict=True)) for cell in np.ndindex(self.values.shape)]
        moved = [self.influence(codes) for codes in cells]
        return np.array([[one.covariance(other) for other in moved] for one in moved])

    def _code(self, name: str, value: object) -> int:
        question = self.design.question(name)
        if isinstance(question, Number):
            return question.code(value, self.grids.get(name))
        return question.code(value)

    @property
    def estimates(self) -> list[Estimate]:
        """The estimates, row by row."""
        return [self._estimate(cell) for cell in np.ndindex(self.values.shape)]

    def interval(self, level: float = 0.95) -> tuple[Array, Array]:
        """The lower and the upper ends of all cells' intervals, as arrays like `values`."""
        if self.intervals is not None:
            return self.intervals.ends(level)
        ends = [estimate.interval(level) for estimate in self.estimates]
        low, high = np.array(ends).T
        return low.reshape(self.values.shape), high.reshape(self.values.shape)

    def accepts(self, share: float, level: float = 0.95) -> NDArray[np.bool_]:
        """Whether each cell's interval holds a share; quicker than making the intervals."""
        if self.intervals is None:
            low, high = self.interval(level)
            return np.asarray((low <= share) & (share <= high))
        return self.intervals.accept(share, level)

    def rows(self) -> Iterator[tuple[*tuple[Option, ...], Estimate]]:
        """Every combination of values with its `Estimate`."""
        values = [self._values(name) for name in self.questions]
        cells = np.ndindex(self.values.shape)
        for combination, cell in zip(product(*values), cells, strict=True):
            yield (*combination, self._estimate(cell))

    def _values(self, name: str) -> tuple[Option, ...]:
        """A question's values, or the names of the intervals that a number was merged into."""
        question = self.design.question(name)
        if isinstance(question, Number) and name in self.grids:
            return question.interval_labels(self.grids[name])
        return question.values

    def to_arrow(self) -> pa.Table:
        """The table as Arrow, with the ends of the 95 % interval where it is known to cover.

        Beside a question of the same name, such as share, a column of numbers is called ``share_``.
        """
        rows = list(self.rows())
        low, high = (None, None) if self.intervals is None else self.interval()
        empty = pa.nulls(len(self), pa.float64())  # no interval is known to cover
        columns = {
            "share": self.values.ravel(),
            "standard_error": self.standard_errors.ravel(),
            "low": empty if low is None else low.ravel(),
            "high": empty if high is None else high.ravel(),
        }
        answers = {name: [row[i] for row in rows] for i, name in enumerate(self.questions)}
        numbers = {f"{name}_" if name in answers else name: c for name, c in columns.items()}
        return pa.table({**answers, **numbers})

    def _notes(self) -> Iterator[str]:
        return (self._estimate(cell).note for cell in np.ndindex(self.values.shape))

    def plot(self) -> Altair:
        """The shares as points with their 95 % intervals, as an Altair chart.

        The last question's answers go down, those of the others beside them. Where no interval is
        known to cover, lines reach one standard error either way.
        """
        with explain_missing("confide[plot]", "a chart"):
            import altair as alt

        rows = []
        for *answers, share in self.rows():
            low, high = share.known_interval() or (
                share.value - share.standard_error,
                share.value + share.standard_error,
            )
            *others, last = map(str, answers)
            rows.append(
                {
                    "answer": last,
                    "others": ", ".join(others),
                    "share": share.value,
                    "low": low,
                    "high": high,
                }
            )
        data = alt.Data(values=rows)  # type: ignore[no-untyped-call]
        down = alt.Y("answer:N", title=self.questions[-1], sort=None)
        points = alt.Chart(data).mark_point(filled=True, color="#1f4e79").encode(down, x="share:Q")
        lines = (
            alt.Chart(data)
            .mark_rule(color="#333333")
            .encode(down, x=alt.X("low:Q", title="share"), x2="high:Q")
        )
        if len(self.questions) == 1:
            return lines + points
        beside = alt.Facet("others:N", title=", ".join(self.questions[:-1]), sort=None)
        return (lines + points).facet(beside, columns=3)

    def __len__(self) -> int:
        return int(self.values.size)

    def __repr__(self) -> str:
        shown = [[*map(str, self.questions), "share"]]
        shown += [[str(cell) for cell in row] for row in islice(self.rows(), _SHOWN)]
        widths = [max(len(row[i]) for row in shown) for i in range(len(shown[0]))]
        lines = [
            "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in shown
        ]
        more = [f"… {len(self) - _SHOWN:,} more rows"] if len(self) > _SHOWN else []
        return "\n".join(line.rstrip() for line in [*lines, *more])
