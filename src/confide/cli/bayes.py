"""confide bayes"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import typer

from confide.cli.learning import (
    Output,
    Reports,
    Survey,
    Target,
    Test,
    learning,
    print_accuracy,
    scored,
)
from confide.cli.output import AsJson, print_json, print_table, print_text, show_spinner
from confide.crowd import Crowd
from confide.design import Design, Number


def bayes(
    survey: Survey,
    reports: Reports,
    target: Target,
    method: Annotated[
        Literal["auto", "literal"], typer.Option(help="literal is the papers' inversion.")
    ] = "auto",
    smoothing: Annotated[
        float, typer.Option(min=0, help="With literal: people added to every value.")
    ] = 1.0,
    test: Test = None,
    output: Output = None,
    json: AsJson = False,
) -> None:
    """Learn naive Bayes from disguised reports.

    Example: `confide bayes survey.toml reports.parquet --target cheated -o bayes.json`
    """
    from confide.mining import DisguisedNaiveBayes
    from confide.mining.model_files import to_contents

    design = Design.load(survey)
    with show_spinner("Counting reports"):
        crowd = Crowd(design, reports)
    with learning("Learning"):
        model = DisguisedNaiveBayes(design, target, method=method, smoothing=smoothing).fit(crowd)
        accuracy = scored(model, design, test)
    if output:
        model.save(output, accuracy=accuracy)
    if json:
        print_json(to_contents(model, accuracy))
        return
    print_text(f"{target}, from {model.n_:,} reports\n")
    question: Any = design.question(target)
    rows = [["(all)", "", *(f"{share:.3f}" for share in model.prior_)]]
    for name, table in zip(model.features_, model.likelihood_, strict=True):
        asked: Any = design.question(name)
        if isinstance(asked, Number):
            rows.append(
                [
                    name,
                    "mean",
                    *(f"{float(f'{mean:.3g}'):,.10g}" for mean in table @ asked.grid.middles),
                ]
            )
            continue
        for code, label in enumerate(asked.labels):
            rows.append([name, label, *(f"{chance:.3f}" for chance in table[:, code])])
    print_table(["question", "answer", *(f">{target} = {c}" for c in question.labels)], rows)
    if model.hidden_ is not None:
        print_text("It predicts by hidden classes, of which this table shows the sum.\n")
    print_accuracy(accuracy)
