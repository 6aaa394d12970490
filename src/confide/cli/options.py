"""The arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from confide.errors import QueryError

SurveyArgument = Annotated[Path, typer.Argument(help="The survey file.")]
ReportsArgument = Annotated[
    str, typer.Argument(help="The reports: .csv, .parquet, sqlite:///survey.db or postgresql://….")
]
TargetOption = Annotated[str, typer.Option(help="The question to predict.")]
TestOption = Annotated[
    str | None, typer.Option(help="Reports kept for testing: estimate the accuracy from them.")
]
ModelOutputOption = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write the model to this JSON file: what --json prints."),
]
ResultOutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the result to this JSON file.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

Value = TypeVar("Value")


def collect_pairs(option: str, pairs: Sequence[tuple[str, Value]]) -> dict[str, Value]:
    """Collect what a repeated option gives for each question; refuse a question given twice.

    >>> collect_pairs("--where", [("faculty", "law"), ("cheated", "yes")])
    {'faculty': 'law', 'cheated': 'yes'}
    """
    if len(dict(pairs)) < len(pairs):
        raise QueryError(f"{option} gives one question twice; give each question once.")
    return dict(pairs)
