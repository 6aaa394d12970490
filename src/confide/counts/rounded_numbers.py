"""The numbers that people gave in the clear: finer than the intervals by which counts hold them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor, log10

import numpy as np

from confide.arrays import Array, Values
from confide.counts.counts import Counts
from confide.mechanisms import Grid

SMALLEST_PART = 0.01
_MOVED = 0.002
_ROUNDING, _HAIR = 1e-9, 1e-6


@dataclass(frozen=True, eq=False)
class RoundedNumbers:
    """The numbers of a crowd, rounded to its step or finely, and how many people gave each.

    Parameters
    ----------
    values, shares : array
        The numbers that occur, rising, and the share of the people with each.
    half : float
        By how much a number may have been rounded.
    """

    values: Array
    shares: Array
    half: float

    @classmethod
    def of(cls, counts: Counts, name: str, weights: Values) -> RoundedNumbers:
        """Read them from counts under a design that rounds them (`round_design`).

        ``weights`` says how much each pattern counts.
        """
        shares, number = share_out(counts, name, weights), counts.design.block(name).number
        given = np.flatnonzero(shares)
        values = number.grid.middles[given].clip(number.low, number.high)
        half = float(number.grid.array[1] - number.grid.array[0]) / 2
        return cls(values, shares[given], half)

    @classmethod
    def join(cls, parts: Sequence[RoundedNumbers], sizes: Sequence[float]) -> RoundedNumbers:
        """Join the numbers of several crowds, each of so many people."""
        values, place = np.unique(
            np.concatenate([part.values for part in parts]), return_inverse=True
        )
        people = [size * part.shares for size, part in zip(sizes, parts, strict=True)]
        shares = np.bincount(place, np.concatenate(people)) / sum(sizes)
        return cls(values, shares, parts[0].half)

    def agrees(self, shares: Array, grid: Grid) -> bool:
        """Whether these may be the numbers of people with these shares in some intervals."""
        people, others = np.r_[0, np.cumsum(self.shares)], np.cumsum(shares)[:-1]
        edges, hair = grid.array[1:-1], self.half / 100
        least = people[np.searchsorted(self.values + self.half, edges - hair, side="right")]
        most = people[np.searchsorted(self.values - self.half, edges + hair)]
        return bool(((least < others + _ROUNDING) & (others < most + _ROUNDING)).all())

    def average(self, grid: Grid, power: int) -> Array:
        """Average the numbers in each interval, or their squares; where there are none, middles."""
        codes = grid.code(self.values)
        people = np.bincount(codes, self.shares, grid.size)
        sums = np.bincount(codes, self.shares * self.values**power, grid.size)
        return np.divide(sums, people, out=grid.middles**power, where=people > 0)

    def find_places(self, grid: Grid, stepless: bool, part: float = SMALLEST_PART) -> list[float]:
        """Find where to cut intervals that hold more than twice a part of the people into such.

        A number that as many people gave has a part of its own. Where numbers have no step a cut
        has no more digits than tell it from its neighbours.
        """
        crowded = np.bincount(grid.code(self.values), self.shares, grid.size) > 2 * part
        parts = np.floor(np.round((np.cumsum(self.shares) - self.shares / 2) / part, 9))
        ends = self.shares > 2 * part
        begins = np.r_[False, np.diff(parts) > 0] | ends
        places = np.unique(np.r_[self.values[begins] - self.half, self.values[ends] + self.half])
        inside = (places > grid.array[0]) & (places < grid.array[-1])
        inside &= np.abs(grid.array[:, None] - places).min(axis=0) > self.half / 2
        places = places[inside & crowded[grid.code(places.clip(*grid.ends))]]
        return self._shorten(places, grid) if stepless else places.tolist()

    def _shorten(self, places: Array, grid: Grid) -> list[float]:
        """Write places with as few digits as hardly anybody changes the side for.

        Nor may many have been rounded from one side to the other.
        """
        edges = np.unique([*grid.edges, *places])
        people = np.r_[0, np.cumsum(self.shares)]
        fewest = -floor(log10(edges[-1] - edges[0]))
        near = self.half * (1 - _HAIR)
        short = []
        for place, at in zip(places.tolist(), np.searchsorted(edges, places).tolist(), strict=True):
            low, high = (edges[at - 1] + place) / 2, (place + edges[at + 1]) / 2
            for digits in range(fewest, fewest + 17):
                written = round(place, digits)
                around = np.searchsorted(
                    self.values, [written - near, written + near, written, place]
                )
                least, most, below, wanted = people[around]
                if low < written < high and most - least + abs(below - wanted) <= _MOVED:
                    break
            else:
                written = place
            short.append(written)
        return short


def share_out(counts: Counts, name: str, weights: Values) -> Array:
    """The shares of the people who gave a number in its intervals, each pattern with its weight.

    All are 0 where nobody gave it.
    """
    design = counts.design
    codes, number = counts.patterns[:, design.position(name)], design.block(name).number
    if name in design.declines:  # in the place of a missing number stands another
        weights = weights * (counts.patterns[:, design.position(design.declines[name])] == 0)
    people = np.bincount(codes, weights, number.size)
    return np.asarray(people / (people.sum() or 1.0))
