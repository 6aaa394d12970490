"""The command `confide tree`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from confide.cli.learning import learn_and_test, load_learned_design, print_accuracy
from confide.cli.options import (
    InPlaceOption,
    JsonOption,
    ModelOutputOption,
    ReportsArgument,
    SurveyArgument,
    TargetOption,
    TestOption,
    WeightsOption,
)
from confide.cli.output import print_json, print_text


def tree(
    survey: SurveyArgument,
    reports: ReportsArgument,
    target: TargetOption,
    criterion: Annotated[
        Literal["entropy", "gini"] | None,
        typer.Option(
            help="entropy is ID3, gini is CART. Left out: entropy; for the last three methods gini."
        ),
    ] = None,
    method: Annotated[
        Literal["auto", "literal", "global", "by-class", "local"],
        typer.Option(help="literal is the papers' inversion; the last three are for numbers."),
    ] = "auto",
    max_depth: Annotated[
        int | None, typer.Option(min=1, help="The most questions asked on a path.")
    ] = None,
    max_leaves: Annotated[
        int | None, typer.Option(min=2, help="The most leaves: the most accurate tree of so many.")
    ] = None,
    prune: Annotated[
        Literal["reduced-error", "cost-complexity", "mdl"] | None,
        typer.Option(help="Cut the tree back to what the reports support."),
    ] = None,
    test: TestOption = None,
    weights: WeightsOption = None,
    in_place: InPlaceOption = False,
    output: ModelOutputOption = None,
    picture: Annotated[
        Path | None, typer.Option(help="Draw the tree into this .svg or .png file.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Learn a decision tree from disguised reports.

    Example: `confide tree survey.toml reports.parquet --target cheated --picture tree.svg`
    """
    from confide.mining import DisguisedTreeClassifier
    from confide.mining.exports.picture import check_picture
    from confide.mining.model_files import to_contents

    if picture:
        check_picture(picture)
    design = load_learned_design(survey)
    model = DisguisedTreeClassifier(
        design,
        target,
        criterion=criterion,
        method=method,
        max_depth=max_depth,
        max_leaves=max_leaves,
        prune=prune,
    )
    accuracy = learn_and_test(model, design, reports, test, "Growing the tree", weights, in_place)
    if output:
        model.save(output, accuracy=accuracy)
    if picture:
        model.picture(picture)
    if json:
        print_json(to_contents(model, accuracy))
        return
    print_text(f"{target}, from {model.n_:,} reports\n")
    print_text(model.text(max_depth=_SHOWN))
    print_accuracy(accuracy)


_SHOWN = 4
"""So many levels are printed; the model has them all."""
