"""A design read off a table of answers: one question for each of its columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import narwhals as nw

from confide.design.questions import Choice, Number, Question, YesNo
from confide.errors import DesignError

if TYPE_CHECKING:
    from confide.design.design import Design
    from confide.design.group import Group

_MOST_OPTIONS = 20
_YES_NO = ({"yes", "no"}, {"no"}, {"yes"}, {"true", "false"})


def infer_design(
    frame: Any, columns: Sequence[str] | None, groups: Sequence[Group], title: str
) -> Design:
    """Infer a design from what the columns of a dataframe hold."""
    from confide.design.design import Design

    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError:
        raise DesignError(
            "a design is read off a dataframe in memory (pandas, Polars, PyArrow, …). "
            f"Got {type(frame).__name__}."
        ) from None
    except nw.exceptions.DuplicateError:
        raise DesignError("two columns of the table have the same name.") from None
    names = table.columns if columns is None else list(columns)
    if absent := [name for name in names if name not in table.columns]:
        raise DesignError(f"the table has no column {', '.join(map(repr, absent))}.")
    if unnamed := [name for name in names if not isinstance(name, str)]:
        raise DesignError(
            f"a question's name is a text, and column {unnamed[0]!r} has none. Rename the column."
        )
    return Design([_read_question(table[name]) for name in names], groups, title)


def _read_question(column: nw.Series[Any]) -> Question:
    """The question that a column may answer."""
    name, kind = column.name, column.dtype
    held = column.drop_nulls()
    if kind == nw.Boolean:
        return YesNo(name)
    if len(held) == 0:
        raise DesignError(
            f"column {name!r} is empty, so its question cannot be told. Leave it out."
        )
    if kind.is_numeric():
        return _read_number(name, kind, held)
    if kind.is_temporal():
        raise DesignError(
            f"column {name!r} holds dates or times, which no question asks for. Leave the column "
            "out, or make a text or a number of it, such as the year."
        )
    if kind.is_nested():
        raise DesignError(
            f"column {name!r} holds several values for each person. Make a column of each, or "
            "leave it out."
        )
    listed = [str(value) for value in kind.categories] if isinstance(kind, nw.Enum) else None
    values = listed or sorted({str(value) for value in held.unique().to_list()})
    if {value.lower() for value in values} in _YES_NO:
        return YesNo(name)
    if len(values) > _MOST_OPTIONS:
        raise DesignError(
            f"column {name!r} holds {len(values):,} different texts; a choice is read off up to "
            f"{_MOST_OPTIONS}. Leave the column out, or make its question yourself."
        )
    options = values if len(values) > 1 else [*values, "other"]
    return Choice(name, options, ordered=listed is not None)


def _read_number(name: str, kind: nw.dtypes.DType, held: nw.Series[Any]) -> Question:
    numbers = held.cast(nw.Float64)
    low, high = float(numbers.min()), float(numbers.max())
    whole = bool(((numbers - numbers.round(0)) == 0).all())
    if whole and {low, high} <= {0.0, 1.0}:
        return YesNo(name)
    if low == high:
        raise DesignError(
            f"column {name!r} holds one number, so its range cannot be told. Leave it out."
        )
    return Number(name, low, high, step=1 if kind.is_integer() or whole else None)
