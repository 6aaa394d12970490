"""Local trees: reconstructed anew at every node (`agrawal-srikant-2000`, section 4.2).

As by-class, but each node reconstructs the questions not yet tested above it from its own reports,
class by class, while it holds enough of them. A tested question keeps its association: to
reconstruct it on the part of its range that is left failed in a trial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from confide.counts import Counts
from confide.mining.frontier import CellFrontier, Cells
from confide.mining.numbers.association import REPORTS_EACH, Channel, associated, single

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

FEWEST_REPORTS = 100 * REPORTS_EACH
"""A node with fewer reports keeps the association of its parent."""


def local_frontier(
    batches: Sequence[Counts], target: str, features: Sequence[str]
) -> LocalFrontier:
    """The frontier of a local tree that is only a root."""
    counts = single(batches, target)
    design = counts.design
    codes, _ = associated(batches, target, by_class=True).cells()
    places = [design.position(name) for name in features]
    disguised = {q.name for b in design.blocks if b.mechanism is not None for q in b.questions}
    sizes = [design.question(name).size for name in (*features, target)]  # type: ignore[attr-defined]
    rows = _Rows(
        np.ascontiguousarray(codes[:, places].T),
        counts.patterns[:, design.position(target)].astype(np.intp),
        counts.reports / counts.n,
        np.ascontiguousarray(counts.patterns[:, places].T),
        counts.reports,
    )
    channels = [Channel.of(design, name) if name in disguised else None for name in features]
    root = np.zeros(len(rows.labels), np.intp)
    return LocalFrontier(rows, channels, sizes, root, np.zeros((1, len(features)), bool))


@dataclass(frozen=True, eq=False)
class _Rows:
    """Patterns of reports: associated codes, labels, shares, reported codes and their numbers."""

    codes: NDArray[np.int16]
    labels: Indices
    shares: Array
    reported: NDArray[np.int16]
    weights: NDArray[np.int64]

    def taken(self, kept: Indices) -> _Rows:
        return _Rows(
            np.take(self.codes, kept, axis=1),
            self.labels[kept],
            self.shares[kept],
            np.take(self.reported, kept, axis=1),
            self.weights[kept],
        )


class LocalFrontier:
    """Nodes as sets of reports, each with associations of its own."""

    def __init__(
        self,
        rows: _Rows,
        channels: list[Channel | None],
        sizes: list[int],
        node: Indices,
        tested: NDArray[np.bool_],
    ) -> None:
        self._rows, self._channels, self._sizes = rows, channels, sizes
        self._node, self._tested = node, tested
        cells = Cells(rows.codes, rows.labels, rows.shares, sizes[:-1], sizes[-1])
        self._cells = CellFrontier(cells, np.arange(len(node)), node, len(tested))

    def classes(self) -> Array:
        return self._cells.classes()

    def cross(self, questions: Sequence[int]) -> Array:
        return self._cells.cross(questions)

    def split(self, question: Indices, child: Indices) -> LocalFrontier:
        asked = question[self._node]
        opened = child[self._node, self._rows.codes[asked, np.arange(len(asked))]]
        kept = np.flatnonzero(opened >= 0)
        node, rows = opened[kept], self._rows.taken(kept)
        tested = np.zeros((int(child.max(initial=-1)) + 1, self._tested.shape[1]), bool)
        parent, value = np.nonzero(child >= 0)
        tested[child[parent, value]] = self._tested[parent]
        tested[child[parent, value], question[parent]] = True
        return LocalFrontier(
            self._reassociated(rows, node, tested), self._channels, self._sizes, node, tested
        )

    def _reassociated(self, rows: _Rows, node: Indices, tested: NDArray[np.bool_]) -> _Rows:
        large = np.bincount(node, rows.weights, len(tested)) >= FEWEST_REPORTS
        codes = rows.codes.copy()
        group = node * self._sizes[-1] + rows.labels
        for place, channel in enumerate(self._channels):
            anew = np.flatnonzero((large & ~tested[:, place])[node])
            if channel is not None and len(anew):
                own = np.unique(group[anew], return_inverse=True)[1]
                codes[place, anew] = channel.associate(
                    rows.reported[place, anew], rows.weights[anew], own
                )
        return replace(rows, codes=codes)
