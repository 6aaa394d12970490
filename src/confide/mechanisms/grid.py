"""Numbers cut into intervals, so that they can be counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import floor, log10
from sys import float_info

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array


def write_apart(numbers: Sequence[float], digits: int, narrowest: float) -> list[str]:
    """Write numbers with so many significant digits; if some then look alike, to a hundredth of
    the narrowest distance between them.

    >>> write_apart([0, 0.25], 10, 0.25), write_apart([1e12, 1e12 + 0.25], 10, 0.25)
    (['0', '0.25'], ['1000000000000', '1000000000000.25'])
    """
    short = [f"{number:.{digits}g}" for number in numbers]
    if len(set(short)) == len(set(numbers)):
        return short
    decimals = _hundredth(narrowest)
    return [np.format_float_positional(round(number, decimals), trim="-") for number in numbers]


def _hundredth(narrowest: float) -> int:
    """How many decimals tell a hundredth of a distance."""
    return 2 - floor(log10(narrowest))


@dataclass(frozen=True)
class Grid:
    """Neighbouring intervals; each holds its lower edge, the last its upper edge too.

    Parameters
    ----------
    edges : tuple of float
        Rising. The outermost may be infinite.
    """

    edges: tuple[float, ...]

    @classmethod
    def equal(cls, low: float, high: float, cells: int) -> Grid:
        """Cut a range into so many intervals of equal width."""
        return cls(tuple(np.linspace(low, high, cells + 1).tolist()))

    @property
    def size(self) -> int:
        """How many intervals there are."""
        return len(self.edges) - 1

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest number in it: an open end holds no infinity."""
        return max(self.edges[0], -float_info.max), min(self.edges[-1], float_info.max)

    @cached_property
    def array(self) -> Array:
        """The edges as an array."""
        return np.array(self.edges)

    @cached_property
    def middles(self) -> Array:
        """The middle of each interval; of an open one its only edge."""
        low, high = self.array[:-1], self.array[1:]
        return np.where(np.isinf(low), high, np.where(np.isinf(high), low, (low + high) / 2))

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The intervals as people write them, to a hundredth of the narrowest.

        >>> Grid((0.0, 1.5, 2e6)).labels, Grid.equal(0, 10, 3).labels[0]
        (('0 to 1.5', '1.5 to 2000000'), '0 to 3.33')
        """
        finite = self.array[np.isfinite(self.array)]
        narrowest = float(np.diff(finite).min()) if len(finite) > 1 else 1.0
        rounded = [round(edge, _hundredth(narrowest)) + 0.0 for edge in self.edges]
        ends = write_apart(rounded, 15, narrowest)
        return tuple(f"{a} to {b}" for a, b in pairwise(ends))

    @cached_property
    def even_spacing(self) -> tuple[float, float] | None:
        """The first finite edge and the common width of the intervals; None if they differ.

        Interval k then starts at first + k · width exactly, so that an engine can compute it.
        """
        finite = self.array[np.isfinite(self.array)]
        width = float((finite[-1] - finite[0]) / max(len(finite) - 1, 1))
        equal = (finite[:-1] == finite[0] + np.arange(len(finite) - 1) * width).all()
        return (float(finite[0]), width) if equal else None

    def code(self, values: Array) -> NDArray[np.int64]:
        """The interval of each value; −1 for a value in none, NaN and infinity among them.

        >>> Grid((0.0, 1.0, 3.0)).code(np.array([0, 1, 3, 4, float("nan")])).tolist()
        [0, 1, 1, -1, -1]
        """
        low, high = self.ends
        inside = (values >= low) & (values <= high)
        codes = np.searchsorted(self.array, values, side="right") - 1
        return np.where(inside, codes.clip(0, self.size - 1), -1)
