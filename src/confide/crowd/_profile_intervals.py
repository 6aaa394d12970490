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
from confide.estimators.profile_likelihood import TIED, Profile

MOST_CELLS = 16
"""A larger table, its sub-population's questions included, takes too long."""
_PRECISION = 1 / 25  # of a standard error
_STEPS = 40  # three are needed, or a dozen with few reports
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
        """Find the end towards a bound: the last share on the way there whose cost is usual.

        Costs grow about as squares, which leads to the end in three steps. But few reports have
        few costs, and one of them is then the rare one for a whole range of shares, so that from
        there on every other step goes to the middle of what is left.
        """
        place, value = self._locate(cell), float(self.values[cell])
        if bound == value:
            return bound
        precision = _PRECISION * float(self.errors[cell]) / abs(bound - value)
        way, last, beyond = self._guess_way(place, value, bound, level, precision), 0.0, 2.0
        for step in range(_STEPS):
            share = value + way * (bound - value)
            cost, usual = self.profile.cost(place, share), self.profile.usual_costs(place, share)
            if step == 0 and usual.regular:
                return share
            rare = usual.find_rare_cost(level)
            last, beyond = (way, beyond) if cost <= rare + TIED else (last, way)
            if last == 1 or beyond - last <= precision:
                break
            nudge = precision / 2 if last == way else -precision / 2
            way = way * sqrt(rare / cost) + nudge if cost > 0 else 1.0
            if (step % 2 and step > 2) or not last < way < beyond:
                way = (last + beyond) / 2 if beyond <= 1 else 1.5 * last
            way = min(way, 1.0)
        return value + min(beyond, 1.0) * (bound - value)

    def _guess_way(
        self, place: int, value: float, bound: float, level: float, precision: float
    ) -> float:
        """How far on the way from a value to a bound the end is, if costs are χ²."""
        usual = NormalDist().inv_cdf((1 + level) / 2)

        def excess(way: float) -> float:
            share = value + way * (bound - value)
            return sqrt(self.profile.cost(place, share)) - usual - _NOTHING

        return find_root(excess, 0.0, 1.0, precision)

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
