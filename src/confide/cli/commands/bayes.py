"""The command `confide bayes`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

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
from confide.cli.output import print_json, print_table, print_text

if TYPE_CHECKING:
    from confide.mining import DisguisedNaiveBayes


def bayes(
    survey: SurveyArgument,
    reports: ReportsArgument,
    target: TargetOption,
    method: Annotated[
        Literal["auto", "literal"], typer.Option(help="literal is the papers' inversion.")
    ] = "auto",
    smoothing: Annotated[
        float | None,
        typer.Option(min=0, help="With literal: people added to every value; else none."),
    ] = None,
    test: TestOption = None,
    weights: WeightsOption = None,
    in_place: InPlaceOption = False,
    output: ModelOutputOption = None,
    json: JsonOption = False,
) -> None:
    """Learn naive Bayes from disguised reports.

    Example: `confide bayes survey.toml reports.parquet --target cheated -o bayes.json`
    """
    from confide.mining import DisguisedNaiveBayes
    from confide.mining.model_files import to_contents

    design = load_learned_design(survey)
    model = DisguisedNaiveBayes(design, target, method=method, smoothing=smoothing)
    accuracy = learn_and_test(model, design, reports, test, "Learning", weights, in_place)
    if output:
        model.save(output, accuracy=accuracy)
    if json:
        print_json(to_contents(model, accuracy))
        return
    print_text(f"{target}, from {model.n_:,} reports\n")
    classes = [f">{target} = {label}" for label in design.question(target).labels]
    print_table(["question", "answer", *classes], _likelihood_rows(model))
    if model.hidden_ is not None:
        print_text("It predicts by hidden classes, of which this table shows the sum.\n")
    print_accuracy(accuracy)


def _likelihood_rows(model: DisguisedNaiveBayes) -> list[list[str]]:
    """How often each answer is given in each class, one row per answer; a number by its mean."""
    rows = [["(all)", "", *(f"{share:.3f}" for share in model.prior_)]]
    for name, table in zip(model.features_, model.likelihood_, strict=True):
        question = model.design_.question(name)
        if question.grid is not None:
            means = table @ question.grid.middles
            rows.append([name, "mean", *(f"{float(f'{mean:.3g}'):,.10g}" for mean in means)])
            continue
        for code, label in enumerate(question.labels):
            rows.append([name, label, *(f"{chance:.3f}" for chance in table[:, code])])
    return rows
