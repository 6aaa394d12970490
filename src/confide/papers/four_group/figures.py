"""Figures 2 to 5: accuracy and privacy with one to four groups."""

from __future__ import annotations

from collections.abc import Sequence

from confide.papers.cells import Row
from confide.papers.figures import MEAN, TRUTH, Figure, Values, draw_lines, list_values
from confide.papers.four_group.experiment import SCOPES
from confide.papers.original import draw_readings, find_run_reading
from confide.papers.run_table import group, select
from confide.papers.split_people import name_scheme

_MEASURES = {
    "record_told": "the whole record",
    "record_told_knowing_one": "the whole record, knowing one answer",
    "coins_told": "the coins",
    "record_guessed": "the whole record, without a report",
}


def draw(rows: Sequence[Row]) -> list[Figure]:
    """All figures of the paper."""
    return [
        _draw_one_to_four(rows),
        *(_draw_accuracy(rows, scope, number) for number, scope in enumerate(SCOPES)),
        _draw_training(rows),
        _draw_by_groups(rows),
        _draw_privacy(rows),
        _draw_privacy_by_groups(rows),
        _draw_told(rows),
        draw_readings(select(rows, scope=SCOPES[1], choice=0)),
    ]


def _list_accuracies(rows: Sequence[Row], scope: str, value: str) -> Values:
    """The mean accuracies of all lines, the original one averaged over the choices."""
    by = ["truth", "method", "groups", "algorithm"]
    values = list_values(select(rows, experiment="accuracy", scope=scope), by, value)
    found = select(rows, experiment="original", scope=scope, reading=find_run_reading(rows))
    originals = group(found, ["algorithm"], value=value)
    panels = list(dict.fromkeys((v["groups"], v["algorithm"], v["truth"]) for v in values))
    lines: Values = [
        {
            "truth": truth,
            "method": "original",
            "groups": groups,
            "algorithm": algorithm,
            "mean": originals[(algorithm,)].mean,
            "variance": None,
            "low": originals[(algorithm,)].mean,
            "high": originals[(algorithm,)].mean,
            "repeats": originals[(algorithm,)].n,
        }
        for groups, algorithm, truth in panels
    ]
    for each in (*lines, *values):
        each["groups"] = name_scheme(each["groups"])
    return [*lines, *values]


def _draw_one_to_four(rows: Sequence[Row]) -> Figure:
    values = _list_accuracies(rows, SCOPES[1], "accuracy")
    return Figure(
        "one-to-four-groups",
        "One to four groups",
        "Mean accuracy of ID3 on people of Adult not learned from, all 14 attributes, by θ and by "
        "the number of groups.",
        draw_lines(
            [value for value in values if value["algorithm"] == "ID3"],
            TRUTH,
            MEAN,
            panels="groups",
        ),
    )


def _draw_accuracy(rows: Sequence[Row], scope: str, number: int) -> Figure:
    return Figure(
        "figure-2-3" if number == 0 else "figure-2-3-all",
        "Figures 2 and 3",
        f"Mean accuracy on people not learned from, {scope}, by number of groups (the paper draws "
        "three and four).",
        draw_lines(
            _list_accuracies(rows, scope, "accuracy"),
            TRUTH,
            MEAN,
            panels="groups",
            rows="algorithm",
        ),
    )


def _draw_training(rows: Sequence[Row]) -> Figure:
    return Figure(
        "figure-2-3-training",
        "Figures 2 and 3, tested as printed",
        "The same, tested on the true answers of those learned from; all attributes.",
        draw_lines(
            _list_accuracies(rows, SCOPES[1], "training_accuracy"),
            TRUTH,
            ("mean", "mean accuracy on the training data"),
            panels="groups",
            rows="algorithm",
        ),
    )


def _draw_by_groups(rows: Sequence[Row]) -> Figure:
    found = [
        row
        for row in select(rows, experiment="accuracy", scope=SCOPES[1], algorithm="ID3")
        if row["truth"] in (0.51, 0.6, 0.7, 0.8, 0.9)
    ]
    values = list_values(found, ["groups", "method", "truth"])
    for value in values:
        value["truth"] = f"θ = {value['truth']}"
    return Figure(
        "accuracy-by-groups",
        "Section 4",
        "Mean accuracy of ID3 by number of groups, all attributes.",
        draw_lines(values, ("groups", "number of groups"), MEAN, panels="truth"),
    )


def _list_measures(rows: Sequence[Row]) -> Values:
    found = select(rows, experiment="privacy", scope=SCOPES[0])
    return [
        value | {"what": what}
        for measure, what in _MEASURES.items()
        for value in list_values(found, ["truth", "groups"], measure)
    ]


def _draw_privacy(rows: Sequence[Row]) -> Figure:
    values = _list_measures(rows)
    for value in values:
        value["groups"] = name_scheme(value["groups"])
    return Figure(
        "figure-4-5",
        "Figures 4 and 5",
        "How often an adversary who knows the crowd and sees the report of four attributes is "
        "right (the paper's own percentages are not defined). Mean of ten choices of attributes.",
        draw_lines(values, TRUTH, ("mean", "adversary is right"), "what", panels="groups"),
    )


def _draw_privacy_by_groups(rows: Sequence[Row]) -> Figure:
    values = [v for v in _list_measures(rows) if v["truth"] in (0.51, 0.6, 0.7, 0.8, 0.9)]
    for value in values:
        value["truth"] = f"θ = {value['truth']}"
    return Figure(
        "privacy-by-groups",
        "Section 5",
        "The same by number of groups.",
        draw_lines(
            values,
            ("groups", "number of groups"),
            ("mean", "adversary is right"),
            "what",
            panels="truth",
        ),
    )


def _draw_told(rows: Sequence[Row]) -> Figure:
    values: Values = [
        {"groups": row["groups"], "told": row["coins_told"], "theta": f"θ = {row['truth']}"}
        for row in select(rows, experiment="privacy", scope=SCOPES[1])
    ]
    return Figure(
        "privacy-all",
        "Section 5, all attributes",
        "How often all coins of a record of all 14 attributes are recovered from it.",
        draw_lines(values, ("groups", "number of groups"), ("told", "records told"), "theta"),
    )
