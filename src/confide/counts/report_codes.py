"""The reports of a question as codes, and the refusal of those that do not fit."""

from __future__ import annotations

from math import isinf
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Codes
from confide.design.coding import MISSING, Coded, Column, encode, encode_number, find_absent
from confide.design.design import Design
from confide.design.questions import Finite, Question
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

    if isinstance(question, Finite):
        if (missing := codes == MISSING).any():
            raise ReportsError(
                f"column {question.name!r} is empty {count(missing)}. If “prefer not to say” was "
                'offered, the design must say so: missing = "option".'
            )
        raise ReportsError(
            f"column {question.name!r} holds none of its options {count(codes < 0)}. "
            f"Allowed are {design.reported(question.name).allowed}."
        )
    grid = _report_grid(design, question.name)
    reach = "" if isinf(grid.edges[0]) else f" from {grid.edges[0]:g} to {grid.edges[-1]:g}"
    raise ReportsError(f"column {question.name!r} holds no number{reach} {count(codes < 0)}.")


def _report_grid(design: Design, name: str) -> Grid:
    """The intervals in which a number's reports are counted."""
    grid = design.block(name).report_grid()
    assert grid is not None
    return grid
