"""Answers as people write them → the codes that a model looks at."""

from __future__ import annotations

from collections.abc import Sequence

import narwhals as nw
import numpy as np

from confide.arrays import Codes, Values
from confide.crowd import Crowd, ReportsInPlace
from confide.design import Design, Finite, Number
from confide.design.coding import Column, Frame, series_values
from confide.design.column_kinds import common_kind, labels_of
from confide.design.disguise import encode_answers
from confide.errors import ModelError
from confide.mining.population import Population


def encode_answers_used(
    design: Design, features: Sequence[str], used: Sequence[str], answers: object
) -> list[Codes]:
    """Give the codes of the used questions' answers, one column each.

    Parameters
    ----------
    design : Design
        The model's design.
    features, used : sequences of str
        The questions that the model was given, and those it looks at.
    answers : dataframe or array
        A dataframe needs the columns that are used; an array has one column per feature.

    Returns
    -------
    list of arrays
        Where no question is used, one column of zeros, which has as many rows as the answers.
    """
    rows, columns = _take_columns(features, used, answers)
    if not used:
        return [np.zeros(rows, np.intp)]
    codes = []
    for name, column in zip(used, columns, strict=True):
        question = design.question(name)
        if isinstance(question, Number):
            codes.append(question.grid.code(encode_answers(question, column)))
        elif isinstance(question, Finite):
            codes.append(encode_answers(question, column).codes)
    return codes


def _take_columns(
    features: Sequence[str], used: Sequence[str], answers: object
) -> tuple[int, list[Column]]:
    """Give the number of rows, and the columns that are used."""
    if isinstance(answers, np.ndarray):
        if answers.ndim != 2 or answers.shape[1] != len(features):
            raise ModelError(
                f"an array of answers must have {len(features)} columns, one per question: "
                f"{', '.join(features)}. Its shape is {answers.shape}."
            )
        return len(answers), [answers[:, features.index(name)] for name in used]
    frame = _read_frame(answers)
    if absent := [name for name in used if name not in frame.columns]:
        raise ModelError(
            f"the answers lack the column {', '.join(map(repr, absent))}. "
            f"This model looks at {', '.join(used)}."
        )
    return len(frame), [series_values(frame[name]) for name in used]


def _read_frame(answers: object) -> Frame:
    try:
        return nw.from_native(answers, eager_only=True)
    except TypeError:
        kind = type(answers)
        raise ModelError(
            "answers must be a dataframe in memory (pandas, Polars, PyArrow, …) or a numpy array. "
            f"Got {kind.__name__} of {kind.__module__.split('.')[0]}."
        ) from None


def join_target(design: Design, target: str, X: object, y: object) -> object:
    """Join features and target into one table of reports."""
    place = design.position(target)
    labels = np.asarray(y)
    if isinstance(X, np.ndarray):
        table = X[:, None] if X.ndim == 1 else X
        if table.ndim != 2 or table.shape[1] != len(design.names) - 1 or len(table) != len(labels):
            raise ModelError(
                f"X must have {len(design.names) - 1} columns, one per question but {target}, and "
                f"as many rows as y. Its shape is {X.shape}; y has {len(labels)} values."
            )
        # no column's values may change on the way, nor their kind
        numbers = table.dtype.kind in "iuf" and labels.dtype.kind in "iuf"
        alike = numbers or table.dtype.kind == labels.dtype.kind
        shared = np.result_type(table, labels) if alike else np.dtype(object)
        return np.insert(table.astype(shared), place, labels.astype(shared), axis=1)
    frame = _read_frame(X)
    if target in frame.columns:
        raise ModelError(
            f"X has a column {target!r}, and y gives it once more. Leave it out of X, or give no y."
        )
    if len(frame) != len(labels):
        raise ModelError(
            f"X must have as many rows as y. It has {len(frame):,}; y has {len(labels):,} values."
        )
    return frame.with_columns(
        nw.new_series(target, labels.tolist(), backend=frame.implementation)
    ).to_native()


def read_class_values(population: Population, target: str) -> Values:
    """Give the target's values by code, in the kind in which the reports have them."""
    question = population.design.question(target)
    assert isinstance(question, Finite)  # a learner refuses any other target
    if isinstance(population, ReportsInPlace):
        return labels_of(question, population.kind(target))
    batches = population.batches if isinstance(population, Crowd) else ()
    return labels_of(question, common_kind(batch.kind(target) for batch in batches))
