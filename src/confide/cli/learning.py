"""What the commands that learn models share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from confide.cli.output import as_json, print_json, print_text, show_progress
from confide.crowd import Crowd, Estimate
from confide.design import Design
from confide.files import write_atomically

if TYPE_CHECKING:
    from confide.mining.classifier import DisguisedClassifier

Survey = Annotated[Path, typer.Argument(help="The survey file.")]
Reports = Annotated[
    str, typer.Argument(help="The reports: .csv, .parquet, sqlite:///survey.db or postgresql://….")
]
Target = Annotated[str, typer.Option(help="The question to predict.")]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write the model to this JSON file: what --json prints."),
]
Written = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the result to this JSON file.")
]
Test = Annotated[
    str | None, typer.Option(help="Reports kept for testing: estimate the accuracy from them.")
]


@contextmanager
def learning(what: str) -> Iterator[None]:
    """Show on a terminal how far a learner is."""
    from confide.mining.progress import on_progress

    with show_progress() as progress:
        task = progress.add_task(what, total=None)
        with on_progress(lambda share: progress.update(task, completed=share, total=1.0)):
            yield


def scored(model: DisguisedClassifier, design: Design, test: str | None) -> Estimate | None:
    """The accuracy on test reports, if there are any."""
    return None if test is None else model.score_disguised(Crowd(design, test))


def write_result(result: Any, output: Path | None, json: bool) -> None:
    """Write what was found to a file, and print it, as far as asked."""
    if output:
        with write_atomically(output) as temporary:
            temporary.write_text(as_json(result) + "\n", encoding="utf-8")
    if json:
        print_json(result)


def number(estimate: Estimate | None) -> dict[str, Any] | None:
    """An estimate that need not be a share, as plain values."""
    if estimate is None:
        return None
    low, high = estimate.interval()
    return {**vars(estimate), "low": low, "high": high}


def print_accuracy(accuracy: Estimate | None) -> None:
    """Say how good a model is, or how to find out."""
    if accuracy is None:
        print_text("How accurate is it? Keep some reports apart and give them as --test.")
    else:
        print_text(f"Accuracy, estimated from disguised test reports: {accuracy}")
