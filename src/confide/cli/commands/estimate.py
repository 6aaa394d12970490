"""The command `confide estimate`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Annotated, Literal

import pyarrow as pa
import typer

from confide.cli.options import (
    JsonOption,
    PoolOption,
    PopulationOption,
    ReportsArgument,
    ResultOutputOption,
    StrataOption,
    SurveyArgument,
    WeightsOption,
    collect_pairs,
    read_pool,
)
from confide.cli.output import (
    draw_bar,
    print_table,
    print_text,
    share_to_dict,
    show_spinner,
    show_work,
    write_result,
)
from confide.crowd import Crowd, Distribution, Estimate, Table, cut
from confide.crowd.cut import Cut
from confide.crowd.estimate import format_decimals
from confide.design import Design, Number
from confide.errors import QueryError
from confide.files import Json

Method = Literal["auto", "inverse", "likelihood"]


def estimate(
    survey: SurveyArgument,
    reports: ReportsArgument,
    questions: Annotated[
        list[str] | None,
        typer.Argument(
            help="Cross these questions; age@18,25,40 cuts a number. Left out: each question alone."
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            "--where",
            "--given",
            help="Only people with this true answer: faculty=law, or age=18..25 for 18 to below "
            "25. Repeatable.",
        ),
    ] = None,
    pool: PoolOption = None,
    weights: WeightsOption = None,
    strata: StrataOption = None,
    clusters: Annotated[
        str | None, typer.Option(help="A column of the clusters that people were drawn by.")
    ] = None,
    population: PopulationOption = None,
    missing: Annotated[
        bool,
        typer.Option("--missing-at-random", help="Leave out reports with an empty answer."),
    ] = False,
    method: Annotated[
        Method, typer.Option(help="inverse is unbiased; likelihood never leaves 0 to 1.")
    ] = "auto",
    level: Annotated[float, typer.Option(help="The confidence of the intervals.")] = 0.95,
    output: ResultOutputOption = None,
    json: JsonOption = False,
) -> None:
    """Estimate the truth about the crowd from disguised reports.

    Example: `confide estimate survey.toml reports.parquet cheated faculty`
    """
    design = Design.load(survey)
    with show_work("Counting reports"):
        read = partial(
            Crowd,
            weights=weights,
            strata=strata,
            clusters=clusters,
            missing="at random" if missing else "error",
        )
        beside = [name for name in (strata, clusters) if name and name in design.names]
        asked = design if pool else _keep_needed(design, questions, where, beside)
        crowd = read(asked, reports, population=population)
        if pool:
            crowd = Crowd.pool([crowd, *(read(*each) for each in read_pool(pool))])
        if where:
            conditions = [_read_condition(design, text) for text in where]
            crowd = crowd.given(collect_pairs("--where", conditions))
    with show_spinner("Estimating"):
        results = _estimate(crowd, questions, method)
    if json or output:
        estimates = [_to_dict(result, level) for result in results]
        whole = {"n": crowd.n, "level": level, "estimates": estimates}
        write_result(whole, partial(_tabulate, results, level), output, json)
    if json:
        return
    found = f", where {', '.join(where)}: about {results[0].n:,} people" if where else ""
    print_text(f"{design.title or survey.stem}: {crowd.n:,} reports{found}")
    for result in results:
        _print_result(result, level)
        named = result.questions if isinstance(result, Table) else (result.question,)
        if given := [name for name in named if name in design.declines]:
            share = f"about {result.n:,} of {result.total:,}"
            print_text(f"That is of the people who gave {' and '.join(given)}, {share}.")


def _estimate(
    crowd: Crowd, questions: list[str] | None, method: Method
) -> list[Table | Distribution]:
    if questions and len(questions) > 1:
        return [
            crowd.table([_read_question(crowd.design, text) for text in questions], method=method)
        ]
    alone = questions or [name for name in crowd.design.names if name not in crowd.within]
    return [_estimate_alone(crowd, _read_question(crowd.design, text), method) for text in alone]


def _estimate_alone(crowd: Crowd, question: str | Cut, method: Method) -> Table | Distribution:
    if isinstance(question, str) and crowd.design.question(question).grid is not None:
        return crowd.distribution(question)
    return crowd.table([question], method=method)


def _keep_needed(
    design: Design,
    questions: list[str] | None,
    where: list[str] | None,
    beside: Sequence[str],
) -> Design:
    """The part of the design that is asked about; all of it where no question is named.

    Questions that are strata or clusters are kept beside: counts hold no other columns.
    """
    if not questions:
        return design
    asked = [_read_question(design, text) for text in questions]
    names = [each if isinstance(each, str) else each.question for each in asked]
    conditions = [_read_condition(design, text)[0] for text in where or []]
    return design.only([*names, *conditions, *beside])


def _read_question(design: Design, text: str) -> str | Cut:
    """Read a question, or a number with the edges that cut it: ``age@18,25,40``."""
    name, at, edges = text.partition("@")
    if not at or text in design.names:
        return text
    try:
        return cut(name, [float(edge) for edge in edges.split(",")])
    except ValueError:
        raise QueryError(f"a number is cut like age@18,25,40. Got {text!r}.") from None


def _read_condition(design: Design, text: str) -> tuple[str, object]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise QueryError(f"--where takes question=answer, such as faculty=law. Got {text!r}.")
    low, dots, high = value.partition("..")
    if not dots or not isinstance(design.question(name), Number):
        return name, value
    try:
        return name, (float(low), float(high))
    except ValueError:
        raise QueryError(f"a range is two numbers, such as {name}=18..25. Got {text!r}.") from None


def _print_result(result: Table | Distribution, level: float) -> None:
    if isinstance(result, Distribution):
        _print_distribution(result, level)
        return
    rows = [
        [
            *row[:-1],
            format_decimals(row[-1].value),
            row[-1].format_margin(level),
            draw_bar(row[-1].value),
        ]
        for row in result.rows()
    ]
    print_table([*result.questions, ">share", f">{100 * level:g} %", ""], rows)
    if any(not estimate.possible for estimate in result.estimates):
        print_text(
            "Shares below 0 or above 1 are honest: an unbiased estimate scatters around the truth "
            "on both sides. More reports bring it in; --method likelihood never leaves 0 to 1."
        )
    if any(estimate.wide for estimate in result.estimates if estimate.known_interval()):
        print_text(
            "An interval of more than half of 0 to 1 is wide: so few reports, or so much "
            "disguised, hardly tell that share."
        )


def _print_distribution(result: Distribution, level: float) -> None:
    known = result.intervals is not None
    top = max(float(result.shares.max()), 1e-12)
    rows = [
        [label, format_decimals(each.value), each.format_margin(level), draw_bar(each.value / top)]
        for label, each in zip(result.labels, result.estimates, strict=True)
    ]
    margins = f">{100 * level:g} %" if known else ">(standard error)"
    print_table([result.question, ">share", margins, ""], rows)
    mean = result.mean
    print_text(f"mean {mean.format_value()} {mean.format_margin(level)}")


def _tabulate(results: Sequence[Table | Distribution], level: float) -> pa.Table:
    """The shares as rows: by the answers to the questions, or of each question's answers in turn.

    Beside a question of the same name, such as share, a column of numbers is called ``share_``.
    """
    rows = []
    for result in results:
        for answers, estimate in _list_shares(result):
            told = answers if len(results) == 1 else _tell_question(answers)
            total = estimate.n if estimate.total is None else estimate.total
            numbers = {**share_to_dict(estimate, level), "n": estimate.n, "total": total}
            named = {f"{key}_" if key in told else key: each for key, each in numbers.items()}
            rows.append({**told, **named})
    return pa.Table.from_pylist(rows)


def _tell_question(answers: dict[str, object]) -> dict[str, object]:
    ((question, answer),) = answers.items()
    return {"question": question, "answer": str(answer)}


def _list_shares(result: Table | Distribution) -> Iterator[tuple[dict[str, object], Estimate]]:
    """The answers that each share is of, and the share."""
    if isinstance(result, Distribution):
        for label, share in zip(result.labels, result.estimates, strict=True):
            yield {result.question: label}, share
    else:
        for *answers, share in result.rows():
            yield dict(zip(result.questions, answers, strict=True)), share


def _to_dict(result: Table | Distribution, level: float) -> Json:
    if isinstance(result, Distribution):
        return {
            "question": result.question,
            "n": result.n,
            "edges": result.edges.tolist(),
            "shares": result.shares.tolist(),
            "standard_errors": result.standard_errors.tolist(),
            "intervals": [each.known_interval(level) for each in result.estimates],
            "mean": result.mean.to_dict(level),
        }
    cells = [
        {**dict(zip(result.questions, row[:-1], strict=True)), **share_to_dict(row[-1], level)}
        for row in result.rows()
    ]
    asked: Json = {"questions": list(result.questions), "method": result.method, "n": result.n}
    return {**asked, "cells": cells}
