"""What the commands that learn a model share: learning it, and printing how accurate it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from confide.cli.output import print_json, print_text, show_work
from confide.crowd import Crowd, Estimate, ReportsInPlace
from confide.design import Design
from confide.design.without_missing import leave_out_missing
from confide.errors import ModelError
from confide.files import check_picture, save_picture

if TYPE_CHECKING:
    from confide.mining.classifier import DisguisedClassifier
    from confide.mining.population import Population
    from confide.mining.structure_model import StructureModel


def load_learned_design(survey: Path) -> Design:
    """Load what models learn from: a survey without the numbers that may be missing, which is said.

    What tells whether they are missing stays.
    """
    design = Design.load(survey)
    if design.declines:
        names = ", ".join(design.declines)
        typer.echo(f"Numbers that may be missing take no part in the model: {names}.", err=True)
    return leave_out_missing(design)


def learn_and_test(
    learner: DisguisedClassifier,
    design: Design,
    reports: str,
    test: str | None,
    what: str,
    weights: str | None = None,
    in_place: bool = False,
) -> Estimate | None:
    """Learn from reports, and estimate the accuracy from test reports; None where there are none.

    While it learns, a terminal shows what it does. Reports in place are not counted as patterns.
    """
    if in_place and weights:
        raise ModelError("--in-place takes no --weights: reports in place count one each.")
    with show_work("Reading reports" if in_place else "Counting reports"):
        crowd: Population = (
            ReportsInPlace(design, reports) if in_place else Crowd(design, reports, weights=weights)
        )
        tested = None if test is None else Crowd(design, test, weights=weights)
    with show_work(what):
        learner.fit(crowd)
        return None if tested is None else learner.score_disguised(tested)


def learn_structure(
    model: StructureModel,
    reports: str,
    weights: str | None,
    output: Path | None,
    picture: Path | None,
    json: bool,
    what: str,
) -> None:
    """Learn clusters or a network from reports; write, draw and print it as JSON as asked."""
    if picture:
        check_picture(picture)
    with show_work("Counting reports"):
        crowd = Crowd(model.design, reports, weights=weights)
    with show_work(what):
        model.fit(crowd)
    if output:
        model.save(output)
    if picture:
        save_picture(model.plot(), picture)
    if json:
        print_json(model.to_contents())


def print_accuracy(accuracy: Estimate | None) -> None:
    """Print how accurate a model is, or how to find out."""
    if accuracy is None:
        print_text("How accurate is it? Keep some reports apart and give them as --test.")
    else:
        print_text(f"Accuracy, estimated from disguised test reports: {accuracy}")
