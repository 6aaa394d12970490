"""The command `confide network`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

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
from confide.cli.output import print_table, print_text
from confide.design import Design

if TYPE_CHECKING:
    from confide.mining.network import Edge


def network(
    survey: SurveyArgument,
    reports: ReportsArgument,
    questions: Annotated[
        list[str] | None,
        typer.Option("--question", help="Only this question; may be given several times."),
    ] = None,
    method: Annotated[
        Literal["search", "tree"], typer.Option(help="Search all networks, or the best tree.")
    ] = "search",
    max_parents: Annotated[int, typer.Option(min=1, help="The most parents of a question.")] = 3,
    surveys: Annotated[
        int, typer.Option(min=0, help="Draw the reports again so often, to see what stays.")
    ] = 20,
    weights: WeightsOption = None,
    output: ModelOutputOption = None,
    picture: PictureOption = None,
    json: JsonOption = False,
) -> None:
    """Learn from disguised reports which answers depend on which: a Bayesian network.

    Example: `confide network survey.toml reports.parquet --picture network.svg`
    """
    from confide.mining import DisguisedNetwork

    design = Design.load(survey)
    model = DisguisedNetwork(
        design,
        questions=questions or None,
        method=method,
        max_parents=max_parents,
        surveys=surveys,
    )
    learn_structure(model, reports, weights, output, picture, json, "Learning the network")
    if json:
        return
    count = "1 edge" if len(model.edges_) == 1 else f"{len(model.edges_)} edges"
    print_text(f"{design.title or survey.stem}: {count}, {model.n_:,} reports")
    print_table(["", "", "", ">gain", ">found again", ">this way"], _list_rows(model.edges_))
    print_text("An arrow is no cause; a line could point either way.")


def _list_rows(edges: tuple[Edge, ...]) -> list[list[str]]:
    """One row per edge, the strongest first."""
    return [
        [
            edge.parent,
            "→" if edge.directed else "—",
            edge.child,
            f"{edge.gain:.1f}",
            "" if edge.support is None else f"{edge.support:.0%}",
            "" if edge.direction is None or not edge.directed else f"{edge.direction:.0%}",
        ]
        for edge in sorted(edges, key=lambda edge: -edge.gain)
    ]
