"""A plan: what each way to disguise a survey would buy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from confide.crowd.arrow_rows import ArrowRows
from confide.design import Design
from confide.errors import QueryError
from confide.extras import Altair
from confide.files import Json, check_picture, save_picture, to_json_value
from confide.planning.disclosure import Disclosure
from confide.planning.expectation import check_between_0_and_1
from confide.planning.variants import Variant

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType

ASSUMPTIONS = (
    "A question without a given prevalence has all its options equally likely.",
    "Answers to different questions are independent, unless their joint prevalence is given.",
    "Respondents are a simple random sample who follow the instructions, unless some refuse; "
    "estimates are the unbiased inverse, coefficients those of the likelihood.",
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
        "respondents_for_power": pa.int64(),
        "bias": pa.float64(),
    }
)


@dataclass(frozen=True)
class PlanTerms:
    """What a plan was asked for.

    Parameters
    ----------
    respondents : int
        How many people are asked.
    margin : float or None
        The wanted half-width of a share's 95 % interval.
    null : float
        The share from which events are to be told.
    two_sided : bool
        Whether the tests are two-sided.
    significance : float
        The chance with which they reject a null that holds.
    wanted_power : float or None
        The power for which respondents are counted.
    refusing : float
        The share of people who say no whatever the coin says.
    compared : bool
        Whether shares are compared between two groups of people.
    largest_posterior : float or None
        What a search for truths has kept to.
    """

    respondents: int
    margin: float | None
    null: float
    two_sided: bool
    significance: float
    wanted_power: float | None
    refusing: float
    compared: bool
    largest_posterior: float | None

    def __post_init__(self) -> None:
        if self.margin is not None:
            check_between_0_and_1(self.margin, "margin")


@dataclass(frozen=True)
class Prospect:
    """What one way to disguise a survey buys for one event, coefficient or mean.

    Parameters
    ----------
    event : str
        Such as "cheated = yes", "cheated ~ male" or "mean of age".
    assumed : str
        What is assumed about it, in words.
    prevalence : float or None
        Its assumed share; None for what is none.
    variant : Variant
        The way, with its design.
    truth : Fraction or None
        The truth of the groups that hold the event's questions; None where they differ.
    epsilon : float
        The worst-case privacy loss of the groups that hold the event's questions.
    person_epsilon : float
        The worst-case privacy loss of all that is disguised.
    disclosure : Disclosure or None
        What the most telling report says about the event; None where the reports are too many, and
        for what is no event.
    bias : float
        How far off the estimate is on average, because of people who refuse.
    standard_error, half_width : float
        Of the estimate; the half-width is that of its 95 % interval.
    respondents_needed : int or None
        For the wanted margin of a share; None without one.
    power : float or None
        The chance to tell it from the null; None where nothing is to be told.
    respondents_for_power : int or None
        For the wanted power; None without one, and where no number of people would do.
    """

    event: str
    assumed: str
    prevalence: float | None
    variant: Variant
    truth: Fraction | None
    epsilon: float
    person_epsilon: float
    disclosure: Disclosure | None
    bias: float
    standard_error: float
    half_width: float
    respondents_needed: int | None
    power: float | None
    respondents_for_power: int | None


@dataclass(frozen=True)
class Plan(ArrowRows):
    """What each way to disguise a survey would buy, event by event.

    It is tidy: one row per event and way to disguise it. Every library that reads Arrow takes it as
    it is (``polars.DataFrame(plan)``); printed, it is one table per event.

    Parameters
    ----------
    prospects : tuple of Prospect
        The rows.
    terms : PlanTerms
        What was asked for.
    """

    prospects: tuple[Prospect, ...]
    terms: PlanTerms

    def choose(self) -> Design:
        """The design among those that a search found whose largest standard error is smallest."""
        errors: dict[int, list[float]] = {}
        designs: dict[int, Design] = {}
        for prospect in self.prospects:
            variant = prospect.variant
            if variant.searched:
                designs[id(variant)] = variant.design
                errors.setdefault(id(variant), []).append(prospect.standard_error)
        if not errors:
            raise QueryError("a plan chooses a design after a search: give largest_posterior.")
        return designs[min(errors, key=lambda each: max(errors[each]))]

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
                "respondents_for_power": prospect.respondents_for_power,
                "bias": prospect.bias,
            }

    def to_dict(self) -> Json:
        """The plan as JSON can hold it: an infinite epsilon or odds ratio is "infinite"."""
        return {
            **asdict(self.terms),
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
        from confide.planning.plan_chart import draw_chart

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
