"""The command `confide rules`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

import pyarrow as pa
import typer

from confide.cli.options import (
    JsonOption,
    ReportsArgument,
    ResultOutputOption,
    SurveyArgument,
    WeightsOption,
)
from confide.cli.output import (
    format_margin,
    format_value,
    print_table,
    print_text,
    show_work,
    write_result,
)
from confide.crowd import Crowd, Estimate
from confide.design import Design

if TYPE_CHECKING:
    from confide.mining import DisguisedRules, Rule


def rules(
    survey: SurveyArgument,
    reports: ReportsArgument,
    min_support: Annotated[
        float, typer.Option(help="The smallest share of people with all the answers.")
    ] = 0.1,
    min_confidence: Annotated[
        float, typer.Option(help="The smallest share of those on the left with the right.")
    ] = 0.5,
    max_length: Annotated[int, typer.Option(min=2, help="The most questions in a rule.")] = 3,
    target: Annotated[
        str | None, typer.Option(help="Only rules that conclude an answer to this question.")
    ] = None,
    weights: WeightsOption = None,
    output: ResultOutputOption = None,
    json: JsonOption = False,
) -> None:
    """Find association rules in disguised reports.

    Example: `confide rules survey.toml reports.parquet --min-support 0.2`
    """
    from confide.mining import DisguisedRules

    design = Design.load(survey)
    if target is not None:
        design.position(target)
    with show_work("Counting reports"):
        crowd = Crowd(design, reports, weights=weights)
    with show_work("Finding rules"):
        found = DisguisedRules(
            design, min_support=min_support, min_confidence=min_confidence, max_length=max_length
        ).fit(crowd)
    shown = [rule for rule in found.rules_ if target is None or target in rule.consequent]
    result = [
        {
            "if": rule.antecedent,
            "then": rule.consequent,
            "support": rule.support.to_dict(),
            "confidence": rule.confidence.to_dict(),
            "lift": rule.lift.to_dict(),
        }
        for rule in shown
    ]
    write_result({"n": crowd.n, "rules": result}, partial(_tabulate, found, shown), output, json)
    if json:
        return
    print_text(f"{design.title or survey.stem}: {crowd.n:,} reports, {len(shown)} rules")
    print_table(
        ["rule", ">support", ">confidence", ">lift"],
        [
            [
                f"{_format_answers(rule.antecedent)} → {_format_answers(rule.consequent)}",
                *(_format_estimate(each) for each in (rule.support, rule.confidence, rule.lift)),
            ]
            for rule in shown[:_SHOWN]
        ],
    )
    print_text("Behind each value: its 95 % interval.")
    if len(shown) > _SHOWN:
        print_text(f"… {len(shown) - _SHOWN:,} more; --json and --output have all.")


_SHOWN = 40


def _tabulate(found: DisguisedRules, shown: Sequence[Rule]) -> pa.Table:
    wanted = {id(rule) for rule in shown}
    kept = pa.array([id(rule) in wanted for rule in found.rules_], pa.bool_())
    return found.to_arrow().filter(kept)


def _format_answers(items: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in items.items())


def _format_estimate(estimate: Estimate) -> str:
    return f"{format_value(estimate)} {format_margin(estimate)}".rstrip()
