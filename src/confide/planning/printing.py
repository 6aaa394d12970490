"""A plan for the terminal: one table per event."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import ceil, isinf

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from confide.planning.plan_table import ASSUMPTIONS, Plan, Prospect


def render_plan(plan: Plan) -> Iterator[RenderableType]:
    """Give the plan's tables, and what they take for granted, for rich to print."""
    for event, prospects in groupby(plan.prospects, key=lambda prospect: prospect.event):
        yield _render_table(plan, event, list(prospects))
        yield ""
    yield Text(_explain_columns(plan), style="dim")


def _render_table(plan: Plan, event: str, prospects: list[Prospect]) -> Table:
    """The table of one event, with one row per way to disguise it."""
    title = (
        f"{event}: assumed share {prospects[0].prevalence:.3g}, {plan.respondents:,} respondents"
    )
    table = Table(
        title=Text(title, style="bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        show_edge=False,
        pad_edge=False,
    )
    table.add_column("disguise")
    needed = [] if plan.margin is None else ["needed"]
    headings = ["truth", "ε", "ε all", "post.", "odds ×", "s.e.", "± 95 %", *needed, "power"]
    for heading in headings:
        table.add_column(heading, justify="right")
    for prospect in prospects:
        table.add_row(*_render_cells(plan, prospect), style="bold" if prospect.variant.own else "")
    return table


def _render_cells(plan: Plan, prospect: Prospect) -> list[str]:
    variant, disclosed = prospect.variant, prospect.disclosure
    return [
        variant.grouping + (" *" if variant.own else ""),
        "own" if prospect.truth is None else f"{float(prospect.truth):.3g}",
        _loss(prospect.epsilon, 2),
        _loss(prospect.person_epsilon, 2),
        _loss(disclosed.posterior, 3) if disclosed else "?",
        _loss(disclosed.odds_ratio, 1) if disclosed else "?",
        f"{prospect.standard_error:.4f}",
        f"{prospect.half_width:.3f}",
        *([] if plan.margin is None else [f"{prospect.respondents_needed:,}"]),
        f"{prospect.power:.2f}",
    ]


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
    sides = "two" if plan.two_sided else "one"
    lines = [
        "*: the design as it is.",
        "ε: the worst-case privacy loss of the groups that hold the event; all: of all groups.",
        "post.: the event's probability after the most telling report, for one who knows the "
        "crowd; odds ×: the factor on its odds.",
        "s.e.: the standard error of the estimated share; ± 95 %: half its interval's width.",
    ]
    if any(prospect.truth is None for prospect in plan.prospects):
        lines.append("own: each group has its own truth.")
    if any(prospect.disclosure is None for prospect in plan.prospects):
        lines.append("?: too many possible reports to find the most telling one.")
    if plan.margin is not None:
        lines.append(f"needed: the respondents for ± {plan.margin:g}.")
    lines.append(
        f"power: to tell the share from {plan.null:g}, {sides}-sided, at significance "
        f"{plan.significance:g}."
    )
    return "\n".join([*lines, *ASSUMPTIONS])
