"""The command `confide score`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confide.cli.learning import load_learned_design
from confide.cli.options import (
    JsonOption,
    ReportsArgument,
    ResultOutputOption,
    SurveyArgument,
    WeightsOption,
)
from confide.cli.output import (
    format_margin,
    format_value,
    print_table,
    print_text,
    show_work,
    write_result,
)
from confide.crowd import Crowd, Estimate
from confide.errors import ModelError


def score(
    survey: SurveyArgument,
    model: Annotated[Path, typer.Argument(help="The model file.")],
    reports: ReportsArgument,
    weights: WeightsOption = None,
    output: ResultOutputOption = None,
    json: JsonOption = False,
) -> None:
    """Estimate how good a model is from disguised test reports.

    Example: `confide score survey.toml tree.json test.parquet`
    """
    from confide.mining.likely_accuracy import Accuracy
    from confide.mining.model_files import load_classifier

    design, learned = load_learned_design(survey), load_classifier(model)
    if learned.design_.fingerprint != design.fingerprint:
        raise ModelError(
            f"{model.name} was learned under another design than {survey.name}: its fingerprint is "
            f"{learned.design_.fingerprint[:12]}…, the survey's is {design.fingerprint[:12]}…."
        )
    with show_work("Counting reports"):
        crowd = Crowd(design, reports, weights=weights)
    with show_work("Scoring"):
        found = learned.evaluate_disguised(crowd)
    named: list[tuple[str, Estimate]] = [
        ("accuracy", found.accuracy),
        ("balanced accuracy", found.balanced_accuracy),
        ("log loss", found.log_loss),
        *((f"precision of {c}", e) for c, e in zip(found.classes, found.precision, strict=True)),
        *((f"recall of {c}", e) for c, e in zip(found.classes, found.recall, strict=True)),
    ]
    likely = found.accuracy.likely if isinstance(found.accuracy, Accuracy) else None
    confusion = [[cell.to_dict() for cell in row] for row in found.confusion]
    scores = {name: estimate.to_dict() for name, estimate in named}
    result = {
        "classes": list(found.classes),
        "scores": scores,
        "most_likely_accuracy": likely,
        "confusion": confusion,
    }
    write_result(result, found.to_arrow, output, json)
    if json:
        return
    print_text(f"{learned.target_}: {model.name} on {found.accuracy.n:,} test reports")
    print_table(
        ["", ">estimate", ">95 %"],
        [[name, format_value(estimate), format_margin(estimate)] for name, estimate in named],
    )
    if likely is not None:
        print_text(f"The most likely accuracy is {likely:.3f}; the 95 % are the same.")
    if any(estimate.known_interval() is None for _, estimate in named):
        print_text("In parentheses: a standard error, where no interval is known to cover.")
    print_table(
        [f"{learned.target_} is", *(f">predicted {c}" for c in found.classes)],
        [
            [c, *(f"{format_value(cell)} {format_margin(cell)}" for cell in row)]
            for c, row in zip(found.classes, found.confusion, strict=True)
        ],
    )
