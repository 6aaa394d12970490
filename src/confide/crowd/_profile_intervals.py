"""The intervals of a likelihood table's shares, by their profile likelihood."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.crowd._intervals import CellInterval
from confide.crowd._root import find_root
from confide.estimators.profile_likelihood import Profile

MOST_CELLS = 16
"""A larger table, its sub-population's questions included, takes too long."""
_PRECISION = 1 / 50  # of a standard error
_ROUNDS = 5  # two or three are needed
_NOTHING = 2e-3  # a cost, as its root, that is rounding


@dataclass(frozen=True, eq=False)
class ProfileIntervals:
    """The shares with which the reports agree about as well as with the most likely ones.

    Parameters
    ----------
    profile : Profile
        The reports.
    values, errors : arrays
        The most likely shares, and their standard errors.
    """

    profile: Profile
    values: Array
    errors: Array
    _known: dict[tuple[tuple[int, ...], float], tuple[float, float]] = field(
        default_factory=dict, repr=False
    )

    def ends(self, level: float) -> tuple[Array, Array]:
        """The lower and the upper ends of all cells."""
        cells = list(np.ndindex(self.values.shape))
        low, high = np.array([self.cell_ends(cell, level) for cell in cells]).T
        return low.reshape(self.values.shape), high.reshape(self.values.shape)

    def accept(self, share: float, level: float) -> NDArray[np.bool_]:
        """Whether each cell's interval holds a share."""
        low, high = self.ends(level)
        return np.asarray((low <= share) & (share <= high))

    def at(self, cell: tuple[int, ...]) -> ProfileInterval:
        """The interval of one cell."""
        return ProfileInterval(self, cell)

    def p_value(self, cell: tuple[int, ...], share: float) -> float:
        """How rarely surveys in which a cell has this share agree with it as badly."""
        place = self._locate(cell)
        cost = self.profile.cost(place, share)
        return self.profile.usual_costs(place, share).share_beyond(cost)

    def cell_ends(self, cell: tuple[int, ...], level: float) -> tuple[float, float]:
        """The lower and the upper end of one cell."""
        if (cell, level) not in self._known:
            low, high = (self._find_end(cell, level, bound) for bound in (0.0, 1.0))
            self._known[cell, level] = low, high
        return self._known[cell, level]

    def _find_end(self, cell: tuple[int, ...], level: float, bound: float) -> float:
        """Find the end towards a bound: where the cost is the usual one.

        What is usual hardly depends on the share, so it is found at one end, and again at the end
        that it leads to.
        """
        place, value = self._locate(cell), float(self.values[cell])
        precision = _PRECISION * float(self.errors[cell])
        usual, end = NormalDist().inv_cdf((1 + level) / 2) ** 2, value
        for _ in range(_ROUNDS):
            before, end = end, self._follow(place, usual, value, bound, precision)
            if abs(end - before) <= precision:
                break
            usual = self.profile.usual_costs(place, end).find_rare_cost(level)
        return end

    def _follow(
        self, place: int, usual: float, value: float, bound: float, precision: float
    ) -> float:
        """Where a cost is reached on the way from a value to a bound."""

        def excess(way: float) -> float:
            share = value + way * (bound - value)
            return sqrt(self.profile.cost(place, share)) - sqrt(usual) - _NOTHING

        length = abs(bound - value)
        way = find_root(excess, 0.0, 1.0, precision / length) if length > 0 else 1.0
        return value + way * (bound - value)

    def _locate(self, cell: tuple[int, ...]) -> int:
        """The place of a cell among the truths of the profile, which are in the table's order."""
        place = np.ravel_multi_index(cell, self.values.shape)
        return int(np.flatnonzero(self.profile.inside)[place])


@dataclass(frozen=True, eq=False)
class ProfileInterval(CellInterval):
    """The interval of one cell of a likelihood table."""

    intervals: ProfileIntervals

    def p_value(self, value: float) -> float:
        """How well the reports agree with a share, without looking for the interval's ends."""
        return self.intervals.p_value(self.cell, value)
