"""Disguising a whole table of answers: a dataframe or an array in, the reports of its kind out."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, overload

import narwhals as nw
import numpy as np
import pyarrow as pa

from confide.arrays import Codes
from confide.design.block import Block
from confide.design.coding import (
    MISSING,
    UNKNOWN,
    Coded,
    Column,
    Frame,
    decode,
    encode,
    encode_number,
    find_absent,
    series_values,
)
from confide.design.design import Design
from confide.design.missing_numbers import fill_in_missing
from confide.design.questions import Finite, Number, Question
from confide.errors import AnswersError
from confide.mechanisms import Randomness

_OFF_GRID = 1e-6
"""A number this much of a step away from the grid is on it, but for rounding."""


def disguise(
    design: Design,
    answers: object,
    randomness: Randomness,
    keep: Sequence[str] | None = None,
    gaps: bool = False,
) -> Any:
    """Disguise every row of a table of answers by chance, group by group.

    Parameters
    ----------
    design : Design
        What is disguised, and how.
    answers : dataframe or numpy array
        Any dataframe that narwhals reads (pandas, Polars, PyArrow, …) with one column per question,
        or an array with the questions' columns in order.
    randomness : Randomness
        Where chance comes from: the operating system's secure source, or a seed for simulations.
    keep : sequence of str, optional
        Other columns that stay in the reports, undisguised. Left out, there are none, and a warning
        says which columns were dropped.
    gaps : bool
        Whether a number may be missing; it then stays so.

    Returns
    -------
    dataframe or numpy array
        The reports, in the kind the answers came in: the questions in the design's order, then
        the kept columns in theirs. The index of a pandas frame and categories stay.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion(0.75))])
    >>> design.disguise(np.array([0, 0, 1, 1, 0, 1]), seed=1)
    array([1, 0, 1, 1, 1, 1])
    """
    if isinstance(answers, np.ma.MaskedArray):
        raise AnswersError("a masked array hides some answers. Give a dataframe, or an array.")
    if isinstance(answers, np.ndarray):
        if keep:
            raise AnswersError("keep names columns, which an array has not. Give a dataframe.")
        return _disguise_array(design, answers, randomness, gaps)
    frame = _read_frame(design, answers)
    kept = select_kept_columns(design, frame.columns, keep or [])
    others = [name for name in frame.columns if name not in design.names]
    if keep is None and others:
        warnings.warn(
            f"{describe_dropped_columns(others, 'keep=[…]')} keep=[] keeps none.", stacklevel=3
        )
    given = [name for name in design.names if name in frame.columns]
    columns = {name: series_values(frame[name]) for name in given}
    reports = {
        name: pa.array(c, from_pandas=True)
        for name, c in _disguise_columns(design, columns, randomness, gaps).items()
    }
    table = _make_like(frame, pa.table(reports))
    return table.with_columns(*(frame.get_column(name) for name in kept)).to_native()


def _make_like(frame: Frame, reports: pa.Table) -> Frame:
    """The reports in the kind of frame that the answers are, with its index if it has one."""
    table: Frame = nw.from_arrow(reports, backend=frame.implementation)
    given = [name for name in reports.column_names if name in frame.schema]
    enums = [name for name in given if isinstance(frame.schema[name], nw.Enum)]
    if frame.implementation.is_polars():  # which takes arrow's categories for its other kind
        for name in enums:
            categories = reports[name].chunk(0).dictionary.to_pylist()
            table = table.with_columns(nw.col(name).cast(nw.Enum(categories)))
    index = nw.maybe_get_index(frame)
    if index is None:
        return table
    native, answers = table.to_native(), frame.to_native()
    native.index = index
    for name in given:
        kind = frame.schema[name]
        if kind == table.schema[name] and kind != nw.Categorical:  # pandas has several for one
            native[name] = native[name].astype(answers[name].dtype)
    return nw.from_native(native, eager_only=True)


def select_kept_columns(design: Design, held: Sequence[str], keep: Sequence[str]) -> list[str]:
    """The columns that stay beside the reports, each once; refuses what cannot stay."""
    others = [name for name in held if name not in design.names]
    if isinstance(keep, str):
        raise AnswersError(f'keep must be a list such as ["id"]. Got {keep!r}.')
    for name in keep:
        if name in design.names:
            raise AnswersError(
                f"keep names {name!r}, which is a question: kept, its true answers would stand "
                "beside the reports. A question is always disguised as the design says."
            )
        if name not in held:
            there = f"There are {', '.join(map(repr, others))}." if others else "There is none."
            raise AnswersError(f"keep names {name!r}, but the answers have no such column. {there}")
    return list(dict.fromkeys(keep))


def describe_dropped_columns(columns: Sequence[str], way: str) -> str:
    """Say which columns of the answers are not in the reports."""
    named = ", ".join(map(repr, columns[:10])) + (", …" if len(columns) > 10 else "")
    return (
        f"the answers' columns {named} are no questions and are left out of the reports. "
        f"{way} names those that shall stay, undisguised."
    )


def _read_frame(design: Design, answers: object) -> Frame:
    try:
        frame: Frame = nw.from_native(answers, eager_only=True)
    except TypeError:
        raise AnswersError(
            "answers must be a dataframe in memory (pandas, Polars, PyArrow, …) or a numpy array. "
            f"Got {type(answers).__name__}."
        ) from None
    except nw.exceptions.DuplicateError:
        raise AnswersError("two columns of the answers have the same name.") from None
    derived = design.declines.values()
    if absent := [name for name in design.names if name not in (*frame.columns, *derived)]:
        raise AnswersError(f"the answers have no column {', '.join(map(repr, absent))}.")
    return frame


def _disguise_array(design: Design, answers: Codes, randomness: Randomness, gaps: bool) -> Codes:
    table = answers[:, None] if answers.ndim == 1 else answers
    if table.ndim != 2 or table.shape[1] != len(design.names):
        raise AnswersError(
            f"an array of answers must have {len(design.names)} columns, one per question: "
            f"{', '.join(design.names)}. Its shape is {answers.shape}."
        )
    columns = {name: table[:, i] for i, name in enumerate(design.names)}
    reports = _disguise_columns(design, columns, randomness, gaps)
    arrays = [np.asarray(reports[name]) for name in design.names]
    disguised = arrays[0] if answers.ndim == 1 else np.stack(arrays).T  # columns stay together
    kind = {"U": str, "O": object}.get(answers.dtype.kind, disguised.dtype)
    return disguised.astype(kind, copy=False)


def _disguise_columns(
    design: Design, columns: dict[str, Column], randomness: Randomness, gaps: bool
) -> dict[str, Column]:
    """Check every column before the first draw, then disguise block by block.

    Where gaps are allowed, one is drawn for a missing number as for all others, and not reported.
    """
    columns = fill_in_missing(design, columns)
    options: dict[str, Coded] = {}
    numbers: dict[str, Codes] = {}
    absent: dict[str, Codes] = {}
    for question in design.questions:
        if isinstance(question, Finite):
            options[question.name] = encode_answers(question, columns[question.name])
        elif isinstance(question, Number):
            column = columns[question.name]
            if gaps and (missing := find_absent(column)).any():
                absent[question.name] = missing
                column = np.where(missing, question.low, encode_number(column))
            numbers[question.name] = encode_answers(question, column)
    reports: dict[str, Column] = {}
    for block in design.blocks:
        if block.finite:
            reports |= _disguise_options(block, options, randomness)
        else:
            name = block.number.name
            (report,) = block.disguise([numbers[name]], randomness)
            left_out = absent.get(name)
            reports[name] = report if left_out is None else np.where(left_out, np.nan, report)
    return {name: reports[name] for name in design.names}


def _disguise_options(
    block: Block, coded: dict[str, Coded], randomness: Randomness
) -> dict[str, Column]:
    columns = [coded[question.name] for question in block.finite]
    reports = block.disguise([column.codes for column in columns], randomness)
    return {
        question.name: _decode_reports(question, said, replace(column, codes=report))
        for question, said, report, column in zip(
            block.finite, block.reported, reports, columns, strict=True
        )
    }


def _decode_reports(question: Finite, said: Finite, coded: Coded) -> Column:
    """Reports in the kind in which the answers came; numbers, where they are of another kind."""
    return decode(question, coded) if said is question else np.array(said.options)[coded.codes]


@overload
def encode_answers(question: Finite, column: Column) -> Coded: ...
@overload
def encode_answers(question: Number, column: Column) -> Codes: ...
def encode_answers(question: Question, column: Column) -> Coded | Codes:
    """Encode a column, refusing what the question does not allow; never naming a value."""
    if isinstance(question, Finite):
        coded = encode(question, column)
        size = len(coded.codes)
        if missing := coded.count(MISSING):
            raise AnswersError(
                f"column {question.name!r} is empty in {missing:,} of {size:,} answers. Fill them "
                'in, leave those rows out, or use missing="option" to count them as "prefer not '
                'to say".'
            )
        if unknown := coded.count(UNKNOWN):
            raise AnswersError(
                f"column {question.name!r} holds none of its options in {unknown:,} of {size:,} "
                f"answers. Allowed are {question.allowed}."
            )
        return coded
    assert isinstance(question, Number)
    values = encode_number(column)
    outside = ~((values >= question.low) & (values <= question.high))
    if outside.any():
        raise AnswersError(
            f"column {question.name!r} holds no number from {question.low:g} to "
            f"{question.high:g} in {outside.sum():,} of {len(values):,} answers."
        )
    if question.step is not None:
        places = (values - question.low) / question.step
        between = int(np.count_nonzero(np.abs(places - np.rint(places)) > _OFF_GRID))
        if between:
            raise AnswersError(
                f"column {question.name!r} has {between:,} values between the possible ones, which "
                f"go from {question.low:g} in steps of {question.step:g}."
            )
    return values
