"""The distribution of a number, given back from its disguise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.crowd.algebra import Array
from confide.mechanisms import Grid


@dataclass(frozen=True, eq=False)
class Distribution:
    """A histogram with standard errors.

    Parameters
    ----------
    question : str
        The number's name.
    edges : array
        The ends of the intervals.
    shares, standard_errors : arrays
        Each interval's share of the population.
    n : int
        The number of reports.
    """

    question: str
    edges: Array
    shares: Array
    standard_errors: Array
    n: int

    @property
    def mean(self) -> float:
        """The mean, each interval taken at its middle."""
        return float(self.shares @ ((self.edges[1:] + self.edges[:-1]) / 2))

    def quantile(self, level: float) -> float:
        """The number below which a share of the population lies; linear within intervals."""
        below = np.r_[0, np.cumsum(self.shares.clip(0))]
        return float(np.interp(level * below[-1], below, self.edges))

    def __repr__(self) -> str:
        top = max(float(self.shares.max()), 1e-12)
        lines = [
            f"{low:>10g} to {high:<10g} {share:6.3f} ± {1.96 * error:.3f} "
            + "█" * round(24 * max(share, 0) / top)
            for low, high, share, error in zip(
                self.edges, self.edges[1:], self.shares, self.standard_errors, strict=False
            )
        ]
        return "\n".join([f"{self.question} (n = {self.n:,})", *lines])


def distribution(
    question: str, grid: Grid, shares: Array, errors: Array, n: int, intervals: int | None
) -> Distribution:
    """Gather a fine grid into the wanted number of intervals."""
    wanted = int(np.clip(n // 100, 10, 100)) if intervals is None else max(1, int(intervals))
    each = max(1, -(-grid.size // wanted))
    starts = np.arange(0, grid.size, each)
    return Distribution(
        question,
        np.r_[grid.array[starts], grid.array[-1]],
        np.add.reduceat(shares, starts),
        np.sqrt(np.add.reduceat(errors**2, starts)),
        n,
    )
