"""The original accuracy, which a paper's method is compared with, under each reading."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.claims import NotRun
from confide.papers.figures import Figure, Spec, Values, lay_out
from confide.papers.run_table import select

_OF_A_LINE = ("truth", "method", "mean", "variance", "low", "high", "repeats")


def find_original(rows: Sequence[Row], **where: object) -> float:
    """The original accuracy of a run, under the reading that its other cells were run in."""
    reading = find_run_reading(rows)
    found = select(rows, experiment="original", reading=reading, **where)
    if not found:
        raise NotRun("the original accuracy was not measured in this run.")
    value = found[0]["accuracy"]
    assert isinstance(value, float)
    return value


def find_run_reading(rows: Sequence[Row]) -> object:
    """The reading that the accuracies were measured in."""
    return next((r["reading"] for r in rows if r["experiment"] == "accuracy"), "median")


def count_tested(rows: Sequence[Row], **where: object) -> int:
    """How many people test a model in a run."""
    reading = find_run_reading(rows)
    tested = select(rows, experiment="original", reading=reading, **where)[0]["tested"]
    assert isinstance(tested, int)
    return tested


def add_original(
    rows: Sequence[Row], values: Values, match: Sequence[str] = ("data", "algorithm")
) -> Values:
    """The values with the original accuracy as one more line in every field of a figure.

    ``match`` names what the original accuracy depends on, where the values have it.
    """
    fields = [name for name in values[0] if name not in _OF_A_LINE]
    panels = list(dict.fromkeys(tuple(value[name] for name in fields) for value in values))
    truths = sorted({value["truth"] for value in values})
    lines: Values = []
    for panel in panels:
        fixed = dict(zip(fields, panel, strict=True))
        accuracy = find_original(rows, **{name: fixed[name] for name in match if name in fixed})
        same = {"mean": accuracy, "variance": None, "low": accuracy, "high": accuracy}
        lines += [
            {**fixed, "truth": truth, "method": "original", **same, "repeats": 1}
            for truth in truths
        ]
    return [*lines, *values]


def draw_readings(rows: Sequence[Row]) -> Figure:
    """The original accuracy under every reading, data set by data set."""
    found = select(rows, experiment="original")
    values: Values = [
        {
            "data": f"{row['data']}, {row['algorithm']}",
            "reading": row["reading"],
            "accuracy": row["accuracy"],
        }
        for row in found
    ]
    chart: Spec = {
        "layer": [
            {"mark": {"type": "point", "filled": True, "size": 70}},
            {
                "mark": {"type": "text", "align": "left", "dx": 8},
                "encoding": {"text": {"field": "accuracy", "format": ".3f"}},
            },
        ],
        "encoding": {
            "y": {"field": "reading", "type": "nominal", "title": None, "sort": None},
            "x": {
                "field": "accuracy",
                "type": "quantitative",
                "title": "original accuracy",
                "scale": {"zero": False, "padding": 45},
            },
        },
        "height": 110,
    }
    return Figure(
        "readings",
        "Readings",
        "The original accuracy under each reading of “the median point of the range” and of "
        "missing values (--reading runs everything under another one).",
        lay_out(values, chart, "data"),
    )
