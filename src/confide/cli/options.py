"""The arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from confide.cli.output import check_ending, say_formats
from confide.design import Design
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
    Path | None,
    typer.Option(
        "--output",
        "-o",
        callback=lambda path: path and check_ending(path),
        help=f"Write the result to this file: {say_formats()}.",
    ),
]
PictureOption = Annotated[
    Path | None, typer.Option(help="Draw what was found into this .svg, .png or .html file.")
]
WeightsOption = Annotated[
    str | None, typer.Option(help="A column of how many people each report stands for.")
]
InPlaceOption = Annotated[
    bool,
    typer.Option(
        "--in-place",
        help="Read the reports where they are, once for each level, and keep none: for files with "
        "many questions that are larger than memory. With literal only.",
    ),
]
StrataOption = Annotated[
    str | None, typer.Option(help="A column of the strata that people were drawn from.")
]
PopulationOption = Annotated[float | None, typer.Option(help="How many people there are in all.")]
PoolOption = Annotated[
    list[str] | None,
    typer.Option(
        help="More reports, under a survey file of their own: other.toml=others.parquet. "
        "Repeatable."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]

Value = TypeVar("Value")


def read_pool(pool: Sequence[str] | None) -> list[tuple[Design, str]]:
    """Read survey files, each with its reports, written with = between them."""
    parts = [text.partition("=") for text in pool or ()]
    if wrong := [survey for survey, equals, _ in parts if not equals]:
        raise QueryError(
            f"--pool takes a survey=reports, such as b.toml=b.parquet. Got {wrong[0]!r}."
        )
    return [(Design.load(survey), reports) for survey, _, reports in parts]


def collect_pairs(option: str, pairs: Sequence[tuple[str, Value]]) -> dict[str, Value]:
    """Collect what a repeated option gives for each question; refuse a question given twice.

    >>> collect_pairs("--where", [("faculty", "law"), ("cheated", "yes")])
    {'faculty': 'law', 'cheated': 'yes'}
    """
    if len(dict(pairs)) < len(pairs):
        raise QueryError(f"{option} gives one question twice; give each question once.")
    return dict(pairs)


def read_prevalence(text: str, option: str = "--prevalence") -> tuple[str, str | dict[str, str]]:
    """Read an assumed share of yes, or of each option.

    >>> read_prevalence("cheated=0.1"), read_prevalence("faculty=arts:0.2,law:0.8")
    (('cheated', '0.1'), ('faculty', {'arts': '0.2', 'law': '0.8'}))
    """
    name, equals, shares = text.rpartition("=")
    if not equals:
        raise QueryError(f"{option} must look like cheated=0.1. Got {text[:40]!r}.")
    if ":" not in shares:
        return name, shares
    pairs = [part.rpartition(":") for part in shares.split(",")]
    return name, {value.strip(): share for value, _, share in pairs}
