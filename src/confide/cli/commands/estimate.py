"""confide estimate"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from confide.cli.options import (
    JsonOption,
    ReportsArgument,
    ResultOutputOption,
    SurveyArgument,
    collect_pairs,
)
from confide.cli.output import (
    draw_bar,
    print_table,
    print_text,
    share_to_dict,
    show_spinner,
    write_result,
)
from confide.crowd import Crowd, Distribution, Table
from confide.crowd.estimate import format_decimals
from confide.design import Design
from confide.errors import QueryError
from confide.files import Json

Method = Literal["auto", "inverse", "likelihood"]


def estimate(
    survey: SurveyArgument,
    reports: ReportsArgument,
    questions: Annotated[
        list[str] | None,
        typer.Argument(help="Cross these questions. Left out: every question alone."),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(help="Only people with this true answer, such as faculty=law. Repeatable."),
    ] = None,
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
    with show_spinner("Counting reports"):
        crowd = Crowd(design, reports)
        if where:
            crowd = crowd.given(collect_pairs("--where", [_read_condition(text) for text in where]))
    with show_spinner("Estimating"):
        results = _estimate(crowd, questions, where or [], method)
    if json or output:
        found = [_to_dict(result, level) for result in results]
        write_result({"n": crowd.n, "level": level, "estimates": found}, output, json)
    if json:
        return
    people = f"{crowd.n:,} reports" + (f", where {', '.join(where)}" if where else "")
    print_text(f"{design.title or survey.stem}: {people}")
    for result in results:
        _print_result(result, level)


def _estimate(
    crowd: Crowd, questions: list[str] | None, where: list[str], method: Method
) -> list[Table | Distribution]:
    fixed = {text.split("=", 1)[0].strip() for text in where}
    if questions and len(questions) > 1:
        return [crowd.table(questions, method=method)]
    alone = questions or [name for name in crowd.design.names if name not in fixed]
    return [
        crowd.distribution(name)
        if crowd.design.question(name).grid is not None
        else crowd.table([name], method=method)
        for name in alone
    ]


def _read_condition(text: str) -> tuple[str, str]:
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise QueryError(f"--where takes question=answer, such as faculty=law. Got {text!r}.")
    return name, value


def _print_result(result: Table | Distribution, level: float) -> None:
    if isinstance(result, Distribution):
        print_text(f"\n{result!r}\n")
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


def _to_dict(result: Table | Distribution, level: float) -> Json:
    if isinstance(result, Distribution):
        return {
            "question": result.question,
            "edges": result.edges.tolist(),
            "shares": result.shares.tolist(),
            "standard_errors": result.standard_errors.tolist(),
        }
    cells = [
        {**dict(zip(result.questions, row[:-1], strict=True)), **share_to_dict(row[-1], level)}
        for row in result.rows()
    ]
    return {"questions": list(result.questions), "method": result.method, "cells": cells}
