"""How accurate a learned model is, as the commands that learn one print it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.cli.output import print_text
from confide.crowd import Crowd, Estimate
from confide.design import Design

if TYPE_CHECKING:
    from confide.mining.classifier import DisguisedClassifier


def estimate_accuracy(
    model: DisguisedClassifier, design: Design, test: str | None
) -> Estimate | None:
    """Estimate a model's accuracy from test reports; None where there are none."""
    return None if test is None else model.score_disguised(Crowd(design, test))


def print_accuracy(accuracy: Estimate | None) -> None:
    """Print how accurate a model is, or how to find out."""
    if accuracy is None:
        print_text("How accurate is it? Keep some reports apart and give them as --test.")
    else:
        print_text(f"Accuracy, estimated from disguised test reports: {accuracy}")
