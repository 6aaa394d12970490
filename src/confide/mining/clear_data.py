"""Ordinary data without a design: everything in the clear, numbers cut into intervals.

With ``design=None`` the learners are ordinary scikit-learn classifiers. In numeric columns
each value becomes the number of its interval; texts become choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import narwhals as nw
import numpy as np

from confide.arrays import Array, Codes, Indices, Values
from confide.counts import Counts
from confide.design import Choice, Design, Number, Question
from confide.design.coding import Frame
from confide.errors import ModelError

Categories = dict[str, list[str]]
"""The sorted categories of the columns of texts."""

_INTERVALS = 32
"""A column with more values than this is cut at its quantiles."""


@dataclass(frozen=True, eq=False)
class InferredQuestions:
    """How the columns of ordinary data become questions.

    Parameters
    ----------
    design : Design
        The questions, all in the clear, the target last.
    edges : list of arrays
        Where each column is cut: values between two edges count as one. Texts are cut between
        their categories.
    categories : dict
        The categories of the columns of texts.
    named : bool
        Whether the columns came with names.
    """

    design: Design
    edges: list[Array]
    categories: Categories
    named: bool

    def codes(self, X: Array) -> list[Indices]:
        """Give the number of the interval in which each value lies, column by column."""
        return [np.searchsorted(e, X[:, i], side="right") for i, e in enumerate(self.edges)]

    def counts(self, X: Array, labels: Indices) -> Counts:
        """Count the rows under the inferred design."""
        return Counts.gather(self.design, [*self.codes(X), labels])

    def weigh(self, X: Array, labels: Indices, weights: Array) -> WeighedRows:
        """Add up the weights of rows that are alike under the inferred design."""
        rows = np.stack([*self.codes(X), labels], axis=1)
        patterns, place = np.unique(rows, axis=0, return_inverse=True)
        return WeighedRows(
            self.design, patterns, np.asarray(np.bincount(place.ravel(), weights), float)
        )


@dataclass(frozen=True, eq=False)
class WeighedRows:
    """Rows in the clear, each counting as often as its weight says, as a population.

    Parameters
    ----------
    design : Design
        The questions, all in the clear.
    patterns : integer array
        The distinct rows.
    weights : array
        How often each counts.
    """

    design: Design
    patterns: Codes
    weights: Array

    @property
    def n(self) -> int:
        """How many rows these are, were each repeated as often as it counts."""
        return max(1, round(float(self.weights.sum())))

    def cells(self) -> tuple[Codes, Array]:
        """The rows with the share of each."""
        return self.patterns, self.weights / self.weights.sum()


def infer_questions(
    X: Array,
    given: Sequence[str] | None,
    target: str,
    classes: Values,
    categories: Categories,
    weights: Array | None = None,
) -> InferredQuestions:
    """Infer from the columns, and their names if they came with any, which questions they answer.

    Where a column is named as the target is, the target gets another name.
    """
    names = [f"x{i}" for i in range(X.shape[1])] if given is None else list(given)
    while target in names:
        target += "_"
    if len(classes) < 2:
        raise ModelError(f"only one class is present in {target}. A classifier needs two.")
    edges = [
        _find_middles(np.arange(len(categories[name])))
        if name in categories
        else _choose_edges(X[:, i], weights)
        for i, name in enumerate(names)
    ]
    questions: list[Question] = [
        _make_question(name, categories.get(name), len(e))
        for name, e in zip(names, edges, strict=True)
    ]
    goal = Choice(target, [str(value) for value in classes.tolist()])
    return InferredQuestions(Design([*questions, goal]), edges, categories, given is not None)


def _make_question(name: str, categories: list[str] | None, edges: int) -> Question:
    if categories is not None and len(categories) > 1:
        return Choice(name, categories)
    return Number(name, 0, max(edges, 1), step=1)


def _choose_edges(column: Array, weights: Array | None) -> Array:
    values = np.unique(column)
    if len(values) <= _INTERVALS:
        return _find_middles(values)
    levels = np.arange(1, _INTERVALS) / _INTERVALS
    if weights is None or np.ptp(weights) == 0:
        return np.unique(np.quantile(column, levels, method="higher")).astype(float)
    found = np.quantile(column, levels, method="inverted_cdf", weights=weights)
    return np.unique(found).astype(float)


def _find_middles(values: Codes) -> Array:
    with np.errstate(over="ignore"):
        return np.asarray(values[:-1] + np.diff(values) / 2, dtype=float)


def find_text_categories(X: object) -> Categories:
    """Find the sorted categories of a dataframe's columns of texts; none for other data."""
    frame = nw.from_native(X, pass_through=True, eager_only=True)
    if not isinstance(frame, nw.DataFrame):
        return {}
    return {
        name: sorted(map(str, set(frame[name].drop_nulls().to_list())))
        for name in frame.columns
        if _is_text(frame.schema[name])
    }


def number_texts(X: object, categories: Categories) -> object:
    """Give the dataframe with each text replaced by the number of its category."""
    if not categories:
        return X
    frame: Frame = nw.from_native(X, eager_only=True)
    columns = []
    for name, known in categories.items():
        if name not in frame.columns:
            continue  # scikit-learn's own check names the missing column
        place = {category: i for i, category in enumerate(known)}
        values = frame[name].to_list()
        if frame[name].is_null().any():
            raise ModelError(f"column {name!r} has missing values. Leave such rows out.")
        codes = [place.get(str(value)) for value in values]
        if None in codes:
            raise ModelError(
                f"column {name!r} has {codes.count(None):,} values that were not in the training "
                f"data. Known are {', '.join(known[:20])}."
            )
        columns.append(nw.new_series(name, codes, backend=frame.implementation))
    return frame.with_columns(*columns).to_native()


def _is_text(kind: nw.dtypes.DType) -> bool:
    return kind in (nw.String, nw.Categorical, nw.Enum, nw.Object)
