"""From places among the intervals of a number in the clear to the numbers that stand there."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from confide.arrays import Array
from confide.crowd._finer_numbers import find_blur, join_numbers
from confide.crowd._subpopulation import Subpopulation

_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class NumberScale:
    """Which number stands at a place among the intervals of a number: at 2.5 in the third's middle.

    Parameters
    ----------
    edges : array
        Of the intervals.
    values, until : array
        The numbers that were given, if they are at hand, and the place where each ends, by how many
        people gave those of its interval.
    blur : float
        By how much numbers may have been rounded.
    """

    edges: Array
    values: Array
    until: Array
    blur: float

    @classmethod
    def of(cls, people: Subpopulation, name: str) -> NumberScale:
        """Make that of a number in the clear."""
        number = people.design.block(name).number
        edges = number.grid.array.clip(max=number.high + (number.step or 0) / 2)
        numbers = join_numbers(people, name)
        if numbers is None:
            return cls(edges, np.zeros(0), np.zeros(0), find_blur(people, name))
        codes, shares = number.grid.code(numbers.values), numbers.shares
        people_in = np.bincount(codes, shares, number.size)
        before = np.r_[0, np.cumsum(people_in)][codes]
        until = codes + (np.cumsum(shares) - before) / people_in[codes]
        return cls(edges, numbers.values, until, find_blur(people, name))

    def find_number(self, place: float) -> float:
        """The number at a place; between edges if the numbers are not at hand."""
        if not len(self.values):
            return float(np.interp(place, np.arange(len(self.edges)), self.edges))
        among = int(np.searchsorted(self.until, place - _ROUNDING))
        return float(self.values[min(among, len(self.values) - 1)])

    def find_ends(self, first: float, last: float) -> tuple[float, float]:
        """The numbers from one place to another, at most: whole intervals if no more is known."""
        if self.blur and not len(self.values):
            return float(self.edges[floor(first)]), float(self.edges[ceil(last)])
        low, high = self.find_number(first) - self.blur, self.find_number(last) + self.blur
        return max(low, float(self.edges[0])), min(high, float(self.edges[-1]))
