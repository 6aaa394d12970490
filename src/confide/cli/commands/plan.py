"""The command `confide plan`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from confide import planning
from confide.cli.options import JsonOption, SurveyArgument, collect_pairs, read_prevalence
from confide.cli.output import print_json, show_spinner
from confide.design import Design
from confide.errors import QueryError


def plan(
    survey: SurveyArgument,
    respondents: Annotated[int, typer.Option(help="How many people will be asked.")],
    prevalence: Annotated[
        list[str] | None,
        typer.Option(
            help="An assumed share of yes, cheated=0.1, or of options, faculty=arts:0.2,law:0.8. "
            "Repeat it for more questions; those left out have all options equally likely."
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="A wanted margin (half-width of the 95 % interval), such as 0.03."),
    ] = None,
    event: Annotated[
        list[str] | None,
        typer.Option(help="A pair to plan for as well, cheated=yes,drugs=yes. May be repeated."),
    ] = None,
    truth: Annotated[
        list[str] | None,
        typer.Option(help="A truth to compare with the survey's own, 0.7 or 3/4. May be repeated."),
    ] = None,
    null: Annotated[float, typer.Option(help="The share to be ruled out; gives the power.")] = 0.0,
    one_sided: Annotated[
        bool, typer.Option("--one-sided", help="Test the null on one side only.")
    ] = False,
    significance: Annotated[
        float, typer.Option(help="The chance with which that test rejects a null that holds.")
    ] = 0.05,
    json: JsonOption = False,
    picture: Annotated[
        Path | None, typer.Option(help="Also draw privacy against precision: .svg, .png or .html.")
    ] = None,
) -> None:
    """Compare truths and groupings: what each gives away, its precision, the people it needs.

    For every disguised question: epsilon and the odds after the most telling report, the standard
    error, the respondents needed for a margin, and the power against a null, beside what a direct
    question would give.

    Example: `confide plan survey.toml --respondents 2000 --prevalence cheated=0.1`
    """
    design = Design.load(survey)
    with show_spinner("Planning"):
        found = planning.plan(
            design,
            respondents,
            collect_pairs("--prevalence", [read_prevalence(text) for text in prevalence or []]),
            margin,
            events=[_read_event(text) for text in event or []],
            null=null,
            two_sided=not one_sided,
            significance=significance,
            truths=truth or planning.TRUTHS,
        )
        if picture is not None:
            found.save(picture)
    if json:
        print_json(found.to_dict())
    else:
        Console().print(found)


def _read_event(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise QueryError(f"--event must look like cheated=yes,drugs=yes. Got {text[:40]!r}.")
    return {name.strip(): value.strip() for name, _, value in pairs}
