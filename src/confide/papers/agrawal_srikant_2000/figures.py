"""Table 1 and Figures 2, 3, 5 and 6."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.figures import (
    Figure,
    Spec,
    Values,
    draw_lines,
    draw_table,
    lay_out,
    list_values,
)
from confide.papers.run_table import select

PRINTED_WIDTHS = {
    "uniform": {0.5: 0.5, 0.95: 0.95, 0.999: 0.999},
    "gaussian": {0.5: 1.34, 0.95: 3.92, 0.999: 6.8},
}
"""Table 1: in units of 2α and of σ."""
ORDER = ("original", "local", "by-class", "global", "control", "confide")
_COLOURS = {
    "original": "#6b7280",
    "local": "#1e3a8a",
    "by-class": "#1f5fa8",
    "global": "#7dd3fc",
    "control": "#c2410c",
    "confide": "#15803d",
}
_MEAN = ("mean", "mean accuracy")


def draw(rows: Sequence[Row]) -> list[Figure]:
    """All figures of the paper."""
    return [
        _draw_widths(rows),
        _draw_shapes(rows),
        _draw_people(rows),
        _draw_tree(rows),
        *(_draw_functions(rows, privacy) for privacy in (0.25, 1.0)),
        _draw_privacy(rows),
        _draw_seconds(rows),
    ]


def _draw_widths(rows: Sequence[Row]) -> Figure:
    values: Values = []
    for row in select(rows, experiment="width"):
        noise, level = str(row["noise"]), float(row["confidence"] or 0)
        for what, width in (
            ("printed", PRINTED_WIDTHS[noise][level]),
            ("here", round(float(row["width"] or 0), 3)),
        ):
            text = f"{width:g} · {row['unit']}"
            values.append({"setting": f"{noise}, {what}", "level": f"{level:.1%}", "text": text})
    return Figure(
        "table-1",
        "Table 1",
        "The width of the interval in which a number can be told, by confidence.",
        draw_table(values, "level", "setting", "text"),
    )


def _draw_shapes(rows: Sequence[Row]) -> Figure:
    values: Values = []
    for row in select(rows, experiment="reconstruction"):
        settings = {"panel": f"{row['shape']}, {row['noise']} noise", "middle": row["middle"]}
        if row["method"] == "paper":
            values += [{**settings, "line": each, "share": row[each]} for each in _SHAPE_LINES[:2]]
        line = f"reconstructed ({row['method']})"
        values.append({**settings, "line": line, "share": row["reconstructed"]})
    return Figure(
        "figure-2",
        "Figure 2",
        "The distribution of the numbers, of their reports, and the one given back: by the paper's "
        "iteration, stopped at 1 % of the χ² threshold, and by confide's default, which goes on.",
        draw_lines(
            values, ("middle", "number"), ("share", "share of 0.05"), "line", panels="panel"
        ),
    )


_SHAPE_LINES = ("original", "randomized")


def _draw_people(rows: Sequence[Row]) -> Figure:
    """Figure 3(a): six people."""
    columns = {
        "age": "Age",
        "salary": "Salary (K)",
        "risk": "Credit Risk",
        "told": "told by the tree",
    }
    values: Values = [
        {"person": row["person"], "column": title, "text": str(row[name])}
        for row in select(rows, experiment="credit risk")
        for name, title in columns.items()
    ]
    return Figure(
        "figure-3a",
        "Figure 3(a)",
        "The six people of the example, and what the tree beside says of them.",
        draw_table(values, "column", "person", "text"),
    )


def _draw_tree(rows: Sequence[Row]) -> Figure:
    """Figure 3(b): the tree of the six people."""
    found = select(rows, experiment="credit risk tree")
    values: Values = [
        {"line": row["line"], "text": text.lstrip(), "indent": len(text) - len(text.lstrip())}
        for row in found
        if (text := str(row["text"]))
    ]
    chart: Spec = {
        "mark": {"type": "text", "align": "left", "font": "monospace"},
        "encoding": {
            "x": {
                "field": "indent",
                "type": "quantitative",
                "axis": None,
                "scale": {"domain": [0, 60]},
            },
            "y": {"field": "line", "type": "ordinal", "axis": None},
            "text": {"field": "text", "type": "nominal"},
        },
        "height": {"step": 20},
        "view": {"stroke": None},
    }
    return Figure(
        "figure-3b",
        "Figure 3(b)",
        "The tree of these six people. Any cut between two neighbours is the same to them: the "
        "paper prints Age < 25 and Salary < 50K. At the root age and salary gain the same.",
        lay_out(values, chart, None),
    )


def _sort_lines(values: Values) -> Values:
    return sorted(values, key=lambda value: ORDER.index(value["method"]))


def _colour(spec: Spec, values: Values) -> Spec:
    """Give the lines this paper's colours, in its order."""
    lines = [each for each in ORDER if any(value["method"] == each for value in values)]
    scale = {"domain": lines, "range": [_COLOURS[each] for each in lines]}
    for layer in spec["spec"]["layer"]:
        layer["encoding"]["color"]["scale"] = scale
    return spec


