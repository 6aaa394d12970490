"""A plan as a picture: privacy against precision, one panel per event."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from confide.extras import Altair, explain_missing
from confide.files import Json
from confide.planning.plan_table import Plan
from confide.planning.variants import AS_DESIGNED, DIRECT, EACH_ALONE, ONE_GROUP

# Ways that coincide can still all be seen: they differ in colour, dashes and size.
_COLOURS = {AS_DESIGNED: "#0072B2", ONE_GROUP: "#D55E00", EACH_ALONE: "#009E73"}
_DASHES = {AS_DESIGNED: [1, 0], ONE_GROUP: [8, 6], EACH_ALONE: [3, 5]}
_SIZES = {AS_DESIGNED: 120, ONE_GROUP: 50, EACH_ALONE: 25}
_QUIET = "#666666"
_WIDTH, _HEIGHT = 340, 240


def draw_chart(plan: Plan) -> Altair:
    """Draw each way to disguise as a point: what it gives away, and how wide its interval is.

    What it gives away is epsilon or, where an epsilon is infinite, the event's probability after
    the most telling report. The width of the interval if asked directly is a dotted line. Means
    and coefficients, whose widths are no percentage points, have no panel.
    """
    with explain_missing("confide[plot]", "a chart"):
        import altair as alt
    rows = [_row_to_point(row) for row in plan.rows() if row["prevalence"] is not None]
    panels = list(dict.fromkeys(row["panel"] for row in rows))
    data = alt.Data(values=rows)  # type: ignore[no-untyped-call]
    base = alt.Chart(data).encode(
        y=alt.Y(
            "points:Q", title=f"± percentage points (95 %, {plan.terms.respondents:,} respondents)"
        )
    )
    title = alt.Title(
        "What a disguise gives away, and how precise it leaves the estimate",
        subtitle=[
            "Beside each point: its truth, the probability that the true answer is reported.",
            "Ringed: the design as it is.",
        ],
        anchor="start",
        offset=16,
    )
    return (
        alt.layer(*_draw_direct(alt, base), *_draw_disguised(alt, base, plan))
        .properties(width=_WIDTH, height=_HEIGHT)
        .facet(
            alt.Facet("panel:N", title=None, sort=panels), columns=min(2, len(panels)), spacing=36
        )
        .resolve_scale(x="independent", y="independent")
        .properties(title=title)
        .configure_header(labelFontSize=12, labelFontWeight="bold")
        .configure_legend(orient="bottom", symbolType="stroke", symbolSize=400)
    )


def _row_to_point(row: Json) -> Json:
    """A row as the chart shows it; what is infinite has no place on an axis."""
    points = 100 * row["half_width"]
    truth = "own" if row["truth"] is None else f"{row['truth']:.3g}"
    return {
        "panel": f"{row['event']} (assumed {100 * row['prevalence']:.3g} %)",
        "points": points,
        "note": f"asked directly: ± {points:.1f}" if row["grouping"] == DIRECT else truth,
        "size": _SIZES.get(row["grouping"]),
        "epsilon": row["epsilon"] if isfinite(row["epsilon"]) else None,
        **{name: row[name] for name in ("grouping", "own", "posterior")},
    }


def _draw_direct(alt: Altair, base: Altair) -> list[Altair]:
    """The layers of what asking directly gives: a dotted line and its words."""
    asked = base.transform_filter(alt.datum.grouping == DIRECT)
    note = asked.mark_text(align="left", dy=-7, color=_QUIET)
    return [
        asked.mark_rule(strokeDash=[2, 3], color=_QUIET),
        note.encode(x=alt.value(5), text="note:N"),
    ]


def _draw_disguised(alt: Altair, base: Altair, plan: Plan) -> list[Altair]:
    """The layers of the disguised ways: lines, points, a ring and words."""
    shares = [p for p in plan.prospects if p.prevalence is not None]
    disguised = [p for p in shares if p.variant.grouping != DIRECT]
    finite = all(isfinite(prospect.epsilon) for prospect in disguised)
    used = {prospect.variant.grouping for prospect in disguised}

    def encode_grouping(kind: Altair, values: Mapping[str, object]) -> Altair:
        shown = [way for way in values if way in used]
        scale = alt.Scale(domain=shown, range=[values[way] for way in shown])
        return kind("grouping:N", title="questions disguised", scale=scale)

    points = base.transform_filter(alt.datum.grouping != DIRECT).encode(
        x=_epsilon_axis(alt) if finite else _posterior_axis(alt),
        color=encode_grouping(alt.Color, _COLOURS),
    )
    note = points.mark_text(align="left", dx=9, dy=-6)
    return [
        points.mark_line().encode(strokeDash=encode_grouping(alt.StrokeDash, _DASHES)),
        points.mark_point(filled=True, opacity=1).encode(size=alt.Size("size:Q", scale=None)),
        points.transform_filter("datum.own").mark_point(size=300, strokeWidth=2),
        note.encode(text="note:N", color=alt.value("#333333")),
    ]


def _epsilon_axis(alt: Altair) -> Altair:
    title = _axis_title("privacy loss ε of a report")
    return alt.X("epsilon:Q", title=title, scale=alt.Scale(zero=True))


def _posterior_axis(alt: Altair) -> Altair:
    title = _axis_title("how likely a report can make it")
    axis = alt.Axis(format="%", tickCount=6)
    return alt.X("posterior:Q", title=title, axis=axis, scale=alt.Scale(zero=True))


def _axis_title(meaning: str) -> str:
    return f"← more private\u2003{meaning}\u2003less private →"
