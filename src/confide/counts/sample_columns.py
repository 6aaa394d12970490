"""The columns that say how people were drawn, read beside their reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from numbers import Real

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from confide.arrays import Array, Codes, Indices
from confide.counts.counts import Counts
from confide.counts.drawn_sample import DrawnSample
from confide.counts.summed_weights import check_weights
from confide.design.design import Design
from confide.errors import ReportsError, show

Population = float | Mapping[object, float]
"""The size of the population, or of each stratum's."""


@dataclass(frozen=True)
class SampleColumns:
    """Which columns say how people were drawn.

    Parameters
    ----------
    weights, strata, clusters : str, optional
        The columns of the weights, of the strata and of the clusters.
    population : float or mapping, optional
        How many people there are: in all, or in each stratum.
    """

    weights: str | None = None
    strata: str | None = None
    clusters: str | None = None
    population: Population | None = None

    def __post_init__(self) -> None:
        if isinstance(self.population, Mapping) and self.strata is None:
            raise ReportsError("population by stratum needs strata= to name their column.")

    @property
    def given(self) -> bool:
        """Whether a column, or a population, was given."""
        return any(
            each is not None for each in (self.weights, self.strata, self.clusters, self.population)
        )

    @property
    def keys(self) -> list[str]:
        """The columns by which people are told apart beside their reports."""
        return list(
            dict.fromkeys(each for each in (self.strata, self.clusters) if each is not None)
        )

    def check_questions(self, design: Design) -> None:
        """Refuse strata and clusters that are told by a disguised answer."""
        for name in self.keys:
            if name in design.names and design.block(name).mechanism is not None:
                raise ReportsError(
                    f"{name!r} is disguised, so nobody knows who is in which stratum or cluster. "
                    "Name a column beside the reports, or a question asked in the clear."
                )

    def check(self, held: Sequence[str]) -> None:
        """Refuse columns that are not there."""
        for name in (self.weights, *self.keys):
            if name is not None and name not in held:
                raise ReportsError(f"there is no column {name!r} that tells how people were drawn.")


@dataclass(frozen=True, eq=False)
class SampleRows:
    """What some rows of reports say of how their people were drawn.

    Parameters
    ----------
    reports : integer array
        How many people each row stands for.
    weights, squares : arrays
        The sums of their weights and of the squares.
    keys : mapping
        The values of the columns of strata and clusters.
    """

    reports: NDArray[np.int64]
    weights: Array
    squares: Array
    keys: Mapping[str, pa.Array]

    def keep(self, kept: NDArray[np.bool_]) -> SampleRows:
        """Some of the rows."""
        keys = {name: column.filter(pa.array(kept)) for name, column in self.keys.items()}
        return SampleRows(self.reports[kept], self.weights[kept], self.squares[kept], keys)


def apply_sampling(counts: Counts, columns: SampleColumns) -> Counts:
    """Tell counted reports apart by strata and clusters that are questions asked in the clear."""
    others = [name for name in columns.keys if name not in counts.design.names]
    if columns.weights is not None or others or counts.drawn is not None:
        raise ReportsError(
            "an array, a store and counts hold the questions alone: their strata and clusters are "
            "questions asked in the clear. Give weights with a table or a file that has a column "
            "for them, or bring them to known shares with crowd.rake(…)."
        )
    codes = {name: counts.patterns[:, counts.design.position(name)] for name in columns.keys}
    keys = {
        name: pa.array(np.array(counts.design.question(name).labels)[each])
        for name, each in codes.items()
    }
    ones = counts.reports.astype(float)
    rows = SampleRows(counts.reports, ones, ones, keys)
    return gather_sample(counts, list(counts.patterns.T), columns, rows)


def gather_sample(
    counts: Counts, codes: Sequence[Codes], columns: SampleColumns, rows: SampleRows
) -> Counts:
    """Count rows of report codes apart for each stratum and cluster.

    Parameters
    ----------
    counts : Counts
        The same rows counted without them: their kinds are kept.
    codes : sequence of arrays
        The rows' report codes, one column per question.
    columns : SampleColumns
        Which columns there are.
    rows : SampleRows
        What the rows say in them.
    """
    check_weights(columns.weights, rows.weights, rows.reports)
    strata, labels = _number(rows, columns.strata)
    clusters, _ = _number(rows, columns.clusters)
    if columns.clusters is not None:  # clusters of two strata may have the same name
        pairs = strata * (int(clusters.max()) + 1) + clusters
        names, clusters = np.unique(pairs, return_inverse=True)
        if len(names) < 2:
            raise ReportsError(
                f"column {columns.clusters!r} holds one cluster, which does not tell how clusters "
                "differ. At least two are needed."
            )
    stacked = np.stack([*codes, strata, clusters], axis=1).astype(np.int64)
    cells, place = np.unique(stacked, axis=0, return_inverse=True)
    place = place.ravel()
    n = np.bincount(place, rows.reports).astype(np.int64)
    fractions, population = read_population(
        columns, labels, np.bincount(cells[:, -2], n).astype(float)
    )
    drawn = DrawnSample(
        n,
        np.bincount(place, rows.weights).astype(float),
        np.bincount(place, rows.squares).astype(float),
        cells[:, -2],
        None if columns.clusters is None else cells[:, -1],
        fractions,
        population,
    )
    patterns = cells[:, :-2].astype(counts.patterns.dtype)
    return replace(counts, patterns=patterns, reports=n, drawn=drawn)


def _number(rows: SampleRows, name: str | None) -> tuple[Indices, list[object]]:
    """Number the values of a column; one value for all where there is no column."""
    if name is None:
        return np.zeros(len(rows.reports), np.intp), [None]
    column = rows.keys[name]
    if column.null_count:
        empty = int(rows.reports[column.is_null().to_numpy(zero_copy_only=False)].sum())
        raise ReportsError(f"column {name!r} is empty in {empty:,} reports.")
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    coded = column if isinstance(column, pa.DictionaryArray) else column.dictionary_encode()
    values = coded.dictionary.to_pylist()
    order = sorted(range(len(values)), key=lambda i: str(values[i]))  # the same in every engine
    ranks = np.empty(len(values), np.intp)
    ranks[order] = np.arange(len(values))
    return ranks[coded.indices.to_numpy(zero_copy_only=False)], [values[i] for i in order]


def read_population(
    columns: SampleColumns, labels: list[object], people: Array
) -> tuple[Array, float | None]:
    """The share of each stratum that was drawn, and the size of the population."""
    given = columns.population
    if given is None:
        return np.zeros(len(people)), None
    if isinstance(given, Mapping):
        if set(given) != set(labels):
            raise ReportsError(
                f"population must say how many people there are in each stratum of "
                f"{columns.strata!r}, {len(labels)} in all, and in no other."
            )
        sizes = np.array([_read_size(given[label]) for label in labels])
        fractions, total = people / sizes, float(sizes.sum())
    else:
        total = _read_size(given)
        fractions = np.full(len(people), people.sum() / total)
    if not (fractions <= 1).all():
        raise ReportsError("population must be at least the number of reports, in each stratum.")
    return fractions, total


def _read_size(given: object) -> float:
    """The size of a population, which is a positive number."""
    if isinstance(given, bool) or not isinstance(given, Real) or not 0 < float(given) < inf:
        raise ReportsError(
            f"population must be how many people there are, such as 10_777. Got {show(given)}."
        )
    return float(given)
