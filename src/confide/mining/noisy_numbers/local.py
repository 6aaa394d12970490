"""Local trees: reconstructed anew at every node (`agrawal-srikant-2000`, section 4.2).

As by-class, but each node reconstructs the questions not yet tested above it from its own reports,
class by class, while it holds as many as the fewest intervals ask for. A tested question keeps its
association: to reconstruct it on the part of its range that is left failed in a trial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Indices
from confide.counts import Counts
from confide.mining.noisy_numbers.association import (
    FEWEST_REPORTS,
    IntervalChannel,
    choose_interval_counts,
    find_disguised,
    read_rows,
)
from confide.mining.trees.frontier import CellFrontier, Cells


def open_local_root(
    batches: Sequence[Counts], target: str, features: Sequence[str]
) -> LocalFrontier:
    """Open the frontier of a local tree that is only a root."""
    design, rows = read_rows(batches, target)
    hidden = find_disguised(design)
    survey = _Survey(
        len(rows),
        [IntervalChannel(design, name) if name in hidden else None for name in features],
        [design.question(name).size for name in features],
        design.question(target).size,
    )
    columns = np.ascontiguousarray(rows[:, [design.position(name) for name in features]].T)
    labels = rows[:, design.position(target)].astype(np.intp)
    root, untested = np.zeros(len(rows), np.intp), np.zeros((1, len(features)), bool)
    return LocalFrontier(survey, _Rows(columns, columns, labels, root), untested, fewest=0)


@dataclass(frozen=True, eq=False)
class _Survey:
    """What is the same in all nodes: the number of reports, the channels, the sizes."""

    n: int
    channels: list[IntervalChannel | None]
    sizes: list[int]
    classes: int


@dataclass(frozen=True, eq=False)
class _Rows:
    """The reports in open nodes: associated and reported codes by feature, class and node."""

    codes: NDArray[np.int16]
    reported: NDArray[np.int16]
    labels: Indices
    node: Indices


class LocalFrontier:
    """Nodes as sets of reports, each with associations of its own.

    Parameters
    ----------
    survey : _Survey
        What is the same in all nodes.
    rows : _Rows
        The reports, with the associations that they bring along.
    tested : truth values of shape (nodes, features)
        Which features were tested above each node.
    fewest : int
        A node with fewer reports keeps the associations of its parent.
    """

    def __init__(
        self,
        survey: _Survey,
        rows: _Rows,
        tested: NDArray[np.bool_],
        fewest: int = FEWEST_REPORTS,
    ) -> None:
        self._survey, self._rows, self._tested = survey, rows, tested
        self._codes = self._associate(fewest)
        shares = np.full(len(rows.node), 1 / survey.n)
        cells = Cells(self._codes, rows.labels, shares, survey.sizes, survey.classes)
        self._cells = CellFrontier(cells, np.arange(len(rows.node)), rows.node, len(tested))

    def _associate(self, fewest: int) -> NDArray[np.int16]:
        """Give the codes, associated anew in nodes that are large enough."""
        rows, classes = self._rows, self._survey.classes
        sizes = np.bincount(rows.node, minlength=len(self._tested))
        group, codes = rows.node * classes + rows.labels, rows.codes.copy()
        for place, channel in enumerate(self._survey.channels):
            anew = (sizes >= fewest) & ~self._tested[:, place]
            if channel is not None and anew.any():
                ours = np.flatnonzero(anew[rows.node])
                number = np.cumsum(np.repeat(anew, classes)) - 1
                cells = np.repeat(choose_interval_counts(sizes[anew]), classes)
                codes[place, ours] = channel.associate(
                    rows.reported[place, ours], number[group[ours]], cells
                )
        return codes

    def classes(self) -> Array:
        return self._cells.classes()

    def cross(self, questions: Sequence[int]) -> Array:
        return self._cells.cross(questions)

    def split(self, question: Indices, child: Indices) -> LocalFrontier:
        rows = self._rows
        asked = question[rows.node]
        opened = child[rows.node, self._codes[asked, np.arange(len(asked))]]
        kept = np.flatnonzero(opened >= 0)
        below = _Rows(
            np.take(self._codes, kept, axis=1),
            np.take(rows.reported, kept, axis=1),
            rows.labels[kept],
            opened[kept],
        )
        tested = np.zeros((int(child.max(initial=-1)) + 1, self._tested.shape[1]), bool)
        parent, value = np.nonzero(child >= 0)
        tested[child[parent, value]] = self._tested[parent]
        tested[child[parent, value], question[parent]] = True
        return LocalFrontier(self._survey, below, tested)
