"""The joint distribution of the few questions that matter and the target, for a tree to grow on.

`agrawal-srikant-2000` reconstructs each number alone and so loses what lies between them. Here the
table over all of them is followed by expectation–maximisation through the product of the channels.
It is stopped where reports held out are predicted best, and then three times as far, with all
reports: a tree wants the edges sharper than a prediction of reports does (measured on the five
synthetic functions, where the best point lay between one and five times as far). A table of several
questions is carried no further than held-out reports were asked: beyond that its many cells become
spikes, and trees on them are worse. A question alone has few cells, and edges that still sharpen.

Where the target is disguised, too, its reports hardly see such spikes: the held-out ones may still
gain a little when trees have long become worse. There it is stopped as soon as they gain less than
a nat, and carried no further.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Indices
from confide.crowd import Crowd
from confide.design import Design
from confide.estimators.merged_intervals import MergedIntervals
from confide.mining.noisy_numbers.cell_budget import share_out_cells
from confide.mining.noisy_numbers.folds import (
    Folds,
    em_steps,
    measure_gain,
    tabulate_reports,
    uniform_table,
)
from confide.mining.noisy_numbers.screening import screen_questions

_CELLS = 8_000  # which all questions of the table share
_LOOKS = (10, 20, 40, 80, 120, 160, 240, 320, 480)  # steps after which held-out reports are asked
_FURTHER = 3  # times as many steps are taken with all reports
_NAT = 1.0  # so much held-out reports of a disguised target must gain from look to look


def reconstruct_population(
    crowd: Crowd, folds: Folds, target: str, features: Sequence[str]
) -> tuple[ReconstructedPopulation, float]:
    """Reconstruct the joint distribution of the target and the questions that tell about it.

    Returns
    -------
    population, log_likelihood
        The reconstruction, and the sum of ln P of the held-out targets under it.
    """
    design = crowd.design
    chosen = screen_questions(folds, target, features)
    names = [*chosen, target]
    cells = share_out_cells(design, chosen, _CELLS)
    whole = tabulate_reports(crowd.counts, names, cells)
    steps, told = find_best_steps(folds, names, cells)
    if not folds.is_disguised(target):
        steps = _FURTHER * steps if len(chosen) == 1 else min(_FURTHER * steps, _LOOKS[-1])
    table = em_steps(whole, uniform_table(whole), steps)
    merged = whole[0].channel.merged
    return ReconstructedPopulation(design, crowd.n, tuple(names), table, merged), told


def find_best_steps(
    folds: Folds, names: list[str], cells: Mapping[str, int | Indices]
) -> tuple[int, float]:
    """Find after how many steps the held-out targets are predicted best, and their ln P there."""
    learning, held = (tabulate_reports(part, names, cells) for part in (folds.learning, folds.held))
    least = _NAT if folds.is_disguised(names[-1]) else 0.0
    model, best, steps, done = uniform_table(learning), -np.inf, _LOOKS[0], 0
    for look in _LOOKS:
        model, done = em_steps(learning, model, look - done), look
        value = measure_gain(held, model).value
        if value < best + least:
            break
        best, steps = value, look
    return steps, best


@dataclass(frozen=True, eq=False)
class ReconstructedPopulation:
    """A joint table over some of a design's questions as a population.

    Parameters
    ----------
    design : Design
        The whole design.
    n : int
        The number of reports.
    names : tuple of str
        The table's axes.
    table : array
        The estimated shares.
    merged : mapping
        How the numbers' intervals were merged.
    """

    design: Design
    n: int
    names: tuple[str, ...]
    table: Array
    merged: dict[str, MergedIntervals]

    def cells(self) -> tuple[NDArray[np.int16], Array]:
        """Give the combinations that have a share, and their shares; other questions have code 0.

        A merged interval is written as the last of its parts, so that a cut falls on its edge.
        """
        filled = np.flatnonzero(self.table)
        places = np.unravel_index(filled, self.table.shape)
        codes = np.zeros((len(filled), len(self.design.names)), np.int16)
        for name, place in zip(self.names, places, strict=True):
            if name in self.merged:
                place = find_last_fine_intervals(self.merged[name])[place]
            codes[:, self.design.position(name)] = place
        return codes, self.table.ravel()[filled]


def find_last_fine_intervals(axis: MergedIntervals) -> NDArray[np.intp]:
    """Find the last fine interval of each merged one."""
    return np.flatnonzero(np.diff(axis.truth, append=axis.grid.size))
