"""A network as a picture, and for Graphviz."""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, degrees

from confide.extras import Altair, explain_missing
from confide.files import Json
from confide.mining.exports.dot import quote
from confide.mining.network.edges import Edge
from confide.mining.network.graph import Graph

_ACROSS, _DOWN = 130, 90  # between questions, in pixels
_ARROW = 0.62  # where on its edge an arrow stands
_LINE, _PAPER, _INK = "#0072B2", "#eef3f7", "#222222"


def write_dot(names: Sequence[str], edges: Sequence[Edge]) -> str:
    """Write a network in the language of Graphviz; a wider edge is better supported."""
    lines = [
        "digraph network {",
        '  node [shape=box, style="rounded", fontname="sans-serif"];',
        *(f"  {quote(name)};" for name in names),
        *(
            f"  {quote(edge.parent)} -> {quote(edge.child)} "
            f"[penwidth={_choose_width(edge):.2f}{'' if edge.directed else ', dir=none'}];"
            for edge in edges
        ),
    ]
    return "\n".join([*lines, "}", ""])


def draw_network(names: Sequence[str], graph: Graph, edges: Sequence[Edge]) -> Altair:
    """Draw a network, parents above their children; a wider edge is better supported.

    An edge whose direction data cannot tell has no head.
    """
    with explain_missing("confide[plot]", "a chart"):
        import altair as alt
    places = _lay_out(graph)
    where = dict(zip(names, places, strict=True))
    width = max(x for x, _ in places) + _ACROSS / 2
    height = max(y for _, y in places) + _DOWN / 2
    across = alt.X("x:Q", axis=None, scale=alt.Scale(domain=[0, width]))
    down = alt.Y("y:Q", axis=None, scale=alt.Scale(domain=[height, 0]))
    drawn = [_draw_edge(edge, where) for edge in edges]
    lines = alt.Chart(alt.Data(values=drawn))  # type: ignore[no-untyped-call]
    told = [line for line, edge in zip(drawn, edges, strict=True) if edge.directed]
    heads = alt.Chart(alt.Data(values=told))  # type: ignore[no-untyped-call]
    points = [{"name": name, "x": x, "y": y} for name, (x, y) in where.items()]
    nodes = alt.Chart(alt.Data(values=points)).encode(across, down)  # type: ignore[no-untyped-call]
    return (
        alt.layer(
            lines.mark_rule(color=_LINE).encode(
                across,
                down,
                x2="x2:Q",
                y2="y2:Q",
                strokeWidth=alt.StrokeWidth("width:Q", scale=None),
            ),
            heads.mark_point(
                shape="triangle-up", filled=True, size=130, opacity=1, color=_LINE
            ).encode(
                alt.X("arrow_x:Q", axis=None, scale=alt.Scale(domain=[0, width])),
                alt.Y("arrow_y:Q", axis=None, scale=alt.Scale(domain=[height, 0])),
                angle=alt.Angle("angle:Q", scale=None),
            ),
            nodes.mark_text(fontSize=13, stroke=_PAPER, strokeWidth=8, strokeJoin="round").encode(
                text="name:N"
            ),
            nodes.mark_text(fontSize=13, color=_INK).encode(text="name:N"),
        )
        .properties(width=width, height=height)
        .configure_view(stroke=None)
    )


def _lay_out(graph: Graph) -> list[tuple[float, float]]:
    """Give each question a place: below all its parents, beside others of its depth."""
    depths = [0] * len(graph.parents)
    for place in graph.order:
        depths[place] = max((depths[parent] + 1 for parent in graph.parents[place]), default=0)
    widest = max(depths.count(depth) for depth in depths)
    beside: dict[int, int] = {}
    places = []
    for depth in depths:
        taken = beside.get(depth, 0)
        beside[depth] = taken + 1
        left = (widest - depths.count(depth)) / 2 + (depth % 2) / 4  # edges do not hide others
        places.append((_ACROSS * (left + taken + 0.5), _DOWN * (depth + 0.5)))
    return places


def _draw_edge(edge: Edge, where: dict[str, tuple[float, float]]) -> Json:
    """Give the line of an edge and its arrow, which points up unless it is turned."""
    (x, y), (x2, y2) = where[edge.parent], where[edge.child]
    return {
        "x": x,
        "y": y,
        "x2": x2,
        "y2": y2,
        "arrow_x": x + _ARROW * (x2 - x),
        "arrow_y": y + _ARROW * (y2 - y),
        "angle": degrees(atan2(x2 - x, y - y2)),
        "width": _choose_width(edge),
    }


def _choose_width(edge: Edge) -> float:
    """Choose how wide an edge is drawn: one pixel to four."""
    return 2.0 if edge.support is None else 1 + 3 * edge.support
