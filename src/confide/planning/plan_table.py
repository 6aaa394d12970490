"""A plan: what each way to disguise a survey would buy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from confide.crowd.arrow_rows import ArrowRows
from confide.extras import Altair
from confide.files import Json, check_picture, save_picture, to_json_value
from confide.planning.disclosure import Disclosure
from confide.planning.variants import Variant

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

ASSUMPTIONS = (
    "A question without a given prevalence has all its options equally likely.",
    "Answers to different questions are independent, unless their joint prevalence is given.",
    "Respondents are a simple random sample who follow the instructions; estimates are the "
    "unbiased inverse.",
)
"""What every plan takes for granted, beside the prevalences it is given."""

_COLUMNS = pa.schema(
    {
        "event": pa.string(),
        "prevalence": pa.float64(),
        "grouping": pa.string(),
        "truth": pa.float64(),
        "own": pa.bool_(),
        "epsilon": pa.float64(),
        "person_epsilon": pa.float64(),
        "posterior": pa.float64(),
        "odds_ratio": pa.float64(),
        "standard_error": pa.float64(),
        "half_width": pa.float64(),
        "respondents_needed": pa.int64(),
        "power": pa.float64(),
    }
)


@dataclass(frozen=True)
class Prospect:
    """What one way to disguise a survey buys for one event.

    Parameters
    ----------
    event : str
        Such as "cheated = yes".
    prevalence : float
        Its assumed share.
    variant : Variant
        The way, with its design.
    truth : Fraction or None
        The truth of the groups that hold the event's questions; None where they differ.
    epsilon : float
        The worst-case privacy loss of the groups that hold the event's questions.
    person_epsilon : float
        The worst-case privacy loss of all that is disguised.
    disclosure : Disclosure or None
        What the most telling report says about the event; None where the reports are too many.
    standard_error, half_width : float
        Of the estimated share; the half-width is that of its 95 % interval.
    respondents_needed : int or None
        For the wanted margin; None without one.
    power : float
        The chance to tell the event's share from the null.
    """

    event: str
    prevalence: float
    variant: Variant
    truth: Fraction | None
    epsilon: float
    person_epsilon: float
    disclosure: Disclosure | None
    standard_error: float
    half_width: float
    respondents_needed: int | None
    power: float


@dataclass(frozen=True)
class Plan(ArrowRows):
    """What each way to disguise a survey would buy, event by event.

    It is tidy: one row per event and way to disguise it. Every library that reads Arrow takes it as
    it is (``polars.DataFrame(plan)``); printed, it is one table per event.

    Parameters
    ----------
    prospects : tuple of Prospect
        The rows.
    respondents : int
        How many people are asked.
    margin : float or None
        The wanted half-width of the 95 % interval.
    null : float
        The share from which events are to be told.
    two_sided : bool
        Whether the test against the null is two-sided.
    significance : float
        The chance with which it rejects a null that holds.
    """

    prospects: tuple[Prospect, ...]
    respondents: int
    margin: float | None
    null: float
    two_sided: bool
    significance: float

    def rows(self) -> Iterator[Json]:
        """The rows as plain values; what is infinite stays infinite."""
        for prospect in self.prospects:
            disclosure = prospect.disclosure
            yield {
                "event": prospect.event,
                "prevalence": prospect.prevalence,
                "grouping": prospect.variant.grouping,
                "truth": None if prospect.truth is None else float(prospect.truth),
                "own": prospect.variant.own,
                "epsilon": prospect.epsilon,
                "person_epsilon": prospect.person_epsilon,
                "posterior": disclosure.posterior if disclosure else None,
                "odds_ratio": disclosure.odds_ratio if disclosure else None,
                "standard_error": prospect.standard_error,
                "half_width": prospect.half_width,
                "respondents_needed": prospect.respondents_needed,
                "power": prospect.power,
            }

    def to_dict(self) -> Json:
        """The plan as JSON can hold it: an infinite epsilon or odds ratio is "infinite"."""
        return {
            "respondents": self.respondents,
            "margin": self.margin,
            "null": self.null,
            "two_sided": self.two_sided,
            "significance": self.significance,
            "assumptions": list(ASSUMPTIONS),
            "rows": to_json_value(list(self.rows())),
        }

    def to_arrow(self) -> pa.Table:
        """The rows as an Arrow table."""
        return pa.Table.from_pylist(list(self.rows()), schema=_COLUMNS)

    def __len__(self) -> int:
        return len(self.prospects)

    def plot(self) -> Altair:
        """An Altair chart of privacy against precision, one panel per event."""
        from confide.planning.chart import draw_chart

        return draw_chart(self)

    def save(self, path: str | Path) -> None:
        """Draw the chart into a file: ``plan.svg``, ``plan.png`` or ``plan.html``."""
        check_picture(Path(path))
        save_picture(self.plot(), Path(path))

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        from confide.planning.printing import render_plan

        yield from render_plan(self)

    def __repr__(self) -> str:
        from rich.console import Console

        console = Console(file=StringIO(), width=100, color_system=None)
        with console.capture() as text:
            console.print(self)
        return "\n".join(line.rstrip() for line in text.get().splitlines())
