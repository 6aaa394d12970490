"""A plan for the terminal: one table per event."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import ceil, isinf

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from confide.planning.plan_table import ASSUMPTIONS, Plan, PlanTerms, Prospect


def render_plan(plan: Plan) -> Iterator[RenderableType]:
    """Give the plan's tables, and what they take for granted, for rich to print."""
    for event, prospects in groupby(plan.prospects, key=lambda prospect: prospect.event):
        yield _render_table(plan, event, list(prospects))
        yield ""
    yield Text(_explain_columns(plan), style="dim")


def _render_table(plan: Plan, event: str, prospects: list[Prospect]) -> Table:
    """The table of one event, with one row per way to disguise it."""
    title = f"{event}: {prospects[0].assumed}, {plan.terms.respondents:,} respondents"
    table = Table(
        title=Text(title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        show_edge=False,
        pad_edge=False,
    )
    table.add_column("disguise")
    headings = ["truth", "ε", "ε all", "post.", "odds ×", "s.e.", "± 95 %", "power"]
    headings += [heading for heading, shown in _list_asked(plan.terms) if shown]
    for heading in headings:
        table.add_column(heading, justify="right")
    for prospect in prospects:
        table.add_row(*_render_cells(plan, prospect), style="bold" if prospect.variant.own else "")
    return table


def _render_cells(plan: Plan, prospect: Prospect) -> list[str]:
    variant, disclosed = prospect.variant, prospect.disclosure
    unknown = "–" if prospect.prevalence is None else "?"
    asked = [
        "–" if prospect.prevalence is None else f"{prospect.bias:+.3f}",
        _count(prospect.respondents_needed),
        _count(prospect.respondents_for_power),
    ]
    return [
        variant.grouping + (" *" if variant.own else ""),
        _say_truth(prospect),
        _loss(prospect.epsilon, 2),
        _loss(prospect.person_epsilon, 2),
        _loss(disclosed.posterior, 3) if disclosed else unknown,
        _loss(disclosed.odds_ratio, 1) if disclosed else unknown,
        f"{prospect.standard_error:.4f}",
        f"{prospect.half_width:.3f}",
        "–" if prospect.power is None else f"{prospect.power:.2f}",
        *(cell for cell, (_, shown) in zip(asked, _list_asked(plan.terms), strict=True) if shown),
    ]


def _say_truth(prospect: Prospect) -> str:
    if prospect.truth is not None:
        return f"{float(prospect.truth):.3g}"
    return "own" if prospect.prevalence is not None else "–"


def _list_asked(terms: PlanTerms) -> list[tuple[str, bool]]:
    """The columns that a plan has only if they were asked for, and whether they were."""
    return [
        ("off", terms.refusing > 0),
        ("needed", terms.margin is not None),
        ("for power", terms.wanted_power is not None),
    ]


def _count(people: int | None) -> str:
    return "–" if people is None else f"{people:,}"


def _loss(value: float, decimals: int) -> str:
    """A loss of privacy, never rounded in the design's favour.

    >>> _loss(1.0912, 2), _loss(0.25, 3), _loss(float("inf"), 1), _loss(1e9, 1)
    ('1.10', '0.250', '∞', '> 10⁶')
    """
    if value > 1e6:
        return "∞" if isinf(value) else "> 10⁶"
    # The first rounding drops what only the last bits of a double say.
    return f"{ceil(round(value * 10**decimals, 6)) / 10**decimals:,.{decimals}f}"


def _explain_columns(plan: Plan) -> str:
    """What the columns mean, and what the plan assumes."""
    terms = plan.terms
    inside = terms.compared or 0 < terms.null < 1
    sides = "two" if terms.two_sided and inside else "one"
    lines = [
        "*: the design as it is.",
        "ε: the worst-case privacy loss of the groups that hold the event; all: of all groups.",
        "post.: the event's probability after the most telling report, for one who knows the "
        "crowd; odds ×: the factor on its odds.",
        f"s.e.: the standard error of the {_say_estimate(plan)}; ± 95 %: half its interval's "
        "width.",
    ]
    if any(_say_truth(prospect) == "own" for prospect in plan.prospects):
        lines.append("own: each group has its own truth.")
    if any(p.disclosure is None and p.prevalence is not None for p in plan.prospects):
        lines.append(
            "?: too many possible reports to find the most telling one, or a number's report tells "
            "of it, too."
        )
    null = "the other group's" if terms.compared else f"{terms.null:g}"
    lines.append(
        f"power: to tell the share from {null}, {sides}-sided, at significance "
        f"{terms.significance:g}."
    )
    if terms.refusing:
        lines.append(
            f"off: how far off the estimate is on average if {terms.refusing:.3g} of the people "
            "say no, or the first option of a choice, whatever the coin says; a direct question "
            "all answer truthfully here."
        )
    if terms.margin is not None:
        lines.append(f"needed: the respondents for ± {terms.margin:g}.")
    if terms.wanted_power is not None:
        lines.append(f"for power: the respondents for a power of {terms.wanted_power:g}.")
    if terms.largest_posterior is not None:
        lines.append(
            "The truths are the largest with which no report makes a sensitive answer likelier "
            f"than {terms.largest_posterior:g}."
        )
    return "\n".join([*lines, *ASSUMPTIONS])


def _say_estimate(plan: Plan) -> str:
    """What is estimated, in words: shares, and whatever else there is."""
    share = "difference of the two shares" if plan.terms.compared else "estimated share"
    others = any(prospect.prevalence is None for prospect in plan.prospects)
    return f"{share}, mean or log odds ratio" if others else share
