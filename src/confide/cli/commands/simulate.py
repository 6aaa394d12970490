"""The command `confide simulate`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, cast

import pyarrow as pa
import typer

from confide.cli.commands.disguise import DisguisedAnswersError, read_answers
from confide.cli.options import SurveyArgument, collect_pairs, read_prevalence
from confide.cli.output import print_text, show_progress
from confide.crowd import Crowd
from confide.design import Design
from confide.design.shares import Prior
from confide.errors import QueryError

_FITTED_PEOPLE = 1 << 18
"""So many are drawn from fitted shares; simulated people are drawn from these."""


def simulate(
    survey: SurveyArgument,
    respondents: Annotated[str, typer.Option(help="How many people answer: 2000, or 1e8.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write.")],
    like: Annotated[
        Path | None,
        typer.Option(
            help="True answers, in a file or a folder of Parquet files: people are drawn from its "
            "rows. Or reports that confide wrote as Parquet or Arrow: people are drawn from the "
            "most likely shares of their answers. A CSV file is always taken for true answers."
        ),
    ] = None,
    prevalence: Annotated[
        list[str] | None,
        typer.Option(
            help="A share of yes, cheated=0.1, or of options, faculty=arts:0.2,law:0.8. Repeat it "
            "for more questions; those left out have all answers equally likely."
        ),
    ] = None,
    refusing: Annotated[
        float, typer.Option(min=0, max=1, help="The share who say no whatever the coin says.")
    ] = 0.0,
    inattentive: Annotated[
        float, typer.Option(min=0, max=1, help="The share who report any option.")
    ] = 0.0,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed, the same people.")] = None,
    cores: Annotated[
        int | None, typer.Option(min=1, help="Parts that are made at once; else all cores.")
    ] = None,
) -> None:
    """Simulate a survey: people, their true answers, their disguised reports.

    The folder gets two folders of Parquet files, `reports` and, for checking, `answers`.

    Example: `confide simulate survey.toml --respondents 1e5 --prevalence cheated=0.2 -o simulated`
    """
    from confide.compliance.made_up_people import IndependentPeople, ResampledPeople
    from confide.compliance.simulated_folder import write_simulation

    design, n = Design.load(survey), _read_respondents(respondents)
    given = collect_pairs("--prevalence", [read_prevalence(text) for text in prevalence or []])
    if like is not None and given:
        raise QueryError("give --like or --prevalence: rows of answers have shares of their own.")
    people = (
        IndependentPeople(design, cast("Mapping[str, Prior]", given))
        if like is None
        else ResampledPeople(_read_people(like, design, seed))
    )
    with show_progress() as progress:
        task = progress.add_task("Simulating", total=n)
        for written in write_simulation(
            design,
            people,
            n,
            output,
            refusing=refusing,
            inattentive=inattentive,
            seed=seed,
            cores=cores or os.cpu_count() or 1,
        ):
            progress.advance(task, written)
    print_text(
        f"Simulated {n:,} people. Their reports: {output / 'reports'}. What they would have said "
        f"undisguised: {output / 'answers'}."
    )


def _read_people(path: Path, design: Design, seed: int | None) -> pa.Table:
    """Read answers; where a file holds reports, draw people from the most likely answers."""
    try:
        answers = read_answers(path, design)
    except DisguisedAnswersError:
        return Crowd(design, path).sample(_FITTED_PEOPLE, seed=seed)
    design.disguise(answers, seed=0)  # a row that does not fit is refused, drawn or not
    return answers


def _read_respondents(text: str) -> int:
    """Read a number of people, also one written as 1e8."""
    try:
        n = float(text)
    except ValueError:
        n = 0.0
    if not (1 <= n < 1e12 and n == int(n)):
        raise QueryError(f"--respondents must be a whole number from 1, such as 1e6. Got {text!r}.")
    return int(n)
