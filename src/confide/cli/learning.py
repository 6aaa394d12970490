"""What the commands that learn a model share: learning it, and printing how accurate it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from confide.cli.output import print_json, print_text, show_learning, show_spinner
from confide.crowd import Crowd, Estimate
from confide.design import Design
from confide.files import check_picture, save_picture

if TYPE_CHECKING:
    from confide.mining.classifier import DisguisedClassifier
    from confide.mining.structure_model import StructureModel


def learn_and_test(
    learner: DisguisedClassifier,
    design: Design,
    reports: str,
    test: str | None,
    what: str,
    weights: str | None = None,
) -> Estimate | None:
    """Learn from reports, and estimate the accuracy from test reports; None where there are none.

    While it learns, a terminal shows what it does.
    """
    with show_spinner("Counting reports"):
        crowd = Crowd(design, reports, weights=weights)
    with show_learning(what):
        learner.fit(crowd)
        if test is None:
            return None
        return learner.score_disguised(Crowd(design, test, weights=weights))


def learn_structure(
    model: StructureModel,
    reports: str,
    output: Path | None,
    picture: Path | None,
    json: bool,
    what: str,
) -> None:
    """Learn clusters or a network from reports; write, draw and print it as JSON as asked."""
    if picture:
        check_picture(picture)
    with show_spinner("Counting reports"):
        crowd = Crowd(model.design, reports)
    with show_learning(what):
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
