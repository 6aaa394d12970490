"""Noise in whole steps, for numbers on a grid: exact integers in place of floating point.

A number with a step has finitely many values, so its noise can be drawn as the respondent's script
draws everything else: one integer, looked up in a row of integer weights. The noise of j steps has
the chance that the continuous noise is nearer to j steps than to any other number of them. Noise
without bounds is cut off where reports are no longer told apart: what would fall beyond the lowest
or the highest report becomes that report, so every report stays possible for every number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf, log
from typing import TypedDict

import numpy as np

from confide.arrays import Array
from confide.mechanisms.asked import AskedNumber
from confide.mechanisms.channel import IntArray, Picker
from confide.mechanisms.grid import Grid
from confide.mechanisms.probability import LARGEST_DENOMINATOR
from confide.mechanisms.randomness import Randomness

LARGEST_GRID = 20_000
"""More possible numbers than this would make the table of weights too long for a browser."""


class NoiseWeights(TypedDict):
    """How the noise on a number with a step is drawn; see `SteppedNoise.table`."""

    low: float
    step: float
    lowest: int
    highest: int
    offsets: list[int]


@dataclass(frozen=True, eq=False)
class SteppedNoise:
    """The exact channel of noise on a grid of numbers.

    Parameters
    ----------
    low, step : float
        The lowest number, and the distance to the next.
    points : int
        How many possible numbers there are.
    beyond : int
        How many steps the outermost reports lie beyond the outermost numbers.
    weights : integer array of odd length
        How likely each number of steps is added, in 2^32nds; none in the middle.
    """

    low: float
    step: float
    points: int
    beyond: int
    weights: IntArray

    @classmethod
    def of(
        cls,
        cumulative: Callable[[Array], Array],
        bounded: bool,
        reach: float,
        asked: AskedNumber,
        step: float,
    ) -> SteppedNoise:
        """Make the channel of symmetric noise from its distribution function."""
        points = round((asked.high - asked.low) / step) + 1
        each = _count_points_per_cell(asked.grid, step)
        cells = int(np.ceil((reach / step - 0.5) / each - 1e-9))
        beyond = max(1, cells) * each
        furthest = beyond if bounded else beyond + points - 1
        edges = (np.arange(furthest + 1, dtype=np.float64) + 0.5) * step
        above = cumulative(-edges)  # the chance of noise beyond each edge, by symmetry
        chances = np.r_[above[:-2] - above[1:-1], above[-2]]
        scaled = np.rint(chances * LARGEST_DENOMINATOR).astype(np.int64)
        side = scaled if bounded else scaled.clip(1)
        middle = LARGEST_DENOMINATOR - 2 * int(side.sum())
        return cls(asked.low, step, points, beyond, np.r_[side[::-1], middle, side])

    @property
    def _furthest(self) -> int:
        return len(self.weights) // 2

    @cached_property
    def _picker(self) -> Picker:
        return Picker(self.weights[None])

    def sample(self, values: Array, randomness: Randomness) -> Array:
        """Disguise a column of numbers of the grid."""
        place = np.rint((values - self.low) / self.step).astype(np.int64)
        added = self._picker.pick(0, randomness, len(values)).astype(np.int64) - self._furthest
        report = (place + added).clip(-self.beyond, self.points - 1 + self.beyond)
        return np.asarray(self.low + report * self.step)

    def table(self) -> NoiseWeights:
        """Give the weights as the respondent's script reads them.

        Draw one integer below the sum of ``offsets`` and find its cell; the cell's distance from
        the middle one is the number of steps to add. Keep the number of steps above ``low``
        between ``lowest`` and ``highest``; the report is ``low`` plus that many times ``step``.
        """
        return {
            "low": self.low,
            "step": self.step,
            "lowest": -self.beyond,
            "highest": self.points - 1 + self.beyond,
            "offsets": self.weights.tolist(),
        }

    def report_grid(self, truth: Grid) -> Grid:
        """The intervals in which reports are counted: the truth's, carried on at both ends."""
        edges = truth.array
        width = edges[1] - edges[0]
        more = np.arange(1, self.beyond // _count_points_per_cell(truth, self.step) + 1) * width
        return Grid(tuple(np.r_[edges[0] - more[::-1], edges, edges[-1] + more].tolist()))

    def matrix(self, truth: Grid) -> Array:
        """The chance of each report interval given each true interval, its numbers alike likely."""
        each = _count_points_per_cell(truth, self.step)
        cells = truth.size + 2 * (self.beyond // each)
        last = np.arange(1, cells + 1) * each - 1 - self.beyond
        summed = np.r_[0, np.cumsum(self.weights)] / LARGEST_DENOMINATOR
        point = np.arange(self.points)
        place = (last[:, None] - point + self._furthest + 1).clip(0, len(self.weights))
        below = np.where(last[:, None] >= self.points - 1 + self.beyond, 1.0, summed[place])
        starts = np.arange(0, self.points, each)
        mean = np.add.reduceat(below, starts, axis=1) / np.diff(np.r_[starts, self.points])
        return np.diff(mean, axis=0, prepend=0.0).clip(0)

    def width(self, confidence: float) -> float:
        """The narrowest interval around a report that holds the number with some confidence."""
        middle = self._furthest
        both_sides = 2 * np.cumsum(self.weights[middle + 1 :])
        held = np.r_[self.weights[middle], self.weights[middle] + both_sides]
        return 2 * self.step * int(np.searchsorted(held, confidence * held[-1] - 0.5))

    def epsilon(self) -> float:
        """The largest log-ratio of two numbers' chances of one report.

        The weights fall from the middle to both ends, so within the window of numbers that a
        report may come from, the largest weight is the one nearest the middle and the smallest is
        at an end; the outermost reports gather all that falls beyond them.
        """
        middle = self._furthest
        last = np.arange(1 - self.beyond, self.points - 1 + self.beyond)
        first = last - self.points + 1
        padded = np.pad(self.weights, self.points)
        at = middle + self.points
        least = np.minimum(padded[first + at], padded[last + at])
        most = padded[np.clip(0, first, last) + at]
        summed = np.cumsum(padded)
        gathered = summed[at - self.beyond], summed[at - self.beyond - self.points + 1]
        if least.min() == 0 or gathered[1] == 0:
            return inf
        return max(float(np.log(most / least).max()), log(gathered[0] / gathered[1]))


def _count_points_per_cell(truth: Grid, step: float) -> int:
    return round((truth.edges[1] - truth.edges[0]) / step)
