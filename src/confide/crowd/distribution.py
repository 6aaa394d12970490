"""The distribution of a number, given back from its disguise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from confide.arrays import Z95, Array
from confide.crowd.estimate import Quantity
from confide.errors import QueryError
from confide.extras import Altair, explain_missing


@dataclass(frozen=True, eq=False)
class Distribution:
    """A histogram with standard errors.

    Parameters
    ----------
    question : str
        The number's name.
    edges : array
        The ends of the intervals.
    labels : tuple of str
        The intervals as people read them.
    shares : array
        Each interval's share of the population.
    replicates : array of shape (surveys, intervals)
        The shares found in surveys drawn from this distribution: what its standard errors come
        from. They tell how much chance moves it, not how much the noise has blurred it.
    n : int
        The number of reports.
    """

    question: str
    edges: Array
    labels: tuple[str, ...]
    shares: Array
    replicates: Array = field(repr=False)
    n: int

    @cached_property
    def standard_errors(self) -> Array:
        """The standard error of each interval's share."""
        return np.std(self.replicates, axis=0, ddof=1)

    @property
    def mean(self) -> Quantity:
        """The mean, each interval taken at its middle."""
        middles = (self.edges[1:] + self.edges[:-1]) / 2
        return self._infer(lambda shares: float(shares @ middles / shares.sum()))

    def quantile(self, level: float) -> Quantity:
        """The number below which a share of the population lies; linear within intervals."""
        if not 0 <= level <= 1:
            raise QueryError(f"level of a quantile must be between 0 and 1. Got {level}.")

        def interpolate(shares: Array) -> float:
            below = np.r_[0, np.cumsum(shares)]
            return float(np.interp(level * below[-1], below, self.edges))

        return self._infer(interpolate)

    def _infer(self, function: Callable[[Array], float]) -> Quantity:
        """A function of the shares, with its standard deviation over the replicates."""
        drawn = [function(shares) for shares in self.replicates]
        return Quantity(function(self.shares), float(np.std(drawn, ddof=1)), self.n)

    def plot(self) -> Altair:
        """A histogram with 95 % intervals, as an Altair chart."""
        with explain_missing("confide[plot]", "a chart"):
            import altair as alt

        margin = Z95 * self.standard_errors
        rows = [
            {"from": low, "to": high, "share": share, "low": max(0.0, share - m), "high": share + m}
            for low, high, share, m in zip(
                self.edges.tolist(),
                self.edges[1:].tolist(),
                self.shares.tolist(),
                margin.tolist(),
                strict=False,
            )
        ]
        data = alt.Data(values=rows)  # type: ignore[no-untyped-call]
        base = alt.Chart(data, title=f"{self.question} (n = {self.n:,})")
        across = alt.X("from:Q", title=self.question, scale=alt.Scale(zero=False))
        bars = base.mark_bar(color="#8fb3d9").encode(across, x2="to:Q", y=alt.Y("share:Q"))
        whiskers = (
            base.transform_calculate(middle="(datum.from + datum.to) / 2")
            .mark_rule(color="#333333")
            .encode(x="middle:Q", y=alt.Y("low:Q", title="share"), y2="high:Q")
        )
        return bars + whiskers

    def __repr__(self) -> str:
        top = max(float(self.shares.max()), 1e-12)
        width = max(map(len, self.labels))
        lines = [
            f"  {label:{width}} {share:7.3f} ± {Z95 * error:.3f} "
            + "█" * round(24 * max(share, 0) / top)
            for label, share, error in zip(
                self.labels, self.shares, self.standard_errors, strict=True
            )
        ]
        return "\n".join([f"{self.question} (n = {self.n:,})", *lines])
