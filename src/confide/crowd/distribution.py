"""The distribution of a number, given back from its disguise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol, overload

import pyarrow as pa

from confide.arrays import Array
from confide.crowd._intervals import ShareIntervals
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import (
    Approximation,
    Estimate,
    Quantity,
    format_decimals,
    format_size,
    is_share,
)
from confide.errors import QueryError
from confide.extras import Altair, explain_missing


class Quantiles(Protocol):
    """What finds the quantiles of a distribution."""

    def at(self, level: float) -> Quantity:
        """The number below which a share of the people lies."""


@dataclass(frozen=True, eq=False)
class Distribution(ArrowRows):
    """A histogram with standard errors.

    Where only other questions are disguised its intervals hold, and are called 95 %. Where the
    number itself has noise, the standard errors tell how much chance moves the histogram, not how
    much the noise has blurred it: it is given without intervals. The mean and the variance follow
    from the reports directly, without the histogram; the mean has an interval also under noise.

    Parameters
    ----------
    question : str
        The number's name.
    edges : array
        The ends of the intervals.
    labels : tuple of str
        The intervals as people read them.
    shares, standard_errors : arrays
        Each interval's share of the people, and its standard error.
    n : int
        The number of people it is about: of reports, or of estimated people in a sub-population.
    total : int
        The number of reports behind it.
    moments : pair of Quantity
        The mean and the variance.
    quantiles : Quantiles
        How quantiles are found.
    intervals : ShareIntervals, optional
        How the confidence intervals of the shares are made, where they are known to cover.
    """

    question: str
    edges: Array
    labels: tuple[str, ...]
    shares: Array
    standard_errors: Array
    n: int
    total: int
    moments: tuple[Quantity, Quantity] = field(repr=False)
    quantiles: Quantiles = field(repr=False)
    intervals: ShareIntervals | None = field(default=None, repr=False)

    @property
    def mean(self) -> Quantity:
        """The mean of the number."""
        return self.moments[0]

    @property
    def variance(self) -> Quantity:
        """The variance, without that of the noise."""
        return self.moments[1]

    @overload
    def quantile(self, level: float) -> Quantity: ...

    @overload
    def quantile(self, level: Iterable[float]) -> list[Quantity]: ...

    def quantile(self, level: float | Iterable[float]) -> Quantity | list[Quantity]:
        """The number below which a share of the people lies.

        It is linear within intervals, but for a number in the clear without a step whose reports
        are at hand: then it is a number that people gave.

        Several levels, such as ``[0.25, 0.5, 0.75]``, give a list of as many numbers.

        Examples
        --------
        >>> import confide as cf, pyarrow as pa
        >>> design = cf.Design([cf.Number("age", 20, 40)])
        >>> ages = cf.Crowd(design, pa.table({"age": [20 + k / 50 for k in range(1000)]}))
        >>> [round(q.value, 1) for q in ages.distribution("age").quantile([0.25, 0.5, 0.75])]
        [25.0, 30.0, 35.0]
        """
        levels = [*level] if isinstance(level, Iterable) else [level]
        if not all(is_share(each) for each in levels):
            raise QueryError(
                f"level of a quantile must be between 0 and 1, or a list of such. Got {level!r}."
            )
        found = [self.quantiles.at(each) for each in levels]
        return found if isinstance(level, Iterable) else found[0]

    @property
    def estimates(self) -> list[Estimate]:
        """The estimated share of each interval."""
        kind = Approximation if self.intervals is None else Estimate
        return [
            kind(
                float(share),
                float(error),
                self.n,
                self.total,
                None if self.intervals is None else self.intervals.at((k,)),
            )
            for k, (share, error) in enumerate(zip(self.shares, self.standard_errors, strict=True))
        ]

    def to_arrow(self) -> pa.Table:
        """The intervals as an Arrow table; low and high are empty where no interval is known."""
        ends = [each.known_interval() or (None, None) for each in self.estimates]
        return pa.table(
            {
                "from": self.edges[:-1],
                "to": self.edges[1:],
                "share": self.shares,
                "standard_error": self.standard_errors,
                "low": pa.array([low for low, _ in ends], pa.float64()),
                "high": pa.array([high for _, high in ends], pa.float64()),
            }
        )

    def _notes(self) -> Iterator[str]:
        return (each.note for each in self.estimates)

    def plot(self) -> Altair:
        """A histogram as an Altair chart, with 95 % intervals where they are known.

        Elsewhere lines reach one standard error either way, and the title says so.
        """
        with explain_missing("confide[plot]", "a chart"):
            import altair as alt

        rows = []
        pairs = zip(self.edges.tolist(), self.edges[1:].tolist(), self.estimates, strict=False)
        for start, end, share in pairs:
            low, high = share.known_interval() or (
                max(0.0, share.value - share.standard_error),
                share.value + share.standard_error,
            )
            rows.append({"from": start, "to": end, "share": share.value, "low": low, "high": high})
        data = alt.Data(values=rows)  # type: ignore[no-untyped-call]
        base = alt.Chart(data, title=self._describe())
        across = alt.X("from:Q", title=self.question, scale=alt.Scale(zero=False))
        bars = base.mark_bar(color="#8fb3d9").encode(across, x2="to:Q", y=alt.Y("share:Q"))
        whiskers = (
            base.transform_calculate(middle="(datum.from + datum.to) / 2")
            .mark_rule(color="#333333")
            .encode(x="middle:Q", y=alt.Y("low:Q", title="share"), y2="high:Q")
        )
        return bars + whiskers

    def _describe(self) -> str:
        """The heading: what is shown, what the margins are, and of how many."""
        margins = "standard errors of chance" if self.intervals is None else "95 %"
        return f"{self.question} ({margins}, {format_size(self.n, self.total)})"

    def __repr__(self) -> str:
        top = max(float(self.shares.max()), 1e-12)
        shown = [
            (label, format_decimals(each.value), each.format_margin())
            for label, each in zip(self.labels, self.estimates, strict=True)
        ]
        widths = [max(len(row[i]) for row in shown) for i in range(3)]
        lines = [
            f"  {label:{widths[0]}} {value:>{widths[1]}} {margin:{widths[2]}} "
            + "█" * round(24 * max(share, 0) / top)
            for (label, value, margin), share in zip(shown, self.shares.tolist(), strict=True)
        ]
        return "\n".join([self._describe(), *(line.rstrip() for line in lines)])
