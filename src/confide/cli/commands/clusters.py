"""The command `confide clusters`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from confide.cli.learning import learn_structure
from confide.cli.options import (
    JsonOption,
    ModelOutputOption,
    PictureOption,
    ReportsArgument,
    SurveyArgument,
    WeightsOption,
)
from confide.cli.output import (
    format_margin,
    format_value,
    print_table,
    print_text,
)
from confide.design import Design, YesNo

if TYPE_CHECKING:
    from confide.mining import DisguisedClusters


def clusters(
    survey: SurveyArgument,
    reports: ReportsArgument,
    n_clusters: Annotated[
        int | None,
        typer.Option("--clusters", min=1, help="How many; left out, chosen by held-out reports."),
    ] = None,
    weights: WeightsOption = None,
    output: ModelOutputOption = None,
    picture: PictureOption = None,
    json: JsonOption = False,
) -> None:
    """Find clusters of people who answer alike in disguised reports.

    Example: `confide clusters survey.toml reports.parquet --picture clusters.svg`
    """
    from confide.mining import DisguisedClusters

    design = Design.load(survey)
    model = DisguisedClusters(design, n_clusters)
    learn_structure(model, reports, weights, output, picture, json, "Finding clusters")
    if json:
        return
    print_text(f"{design.title or survey.stem}: {_say_rows(model)}, {model.n_:,} reports")
    names = [f">{cluster.name}" for cluster in model.clusters_]
    known = model.clusters_[0].share.known_interval() is not None
    margins = [">95 %" if known else ">(standard error)"] * len(names)
    headings = [each for pair in zip(names, margins, strict=True) for each in pair]
    print_table(["question", "answer", *headings], _list_rows(model))
    for cluster in model.clusters_:
        print_text(f"Stability of {cluster.name}: {cluster.stability:.2f}")
    print_text(
        "Stability is how much of a cluster another survey would find again (below 0.6: no)."
    )


def _say_rows(model: DisguisedClusters) -> str:
    count = len(model.clusters_)
    return "no clusters told apart" if count == 1 else f"{count} clusters"


def _list_rows(model: DisguisedClusters) -> list[list[str]]:
    """The clusters' sizes, then a row per answer; of a yes-no question only yes."""
    shares = [cluster.share for cluster in model.clusters_]
    rows = [
        [
            "(all)",
            "",
            *(text for each in shares for text in (format_value(each), format_margin(each))),
        ]
    ]
    for question in model.design_.questions:
        for value in question.values[isinstance(question, YesNo) :]:
            found = [cluster.answers[question.name][value] for cluster in model.clusters_]
            cells = (text for each in found for text in (format_value(each), format_margin(each)))
            rows.append([question.name, str(value), *cells])
    return rows
