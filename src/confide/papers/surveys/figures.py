"""Figures 2 to 7, the test of section 3.4, and privacy after mining."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from confide.papers.cells import Row
from confide.papers.figures import (
    MEAN,
    TRUTH,
    VARIANCE,
    Figure,
    Values,
    draw_lines,
    draw_table,
    list_values,
)
from confide.papers.original import add_original, count_tested, draw_readings
from confide.papers.run_table import average, select
from confide.papers.scoring_errors import list_errors

PRINTED = {
    "related": {
        0.51: (0.66, 0.0054),
        0.6: (0.81, 0.0002),
        0.7: (0.82, 0.0001),
        0.8: (0.82, 0.0),
        0.9: (0.82, 0.0),
    },
    "unrelated": {
        0.5: (0.81, 0.0001),
        0.51: (0.81, 0.0001),
        0.6: (0.82, 0.0001),
        0.7: (0.82, 0.0001),
        0.8: (0.82, 0.0),
        0.9: (0.82, 0.0),
    },
}
"""Figure 7 as printed: by model and θ the mean and the variance."""
_NUMBERS = {"adult": (2, 4), "breast-cancer": (3, 5)}
"""The figures of the mean and the variance on each data set."""


def draw(rows: Sequence[Row]) -> list[Figure]:
    """All figures of the paper."""
    return [
        *(figure for data in _NUMBERS for figure in _draw_data(rows, data)),
        _draw_entries(rows),
        _draw_comparison(rows),
        _draw_models(rows),
        _draw_scoring(rows),
        _draw_after_mining(rows),
        draw_readings(rows),
    ]


def _draw_data(rows: Sequence[Row], data: str) -> list[Figure]:
    mean, variance = _NUMBERS[data]
    found = select(rows, experiment="accuracy", data=data, model="unrelated")
    values = list_values(found, ["data", "truth", "method"])
    return [
        Figure(
            f"figure-{mean}",
            f"Figure {mean}",
            f"Mean accuracy of naive Bayes on {data}, unrelated questions with W_y = 0.5.",
            draw_lines(add_original(rows, values), TRUTH, MEAN),
        ),
        Figure(
            f"figure-{variance}",
            f"Figure {variance}",
            f"Variance of these accuracies on {data}.",
            draw_lines(values, TRUTH, VARIANCE),
        ),
    ]


def _draw_entries(rows: Sequence[Row]) -> Figure:
    values: Values = [
        {
            "truth": row["truth"],
            "privacy": row["single_entry"],
            "prevalence": f"W_a = {row['prevalence']}",
        }
        for row in select(rows, experiment="single entry")
        if float(row["prevalence"] or 0) <= 0.5
    ]
    return Figure(
        "figure-6",
        "Figure 6",
        "PSE(PRE): how often a guess drawn from the posterior of one entry is wrong, by θ and by "
        "the share W_a of those with the attribute.",
        draw_lines(values, TRUTH, ("privacy", "PSE(PRE)"), "prevalence"),
    )


def _draw_comparison(rows: Sequence[Row]) -> Figure:
    """Figure 7: the printed table beside ours."""
    values: Values = []
    for model, line in PRINTED.items():
        for truth, (mean, variance) in line.items():
            found = average(
                rows,
                experiment="accuracy",
                data="adult",
                model=model,
                truth=truth,
                method="paper",
            )
            cells = {"mean, printed": f"{mean:.2f}", "variance, printed": f"{variance:.4f}"}
            if found is not None:
                spread = f"{found.variance:.5f}" if isfinite(found.variance) else "–"
                cells |= {"mean, here": f"{found.mean:.4f}", "variance, here": spread}
            values += [
                {"setting": f"{model}, θ = {truth}", "column": column, "text": text}
                for column, text in cells.items()
            ]
    order = ("mean, printed", "mean, here", "variance, printed", "variance, here")
    values.sort(key=lambda value: order.index(value["column"]))
    return Figure(
        "figure-7",
        "Figure 7",
        "The printed comparison of the two models on Adult, beside ours.",
        draw_table(values, "column", "setting", "text"),
    )


def _draw_models(rows: Sequence[Row]) -> Figure:
    found = select(rows, experiment="accuracy", data="adult")
    values = list_values(found, ["data", "truth", "method", "model"])
    for value in values:
        value["model"] = f"{value['model']} questions"
    return Figure(
        "models",
        "Figure 7 with all lines",
        "Mean accuracy of naive Bayes on Adult under both models. The same θ is not the same "
        "privacy: an unrelated report is true with (1 + θ)/2, a related one with θ.",
        draw_lines(add_original(rows, values), TRUTH, MEAN, panels="model"),
    )


def _draw_scoring(rows: Sequence[Row]) -> Figure:
    values: Values = []
    for data in _NUMBERS:
        found = select(rows, experiment="accuracy", data=data, model="unrelated")
        errors = list_errors(found, count_tested(rows, data=data))
        values += [{"data": data, **value} for value in errors]
    return Figure(
        "estimated-accuracy",
        "Section 3.4",
        "The accuracy estimated from disguised test people and P(Y(cc)): the error made (root mean "
        "square) and the error stated.",
        draw_lines(
            values, TRUTH, ("error", "error of the estimated accuracy"), "which", panels="data"
        ),
    )


def _draw_after_mining(rows: Sequence[Row]) -> Figure:
    found = select(rows, experiment="after mining")
    names = {
        "least_pse_before": "least PSE(PRE), before mining",
        "least_pse_after": "least PSE = PSE(PRE) − REC",
        "largest_rec": "largest REC",
    }
    values = [
        value | {"what": what}
        for name, what in names.items()
        for value in list_values(found, ["truth", "data"], name)
    ]
    return Figure(
        "after-mining",
        "Sections 4.2 and 4.3",
        "The measures of section 4 with REC from the rules mined from the disguised data. REC can "
        "exceed 1, so PSE can be negative: it ranks designs and is no probability.",
        draw_lines(values, TRUTH, ("mean", "value of the measure"), "what", panels="data"),
    )