def _draw_functions(rows: Sequence[Row], privacy: float) -> Figure:
    """Figure 5: accuracy by function."""
    found = select(rows, experiment="accuracy", privacy=privacy)
    values = _sort_lines(list_values(found, ["function", "noise", "method"]))
    lines = [each for each in ORDER if any(value["method"] == each for value in values)]
    chart: Spec = {
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {
            "x": {"field": "function", "type": "ordinal", "axis": {"labelAngle": 0}},
            "xOffset": {"field": "method", "type": "nominal", "sort": lines},
            "y": {
                "field": "mean",
                "type": "quantitative",
                "title": "mean accuracy",
                "scale": {"domain": [0.3, 1]},
            },
            "color": {
                "field": "method",
                "type": "nominal",
                "scale": {"domain": lines, "range": [_COLOURS[each] for each in lines]},
            },
        },
    }
    return Figure(
        f"figure-5-{privacy:.0%}".replace("%", ""),
        f"Figure 5, {privacy:.0%} privacy",
        "Mean accuracy by function, uniform and Gaussian noise. The control is the paper's "
        "Randomized.",
        lay_out(values, chart, "noise"),
    )


def _draw_privacy(rows: Sequence[Row]) -> Figure:
    """Figure 6: accuracy by privacy."""
    values = list_values(
        select(rows, experiment="accuracy"), ["privacy", "noise", "function", "method"]
    )
    for value in values:
        value["function"] = f"function {value['function']}"
    values = _sort_lines(values)
    spec = draw_lines(
        values,
        ("privacy", "privacy, as a share of the range"),
        _MEAN,
        panels="function",
        rows="noise",
    )
    return Figure(
        "figure-6",
        "Figure 6",
        "Mean accuracy by privacy for every function (the paper draws ByClass and Randomized, and "
        "leaves function 4 out).",
        _colour(spec, values),
    )


def _draw_seconds(rows: Sequence[Row]) -> Figure:
    """What a tree costs (section 4.2)."""
    found = select(rows, experiment="accuracy")
    values = _sort_lines(list_values(found, ["method", "function"], "seconds"))
    for value in values:
        value["function"] = f"function {value['function']}"
    chart: Spec = {
        "mark": {"type": "bar", "tooltip": True},
        "encoding": {
            "y": {"field": "method", "type": "nominal", "title": None, "sort": None},
            "x": {
                "field": "mean",
                "type": "quantitative",
                "title": "seconds (logarithmic)",
                "scale": {"type": "log"},
            },
        },
        "height": 120,
    }
    return Figure(
        "seconds",
        "Section 4.2",
        "Seconds of processor time for a tree, its testing included.",
        lay_out(values, chart, "function"),
    )
