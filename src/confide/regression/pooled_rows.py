"""Reports under several designs, joined row by row for one likelihood.

Every row keeps the channel of its own design; the questions that are named must be the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from confide.arrays import Array
from confide.design import Design
from confide.design.questions import Finite
from confide.errors import QueryError
from confide.regression.rows import Rows
from confide.regression.variables import Variables


def pool_rows(parts: Sequence[tuple[Design, Rows]]) -> Rows:
    """Join the rows of several designs; refuse questions and columns that are not the same."""
    (design, first), *others = parts
    if not others:
        return first
    for other, rows in others:
        if set(rows.columns) != set(first.columns):
            odd = sorted(set(rows.columns) ^ set(first.columns))
            raise QueryError(f"column {odd[0]!r} is not in the reports of every design.")
        for name in rows.columns:
            _require_same(design, other, name)
    read = {name: [_read(*each, name, design) for each in parts] for name in first.columns}
    columns = {
        name: pa.chunked_array([pa.array(np.concatenate(each), from_pandas=True)])
        for name, each in read.items()
    }
    counts, weights, squares = (
        np.concatenate([getattr(rows, field) for _, rows in parts])
        for field in ("counts", "weights", "squares")
    )
    return Rows(columns, counts, weights, squares)


def _require_same(design: Design, other: Design, name: str) -> None:
    asked = [each.question(name) if name in each.names else None for each in (design, other)]
    if (asked[0] and (asked[0].values, asked[0].kind)) != (
        asked[1] and (asked[1].values, asked[1].kind)
    ):
        raise QueryError(
            f"{name!r} is not the same question, with the same options, in all designs."
        )
    if isinstance(asked[0], Finite):
        told = [each.reported(name).size for each in (design, other)]
        if told[0] != told[1]:
            raise QueryError(
                f"a regression pools designs whose reports have as many values; those of {name!r} "
                f"have {told[0]} under one design and {told[1]} under another."
            )


def _read(design: Design, rows: Rows, name: str, first: Design) -> Array:
    """Read a column: reports as the first design has them, numbers, and others as they are."""
    variables = Variables(design, rows.columns, rows.counts, rows.typed)
    question = design.question(name) if name in design.names else None
    if isinstance(question, Finite):
        missing = (None, None)  # the codes -1 and -2
        values = first.reported(name).values  # some mechanisms report more than the options
        return np.array([*values, *missing], dtype=object)[variables.codes(name)]
    return np.asarray(variables.value(name))
