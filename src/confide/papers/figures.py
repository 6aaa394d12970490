"""The papers' figures as Vega-Lite: drawn as SVG and PNG, explored in a report.

A specification holds its own numbers, so a figure needs nothing else to be drawn again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from confide.extras import explain_missing
from confide.files import write_atomically
from confide.papers.cells import Row
from confide.papers.run_table import group

Spec = dict[str, Any]
"""A chart in Vega-Lite."""
Values = list[dict[str, Any]]
"""The numbers that a chart shows, one row each."""
Axis = tuple[str, str]
"""A field of the values, and its title."""

TRUTH: Axis = ("truth", "θ, the probability of the truth")
MEAN: Axis = ("mean", "mean accuracy")
VARIANCE: Axis = ("variance", "variance of the accuracy")

_COLOURS = {
    "original": "#6b7280",
    "paper": "#1f5fa8",
    "control": "#c2410c",
    "confide": "#15803d",
}
"""The same line has the same colour in every figure."""
_OTHERS = ("#1f5fa8", "#c2410c", "#15803d", "#8b5cf6", "#b45309", "#0e7490", "#6b7280")
_WIDTH, _HEIGHT, _WIDE = 280, 200, 480


@dataclass(frozen=True)
class Figure:
    """A figure of a report.

    Parameters
    ----------
    name : str
        Its file's name.
    title : str
        Which of the paper's figures it is.
    caption : str
        What it shows.
    spec : Spec
        The chart.
    """

    name: str
    title: str
    caption: str
    spec: Spec


def list_values(rows: Iterable[Row], by: Sequence[str], value: str = "accuracy") -> Values:
    """The mean and variance of a column for each combination of others, as a chart takes them.

    ``low`` and ``high`` are two standard errors of the mean away from it.
    """
    values = []
    for key, found in group(rows, by, value).items():
        spread = 2 * found.error if isfinite(found.error) else 0.0
        values.append(
            {
                **dict(zip(by, key, strict=True)),
                "mean": found.mean,
                "variance": found.variance if isfinite(found.variance) else None,
                "low": round(found.mean - spread, 6),
                "high": round(found.mean + spread, 6),
                "repeats": found.n,
            }
        )
    return values


def draw_lines(
    values: Values,
    x: Axis,
    y: Axis,
    colour: str = "method",
    panels: str | None = None,
    rows: str | None = None,
    dash: str | None = None,
) -> Spec:
    """Lines with points, one colour per line, one field for each value of ``panels`` and ``rows``.

    A click on the legend leaves one line, dragging and scrolling move and enlarge, and pointing at
    a point shows its numbers.
    """
    encoding = _encode(values, x, y, colour, dash)
    layers: list[Spec] = [
        {
            "mark": {"type": "line", "point": {"size": 30}, "clip": True},
            "params": [
                {
                    "name": "shown",
                    "select": {"type": "point", "fields": [colour]},
                    "bind": "legend",
                },
                {"name": "zoom", "select": "interval", "bind": "scales"},
            ],
            "encoding": encoding
            | {
                "opacity": {"condition": {"param": "shown", "value": 1}, "value": 0.15},
                "tooltip": _list_tooltips(values),
            },
        }
    ]
    if y[0] == "mean" and any(row.get("high") != row.get("low") for row in values):
        band = {key: encoding[key] for key in ("x", "color")}
        band["y"] = {**encoding["y"], "field": "low"}
        band["y2"] = {"field": "high"}
        mark = {"type": "area", "opacity": 0.15, "clip": True, "tooltip": None}
        layers.insert(0, {"mark": mark, "encoding": band})
    return lay_out(values, {"layer": layers}, panels, rows)


def lay_out(values: Values, chart: Spec, panels: str | None, rows: str | None = None) -> Spec:
    """A chart over some values, repeated for each value of a field where one is given."""
    whole: Spec = {
        "data": {"values": values},
        "config": {
            "font": "system-ui, sans-serif",
            "view": {"stroke": "#e5e7eb"},
            "legend": {"orient": "top", "title": None},
            "header": {"labelFontWeight": "bold"},
        },
    }
    sized = {"width": _WIDTH, "height": _HEIGHT, **chart}
    if rows is not None:
        across = {} if panels is None else {"column": _head(panels)}
        return {**whole, "facet": {"row": _head(rows), **across}, "spec": sized}
    if panels is not None:
        many = len({row[panels] for row in values})
        return {
            **whole,
            "facet": _head(panels),
            "columns": 2 if many == 4 else min(many, 3),
            "spec": sized,
        }
    return {**whole, **sized, "width": _WIDE}


def _head(field: str) -> Spec:
    return {"field": field, "type": "nominal", "title": None, "sort": None}


def _encode(values: Values, x: Axis, y: Axis, colour: str, dash: str | None) -> Spec:
    lines = list(dict.fromkeys(str(row[colour]) for row in values))
    known = all(line in _COLOURS for line in lines)
    lines = [line for line in _COLOURS if line in lines] if known else lines
    colours = [_COLOURS[line] for line in lines] if known else list(_OTHERS[: len(lines)])
    encoding: Spec = {
        "x": {"field": x[0], "type": "quantitative", "title": x[1], "scale": {"zero": False}},
        "y": {"field": y[0], "type": "quantitative", "title": y[1], "scale": {"zero": False}},
        "color": {
            "field": colour,
            "type": "nominal",
            "scale": {"domain": lines, "range": colours},
            "legend": {"orient": "top", "title": None, "symbolOpacity": 1},
        },
    }
    if dash is not None:
        encoding["strokeDash"] = {"field": dash, "type": "nominal"}
    return encoding


def _list_tooltips(values: Values) -> list[Spec]:
    hidden = ("low", "high")
    return [
        {"field": name, "type": "quantitative" if _is_number(values, name) else "nominal"}
        | ({"format": ".4f"} if name in ("mean", "variance") else {})
        for name in values[0]
        if name not in hidden
    ]


def _is_number(values: Values, name: str) -> bool:
    return all(isinstance(row[name], int | float) or row[name] is None for row in values)


def load_drawing() -> Any:
    """What draws; one line says what to install where it is missing."""
    with explain_missing("confide[plot]", "a figure"):
        import vl_convert

    return vl_convert


def save_figure(figure: Figure, folder: Path) -> None:
    """Draw a figure into an SVG and a PNG file."""
    vl_convert = load_drawing()
    folder.mkdir(exist_ok=True)
    config = {**figure.spec["config"], "aria": False}  # labels of every point: a half of the file
    spec = {**figure.spec, "config": config}
    with write_atomically(folder / f"{figure.name}.svg") as temporary:
        temporary.write_text(vl_convert.vegalite_to_svg(spec), encoding="utf-8")
    with write_atomically(folder / f"{figure.name}.png") as temporary:
        temporary.write_bytes(vl_convert.vegalite_to_png(spec, scale=2))


def draw_table(values: Values, column: str, row: str, text: str) -> Spec:
    """A table of texts, one column and one row for each value of two fields."""
    chart: Spec = {
        "mark": {"type": "text"},
        "encoding": {
            "x": {
                "field": column,
                "type": "nominal",
                "title": None,
                "sort": None,
                "axis": {"orient": "top", "labelAngle": 0, "domain": False, "ticks": False},
            },
            "y": {
                "field": row,
                "type": "nominal",
                "title": None,
                "sort": None,
                "axis": {"domain": False, "ticks": False},
            },
            "text": {"field": text, "type": "nominal"},
        },
        "height": {"step": 24},
    }
    return lay_out(values, chart, None)
