"""The reports of a question as codes, and the refusal of those that do not fit."""

from __future__ import annotations

from math import isinf
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Codes
from confide.design.coding import MISSING, Coded, Column, encode, encode_number, find_absent
from confide.design.design import Design
from confide.design.questions import Finite, Number, Question
from confide.errors import ReportsError
from confide.mechanisms import Grid


def encode_reports(design: Design, question: Question, column: Column) -> Coded:
    """Encode a column of options, or of numbers by their intervals."""
    if isinstance(question, Finite):
        return encode(design.reported(question.name), column)
    codes = _report_grid(design, question.name).code(encode_number(column))
    return Coded(np.where(find_absent(column), MISSING, codes), None)


def refuse_reports(
    design: Design, question: Question, codes: Codes, reports: NDArray[np.int64] | None
) -> NoReturn:
    """Refuse a column: say how many of its reports do not fit, and what would."""
    weights = np.ones(len(codes), np.int64) if reports is None else reports

    def count(wrong: NDArray[np.bool_]) -> str:
        return f"in {weights[wrong].sum():,} of {weights.sum():,} reports"

    missing = codes == MISSING
    way_out = ' Leave out those that are empty with missing="at random".' if missing.any() else ""
    if isinstance(question, Finite):
        if missing.any():
            raise ReportsError(
                f"column {question.name!r} is empty {count(missing)}. If “prefer not to say” was "
                f'offered, the design must say so: missing = "option".{way_out}'
            )
        raise ReportsError(
            f"column {question.name!r} holds none of its options {count(codes < 0)}. "
            f"Allowed are {design.reported(question.name).allowed}."
        )
    low, high = _report_ends(design, question)
    reach = "" if isinf(low) else f" from {low:g} to {high:g}"
    raise ReportsError(
        f"column {question.name!r} holds no number{reach} {count(codes < 0)}.{way_out}"
    )


def _report_ends(design: Design, question: Question) -> tuple[float, float]:
    """The least and the largest number that can be reported; in the clear, the question's."""
    if isinstance(question, Number) and design.block(question.name).mechanism is None:
        return question.low, question.high
    edges = _report_grid(design, question.name).edges
    return edges[0], edges[-1]


def _report_grid(design: Design, name: str) -> Grid:
    """The intervals in which a number's reports are counted."""
    grid = design.block(name).report_grid()
    assert grid is not None
    return grid
