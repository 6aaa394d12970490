"""Signed shares of the whole population, inverted once, from which every node of a tree is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.counts import report_sizes
from confide.counts.crossed_counts import count_cells
from confide.crowd._subpopulation import Subpopulation
from confide.estimators.crossed_inverse import Path, cross_nodes
from confide.estimators.event_weights import Where, invert_patterns
from confide.estimators.inverse import invert_tables
from confide.estimators.possible_truths import list_possible_truths
from confide.estimators.table_channel import DENSE_CELLS


class SignedShares:
    """The inverse estimate of all questions together; where it is too large, of what is asked.

    Parameters
    ----------
    whole : Subpopulation
        Everybody.
    """

    def __init__(self, whole: Subpopulation) -> None:
        self._whole = whole

    @cached_property
    def _table(self) -> Array | None:
        """The signed shares of all questions' table; None where it would be too large to keep."""
        names = self._whole.design.names
        if not self._whole.can_keep(names):
            return None
        return invert_tables(self._whole.list_reported_tables(names))

    def cross(
        self, within: Mapping[str, int], target: str, candidates: Sequence[str]
    ) -> dict[str, Array]:
        """The shares of target × candidate in a sub-population."""
        if self._table is None:
            return {name: self._invert_patterns(within, [target, name]) for name in candidates}
        names = self._whole.design.names
        part = self._table[tuple(within.get(name, slice(None)) for name in names)]
        free = [name for name in names if name not in within]
        axes = {name: axis for axis, name in enumerate(free)}
        return {name: _margin(part, axes[target], axes[name]) for name in candidates}

    def cross_nodes(
        self, paths: Sequence[Path], target: str, names: Sequence[str]
    ) -> dict[str, Array]:
        """The shares of target × question in many sub-populations: (paths, classes, answers).

        Tables of reports are counted for all of them together, unless those would have more cells
        than there are patterns of reports.
        """
        few = [place for place, path in enumerate(paths) if self._has_few_cells(path, target)]
        crossed = cross_nodes(self._whole.batches, [paths[place] for place in few], target, names)
        tables = {}
        for name in names:
            tables[name] = np.empty((len(paths), *crossed[name].shape[1:]))
            tables[name][few] = crossed[name]
            for place in set(range(len(paths))).difference(few):
                tables[name][place] = self._cross_path(paths[place], target, name)
        return tables

    def _has_few_cells(self, path: Path, target: str) -> bool:
        """Whether the reports of a path's questions have no more combinations than patterns."""
        design = self._whole.design
        places = [design.position(name) for name in (*path, target)]
        patterns = sum(len(batch.reports) for batch in self._whole.batches)
        return count_cells(report_sizes(design), places) <= patterns

    def _cross_path(self, path: Path, target: str, name: str) -> Array:
        """The shares of target × question in one sub-population, from the patterns of reports."""
        others = {question: codes for question, codes in path.items() if question != name}
        table = self._invert_patterns(others, [target, name])
        left = np.isin(np.arange(table.shape[1]), path.get(name, range(table.shape[1])))
        return np.where(left, table, 0.0)

    def cells(self) -> tuple[NDArray[np.int16], Array] | None:
        """Rows of codes with their shares; None if there are too many to write out."""
        batches = self._whole.batches
        disguised = any(batch.design.groups for batch in batches)
        if self._table is not None and disguised:
            filled = np.flatnonzero(self._table)
            rows = np.stack(np.unravel_index(filled, self._table.shape), axis=1)
            return rows.astype(np.int16), self._table.ravel()[filled]
        return list_possible_truths(batches, self._whole.design.names, DENSE_CELLS)

    def _invert_patterns(self, within: Where, names: list[str]) -> Array:
        """The signed shares of a table within a sub-population, without the whole table."""
        n = self._whole.n
        return np.asarray(
            sum(
                batch.n / n * invert_patterns(batch, batch.shares, within, names)
                for batch in self._whole.batches
            )
        )


def _margin(table: Array, first: int, second: int) -> Array:
    """The table of two of the axes, in that order."""
    others = tuple(axis for axis in range(table.ndim) if axis not in (first, second))
    summed = table.sum(axis=others)
    return summed if first < second else summed.T
