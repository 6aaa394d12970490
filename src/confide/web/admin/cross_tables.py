"""Two questions together: what each group of people answers, or how the whole is made up."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from confide.arrays import Array
from confide.crowd import Crowd, Table
from confide.crowd.estimate import Approximation
from confide.design import Number
from confide.errors import QueryError, show
from confide.files import Json
from confide.mechanisms import Grid
from confide.surveys.field import Field
from confide.web.admin.bars import choose_joined, cut_into_bars
from confide.web.admin.results import describe_estimate
from confide.web.admin.shown_people import ShownPeople, can_be_given, label_condition

Of = Literal["rows", "columns", "all"]
"""What the percentages are of: the people of each row, those of each column, or all people."""

_MOST_INTERVALS = 6  # of a number that noise has blurred


def estimate_cross_table(people: ShownPeople, row: str, column: str, of: str) -> Json:
    """Estimate two questions together, numbers in intervals: a group of shares for each answer.

    Of rows, each group has the people with one answer to the first question, and the shares of
    their answers to the second; of columns the other way round. Of all, the shares of a group add
    up to that of its people. A group is hidden where too few people are in it.
    """
    if of not in get_args(Of):
        raise QueryError(f"percentages are of rows, columns or all. Got {show(of)}.")
    names = (column, row) if of == "columns" else (row, column)
    if row == column or {row, column} & {each.name for each in people.conditions}:
        raise QueryError("a cross table is of two questions, neither of them given.")
    outer, inner = (people.find_field(name) for name in names)
    groups, minimum = [_Axis(people, field) for field in (outer, inner)], people.survey.page.minimum
    crowd = people.cut({axis.field.name: axis.joined for axis in groups if axis.joined})
    if can_be_given(outer) and of != "all":
        labels = groups[0].labels
        shares = [  # of an answer that nobody gave there is nothing to estimate
            _estimate_group(crowd, outer.name, inner, code) if shown else []
            for code, shown in enumerate(groups[0].shown)
        ]
        sizes = crowd.table([outer.name])
        counted: Array = sizes.values * sizes.n
    else:
        labels, shares, counted = _estimate_jointly(crowd, outer, inner, of == "all", minimum)
    hidden = _hide_groups(groups, of, counted, minimum)
    found = [
        {"answer": label, "people": int(n), "rows": None if out else rows}
        for label, rows, n, out in zip(labels, shares, counted.round(), hidden, strict=True)
    ]
    if of == "all":
        _hide_cells(found, groups[1])
    return {"questions": list(names), "of": of, "n": crowd.n, "groups": found}


class _Axis:
    """One question of a cross table: its answers, and which of them can be told of."""

    def __init__(self, people: ShownPeople, field: Field) -> None:
        self.field, self.joined = field, None
        self.labels: list[str] = []
        self.shown: list[bool] = []
        if can_be_given(field):
            self.joined, conditions, self.shown = people.list_groups(field.name)
            self.labels = [label_condition(field, each) for each in conditions]


def _hide_groups(axes: list[_Axis], of: str, sizes: Array, minimum: int) -> list[bool]:
    """Which groups are not told of; of the whole, only those that are known to be few."""
    outer = axes[0]
    if of == "all" and outer.field.disguised:
        return [False] * len(sizes)
    return [not each for each in outer.shown] or [n < minimum for n in sizes]


def _hide_cells(groups: list[Json], inner: _Axis) -> None:
    """Leave the answers out of which too few are known to have given them."""
    if inner.field.disguised or not inner.shown:
        return
    for group in groups:
        if group["rows"] is not None:
            pairs = zip(group["rows"], inner.shown, strict=True)
            group["rows"] = [row for row, shown in pairs if shown]


def _estimate_group(crowd: Crowd, name: str, inner: Field, code: int) -> list[Json]:
    """Estimate what the people with one answer answer to another question."""
    given = crowd.given_codes({name: code})
    if inner.noise is not None:
        found = given.distribution(inner.name, _MOST_INTERVALS)
        return _write_rows(found.labels, found.estimates)
    table = given.table([inner.name])
    labels = [str(each) for each in given.design.question(inner.name).labels]
    return _write_rows(labels, table.estimates)


def _write_rows(labels: object, estimates: object) -> list[Json]:
    pairs = zip(labels, estimates, strict=True)  # type: ignore[call-overload]
    return [{"answer": label, **describe_estimate(estimate)} for label, estimate in pairs]


def _estimate_jointly(
    crowd: Crowd, outer: Field, inner: Field, of_all: bool, minimum: int
) -> tuple[list[str], list[list[Json]], Array]:
    """Estimate both at once: the first's answers, shares for each, and how many people it has.

    Where a number is blurred by noise no interval is known.
    """
    table = crowd.table([outer.name, inner.name])
    values, errors = table.values, table.standard_errors
    axes = [_label_axis(table, axis, minimum if axis == 0 else 0) for axis in (0, 1)]
    if table.method == "inverse" and of_all:
        columns = len(axes[1][1])
        rows = [table.estimates[k : k + columns] for k in range(0, values.size, columns)]
        return axes[0][1], [_write_rows(axes[1][1], row) for row in rows], values.sum(1) * table.n
    variances = errors**2
    for axis, (starts, _) in enumerate(axes):
        values = np.add.reduceat(values, starts, axis=axis)
        # errors of neighbours under noise go against each other: their sum has at most this one
        variances = np.add.reduceat(variances, starts, axis=axis)
    sizes = values.sum(axis=1)
    parts = 1.0 if of_all else np.where(sizes > 0, sizes, 1.0)[:, None]
    shares, spreads = values / parts, np.sqrt(variances) / parts
    groups = []
    for row, spread in zip(shares, spreads, strict=True):
        pairs = zip(row.tolist(), spread.tolist(), strict=True)
        groups.append(_write_rows(axes[1][1], [Approximation(*pair, crowd.n) for pair in pairs]))
    return axes[0][1], groups, sizes * table.n


def _label_axis(table: Table, axis: int, minimum: int) -> tuple[list[int], list[str]]:
    """The first cell of each interval or option on an axis, and what it is called.

    The intervals of a number are joined until each has so many people.
    """
    name = table.questions[axis]
    question = table.design.question(name)
    if not isinstance(question, Number):
        return list(range(question.size)), [str(each) for each in question.labels]
    grid = table.grids.get(name, question.grid)
    starts, _ = cut_into_bars(question, grid)
    sizes = np.add.reduceat(table.values.sum(axis=1 - axis), starts) * table.n
    kept = starts[choose_joined(sizes, minimum)]
    edges = grid.array[[*kept, -1]]
    return kept.tolist(), list(question.interval_labels(Grid(tuple(edges.tolist()))))
