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
    power: Annotated[
        float | None, typer.Option(help="A wanted power, such as 0.9; tells whom it needs.")
    ] = None,
    event: Annotated[
        list[str] | None,
        typer.Option(help="A pair to plan for as well, cheated=yes,drugs=yes. May be repeated."),
    ] = None,
    compare: Annotated[
        list[str] | None,
        typer.Option(
            help="An assumed share in a second group of people, written as --prevalence: the plan "
            "is then for telling the two groups apart, half of the respondents in each."
        ),
    ] = None,
    coefficient: Annotated[
        list[str] | None,
        typer.Option(
            help="A coefficient of a logistic regression with its assumed odds ratio, "
            "cheated~male=2. May be repeated."
        ),
    ] = None,
    mean: Annotated[
        list[str] | None,
        typer.Option(
            help="A number with its assumed mean and standard deviation, age=40:12, and the mean "
            "from which it is to be told, age=40:12:38. May be repeated."
        ),
    ] = None,
    refusing: Annotated[
        float, typer.Option(help="The share of people who say no whatever the coin says.")
    ] = 0.0,
    truth: Annotated[
        list[str] | None,
        typer.Option(help="A truth to compare with the survey's own, 0.7 or 3/4. May be repeated."),
    ] = None,
    largest_posterior: Annotated[
        float | None,
        typer.Option(
            help="Search for the largest truths with which no report makes a sensitive answer "
            "likelier than this."
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the best design that the search found here."),
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
    error, the respondents needed for a margin or a power, and the power against a null, beside
    what a direct question would give.

    Example: `confide plan survey.toml --respondents 2000 --prevalence cheated=0.1`

    Two groups: `confide plan survey.toml --respondents 2000 --prevalence cheated=0.1 --compare cheated=0.2 --power 0.9`

    A search: `confide plan survey.toml --respondents 2000 --prevalence cheated=0.1 --largest-posterior 0.6 -o chosen.toml`
    """  # noqa: E501  an example is one line
    design = Design.load(survey)
    with show_spinner("Planning"):
        found = planning.plan(
            design,
            respondents,
            _read_shares("--prevalence", prevalence),
            margin,
            events=[_read_event(text) for text in event or []],
            null=null,
            two_sided=not one_sided,
            significance=significance,
            wanted_power=power,
            compare=_read_shares("--compare", compare) if compare else None,
            coefficients=dict(map(_read_coefficient, coefficient or [])),
            means=dict(map(_read_mean, mean or [])),
            refusing=refusing,
            truths=truth or planning.TRUTHS,
            largest_posterior=largest_posterior,
        )
        if output is not None:
            found.choose().save(output)
        if picture is not None:
            found.save(picture)
    if json:
        print_json(found.to_dict())
    else:
        Console().print(found)


def _read_shares(option: str, texts: list[str] | None) -> dict[str, str | dict[str, str]]:
    return collect_pairs(option, [read_prevalence(text, option) for text in texts or []])


def _read_event(text: str) -> dict[str, str]:
    pairs = [part.partition("=") for part in text.split(",")]
    if not all(equals for _, equals, _ in pairs):
        raise QueryError(f"--event must look like cheated=yes,drugs=yes. Got {text[:40]!r}.")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _read_coefficient(text: str) -> tuple[tuple[str, str], float]:
    names, _, ratio = text.rpartition("=")
    outcome, tilde, predictor = names.partition("~")
    numbers = _read_numbers(ratio)
    if not tilde or len(numbers) != 1:
        raise QueryError(f"--coefficient must look like cheated~male=2. Got {text[:40]!r}.")
    return (outcome.strip(), predictor.strip()), numbers[0]


def _read_mean(text: str) -> tuple[str, list[float]]:
    name, _, given = text.rpartition("=")
    numbers = _read_numbers(given)
    if not name or not 2 <= len(numbers) <= 3:
        raise QueryError(f"--mean must look like age=40:12 or age=40:12:38. Got {text[:40]!r}.")
    return name, numbers


def _read_numbers(text: str) -> list[float]:
    """Numbers between colons; none where some are not numbers."""
    try:
        return [float(number) for number in text.split(":")]
    except ValueError:
        return []
