"""Figures 3 to 6, the variance in its parts, and what the paper does not draw."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.figures import (
    MEAN,
    TRUTH,
    VARIANCE,
    Figure,
    Spec,
    Values,
    draw_lines,
    lay_out,
    list_values,
)
from confide.papers.multi_group.variance import split_variance
from confide.papers.original import add_original, count_tested, draw_readings
from confide.papers.run_table import select
from confide.papers.scoring_errors import list_errors
from confide.papers.split_people import name_scheme

_NUMBERS = {"adult": "3", "breast-cancer": "4", "voting": "5"}
"""The numbers of the data sets' figures in the paper."""


def draw(rows: Sequence[Row]) -> list[Figure]:
    """All figures of the paper."""
    return [
        *(figure for data in _NUMBERS for figure in _draw_data(rows, data)),
        *_draw_surface(rows),
        _draw_variance(rows),
        _draw_scoring(rows),
        _draw_privacy(rows),
        draw_readings(rows),
    ]


def _draw_data(rows: Sequence[Row], data: str) -> list[Figure]:
    """The mean and variance on one data set as printed, and with all lines."""
    number = _NUMBERS[data]
    found = select(rows, experiment="accuracy", data=data)
    printed = select(found, method="paper", target="disguised")
    schemes = list_values(printed, ["truth", "groups"])
    for value in schemes:
        value["scheme"] = name_scheme(value.pop("groups"))
    values = list_values(found, ["data", "truth", "method", "groups", "target"])
    for value in values:
        value["groups"] = name_scheme(value["groups"])
        value["target"] = f"class {value['target']}"
    return [
        Figure(
            f"figure-{number}a",
            f"Figure {number}(a)",
            f"Mean accuracy of the paper's method on {data} by θ, class disguised, as printed.",
            draw_lines(schemes, TRUTH, MEAN, "scheme"),
        ),
        Figure(
            f"figure-{number}b",
            f"Figure {number}(b)",
            f"Variance of these accuracies on {data}.",
            draw_lines(schemes, TRUTH, VARIANCE, "scheme"),
        ),
        Figure(
            f"lines-{data}",
            f"Figure {number}(a) with all lines",
            f"Mean accuracy on {data} by number of groups: the paper's method, the control and "
            "confide's default, the class disguised and in the clear.",
            draw_lines(
                add_original(rows, values), TRUTH, MEAN, "method", panels="groups", rows="target"
            ),
        ),
    ]


def _draw_surface(rows: Sequence[Row]) -> list[Figure]:
    """Figure 6: accuracy over θ and the number of groups, as a surface and as a heat map."""
    found = select(rows, experiment="accuracy", data="adult", target="disguised", method="paper")
    values = list_values(found, ["truth", "groups"])
    about = "Mean accuracy on Adult over θ and the number of groups"
    heat: Spec = {
        "mark": {"type": "rect", "tooltip": True},
        "encoding": {
            "x": {"field": "truth", "type": "ordinal", "title": TRUTH[1]},
            "y": {"field": "groups", "type": "ordinal", "title": "groups"},
            "color": {
                "field": "mean",
                "type": "quantitative",
                "title": "mean accuracy",
                "scale": {"scheme": "viridis", "zero": False},
                "legend": {"orient": "right", "title": "mean accuracy"},
            },
        },
        "height": 120,
    }
    return [
        Figure("figure-6", "Figure 6", f"{about}, as a surface.", _draw_wires(values)),
        Figure(
            "figure-6-map",
            "Figure 6",
            f"{about}, as a heat map.",
            lay_out(values, heat, None),
        ),
    ]


def _draw_wires(values: Values) -> Spec:
    """A surface as wires: each number of groups stands behind the one before, a little higher."""
    shift, rise = 0.06, 0.3
    points = [
        {
            **value,
            "across": value["truth"] + shift * value["groups"],
            "up": value["mean"] + rise * value["groups"],
            "scheme": name_scheme(value["groups"]),
        }
        for value in values
    ]
    base: Spec = {
        "x": {"field": "across", "type": "quantitative", "axis": None, "scale": {"zero": False}},
        "y": {"field": "up", "type": "quantitative", "axis": None, "scale": {"zero": False}},
    }
    along = base | {"color": {"field": "scheme", "type": "nominal"}, "order": {"field": "truth"}}
    tooltip = [
        {"field": "truth", "type": "quantitative"},
        {"field": "groups", "type": "quantitative"},
        {"field": "mean", "type": "quantitative", "format": ".4f"},
    ]
    behind = base | {"detail": {"field": "truth"}, "order": {"field": "groups"}}
    ends = base | {"text": {"field": "truth", "type": "quantitative"}}
    chart: Spec = {
        "layer": [
            {"mark": {"type": "line", "color": "#d1d5db"}, "encoding": behind},
            {
                "mark": {"type": "line", "point": {"size": 30}, "strokeWidth": 2.5},
                "encoding": along | {"tooltip": tooltip},
            },
            {
                "mark": {"type": "text", "dy": 14, "fontSize": 9, "color": "#6b7280"},
                "transform": [{"filter": "datum.groups == 1"}],
                "encoding": ends,
            },
        ],
        "height": 280,
    }
    return lay_out(points, chart, None)


def _draw_variance(rows: Sequence[Row]) -> Figure:
    """The variance within partitions, of the coins, and between them."""
    found = select(rows, experiment="accuracy", method="paper", target="disguised")
    keys = list(dict.fromkeys((r["data"], r["groups"], r["truth"]) for r in found))
    values: Values = []
    for data, groups, truth in keys:
        parts = split_variance(select(found, data=data, groups=groups, truth=truth))
        if parts is not None:
            settings = {"data": data, "groups": name_scheme(groups), "truth": truth}
            values += [
                {**settings, "part": "coins, within a partition", "variance": parts.within},
                {**settings, "part": "between partitions", "variance": parts.between},
            ]
    if not values:  # too few repeats
        values = [{"data": "", "groups": "", "truth": 0.5, "part": "", "variance": None}]
    return Figure(
        "variance-parts",
        "Section 5.3.2",
        "The variance of the accuracy in its two parts: of the coins within a partition of the "
        "attributes, and between partitions. With one group there is one partition.",
        draw_lines(values, TRUTH, VARIANCE, "part", panels="groups", rows="data"),
    )


def _draw_scoring(rows: Sequence[Row]) -> Figure:
    found = select(rows, experiment="accuracy", data="adult", target="disguised")
    errors = list_errors(found, count_tested(rows, data="adult"), ("truth", "groups"))
    # close to one half the errors are beyond all measure
    shown = [value for value in errors if abs(value["truth"] - 0.5) > 0.06]
    for value in shown:
        value["groups"] = name_scheme(value["groups"])
    return Figure(
        "estimated-accuracy",
        "Section 4.6",
        "The accuracy estimated from disguised test people of Adult: the error made (root mean "
        "square) and the error stated. It grows quickly with the number of groups; θ close to one "
        "half is left out, where it is beyond all measure.",
        draw_lines(
            shown, TRUTH, ("error", "error of the estimated accuracy"), "which", panels="groups"
        ),
    )


def _draw_privacy(rows: Sequence[Row]) -> Figure:
    told: Values = [
        {"truth": row["truth"], "told": row["coins_told"], "scheme": name_scheme(row["groups"])}
        for row in select(rows, experiment="privacy")
    ]
    return Figure(
        "privacy",
        "Section 5.3.3",
        "How often one who knows the crowd tells all coins of a record of Adult, and with them "
        "every answer.",
        draw_lines(told, TRUTH, ("told", "records told"), "scheme"),
    )
