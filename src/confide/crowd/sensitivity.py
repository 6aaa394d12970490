"""How an estimate moves if some people say no whatever the coin says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

import numpy as np
import pyarrow as pa

from confide.counts import Counts
from confide.crowd._effective_size import count_effective_for, stretch_variance
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import Estimate
from confide.errors import QueryError
from confide.extras import Altair, explain_missing


@dataclass(frozen=True)
class SensitivityPoint:
    """An estimate, were so many people to say no whatever the coin says.

    Parameters
    ----------
    refusing : float
        The share of those who do.
    share : Estimate
        The share of yes among all others; of everybody, if those who refuse are like them.
    low, high : float
        The share of yes of everybody, if those who refuse are all no, and if they are all yes.
    """

    refusing: float
    share: Estimate
    low: float
    high: float


@dataclass(frozen=True, repr=False)
class Sensitivity(ArrowRows):
    """How the share of yes moves with the share of people who refuse.

    Parameters
    ----------
    question : str
        The question.
    points : tuple of SensitivityPoint
        One for each share of people who refuse.
    """

    question: str
    points: tuple[SensitivityPoint, ...]

    def to_arrow(self) -> pa.Table:
        """One row for each share of people who refuse."""
        return pa.Table.from_pylist([_write_row(point) for point in self.points])

    def _notes(self) -> Iterator[str]:
        return (point.share.note for point in self.points)

    def plot(self) -> Altair:
        """The share of yes over the share of people who refuse, as an Altair chart.

        Dark: the 95 % interval if those who refuse are like all others. Light: from where they are
        all no to where they are all yes.
        """
        with explain_missing("confide[plot]", "a chart"):
            import altair as alt

        data = alt.Data(values=[_write_row(p) for p in self.points])  # type: ignore[no-untyped-call]
        across = alt.X("refusing:Q", title="people who refuse", axis=alt.Axis(format="%"))
        base = alt.Chart(data, title=self.question).encode(across)
        up = alt.Y("all_no:Q", title="share of yes", axis=alt.Axis(format="%"))
        possible = base.mark_area(color="#d9e5f2").encode(up, y2="all_yes:Q")
        chance = base.mark_area(color="#8fb3d9").encode(y="low:Q", y2="high:Q")
        return possible + chance + base.mark_line(color="#1f4e79").encode(y="share:Q")

    def __iter__(self) -> Iterator[SensitivityPoint]:
        return iter(self.points)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, place: int) -> SensitivityPoint:
        return self.points[place]

    def __repr__(self) -> str:
        lines = [
            f"{p.refusing:6.1%} refuse: {p.share}; {p.low:.3f} to {p.high:.3f} of everybody"
            for p in self.points
        ]
        return "\n".join([f"{self.question} = yes, if people refuse", *lines])


def measure_sensitivity(
    counts: Counts, question: str, refusing: tuple[float, float], points: int
) -> Sensitivity:
    """Measure how the share of yes moves with the share of people who refuse.

    Of the reports of yes, λ, only those who comply gave any: λ/(1 − r) is what they report, and
    the channel undone gives their share.
    """
    first, last = refusing
    if not 0 <= first <= last < 1:
        raise QueryError(
            f"refusing must be two shares from 0 to below 1, such as (0, 0.3). Got {refusing}."
        )
    if points < 2:
        raise QueryError(f"points must be at least 2. Got {points}.")
    design = counts.design
    asked, block = design.question(question), design.block(question)
    if asked.size != 2 or asked.grid is not None or block.mechanism is None:
        raise QueryError(
            f"sensitivity takes a disguised question with two options. Got {question!r}."
        )
    place = [each.name for each in block.questions].index(question)
    channel = block.channel_on([place]).matrix()
    if len(channel) != 2:
        raise QueryError(f"sensitivity takes reports of yes or no; those of {question!r} are more.")
    no, yes = channel[1].tolist()
    reported = (counts.patterns[:, design.position(question)] == 1).astype(float)
    n = count_effective_for(counts, reported, np.ones(len(reported)))
    found = []
    for refused in np.linspace(first, last, points).tolist():
        told = _Told(float(counts.shares @ reported), n, stretch_variance(counts), no, yes, refused)
        share = Estimate(told.undo(told.reported), told.standard_error, counts.n, how=told)
        all_no = (1 - refused) * share.value
        found.append(SensitivityPoint(refused, share, all_no, all_no + refused))
    return Sensitivity(question, tuple(found))


@dataclass(frozen=True)
class _Told:
    """What the share of yes among the reports tells, if so many people refuse.

    ``n`` is how many reports drawn alike would tell as much, ``stretch`` by how much few clusters
    make an interval's variance larger.
    """

    reported: float
    n: float
    stretch: float
    no: float
    yes: float
    refused: float

    def undo(self, reported: float) -> float:
        """The share of yes among those who comply."""
        return (reported / (1 - self.refused) - self.no) / (self.yes - self.no)

    @property
    def standard_error(self) -> float:
        """By the binomial variance of the reports, were half a report another: it is never 0."""
        half = 0.5 / max(self.n, 1.0)
        share = min(max(self.reported, half), 1 - half)
        spread = sqrt(share * (1 - share) / self.n)
        return spread / abs(self.yes - self.no) / (1 - self.refused)

    def ends(self, level: float) -> tuple[float, float]:
        """Wilson's interval of the reports, undone; shares beyond 0 and 1 are left out.

        Fewer or more reports of yes than any share leads to are taken for the nearest possible, so
        that the interval is never empty.
        """
        z, n = NormalDist().inv_cdf((1 + level) / 2), self.n / self.stretch
        least, most = sorted((1 - self.refused) * share for share in (self.no, self.yes))
        share = min(max(self.reported, least), most)
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        spread = share * (1 - share) / n + (z / (2 * n)) ** 2
        reach = z * sqrt(spread) / (1 + z * z / n)
        low, high = sorted((self.undo(middle - reach), self.undo(middle + reach)))
        return min(max(low, 0.0), 1.0), min(max(high, 0.0), 1.0)


def _write_row(point: SensitivityPoint) -> dict[str, float]:
    low, high = point.share.interval()
    return {
        "refusing": point.refusing,
        "share": point.share.value,
        "standard_error": point.share.standard_error,
        "low": low,
        "high": high,
        "all_no": point.low,
        "all_yes": point.high,
    }
