"""confide rules"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from confide.cli.learning import Reports, Survey, learning, number
from confide.cli.showing import AsJson, margin, print_json, print_table, print_text, working
from confide.crowd import Crowd
from confide.design import Design

if TYPE_CHECKING:
    from confide.mining import Rule


def rules(
    survey: Survey,
    reports: Reports,
    min_support: Annotated[
        float, typer.Option(help="The smallest share of people with all the answers.")
    ] = 0.1,
    min_confidence: Annotated[
        float, typer.Option(help="The smallest share of those on the left with the right.")
    ] = 0.5,
    max_length: Annotated[int, typer.Option(min=2, help="The most questions in a rule.")] = 3,
    json: AsJson = False,
) -> None:
    """Find association rules in disguised reports.

    Example: `confide rules survey.toml reports.parquet --min-support 0.2`
    """
    from confide.mining import DisguisedRules

    design = Design.load(survey)
    with working("Counting reports"):
        crowd = Crowd(design, reports)
    with learning("Finding rules"):
        found = DisguisedRules(
            design, min_support=min_support, min_confidence=min_confidence, max_length=max_length
        ).fit(crowd)
    if json:
        print_json(
            {
                "n": crowd.n,
                "rules": [
                    {
                        "if": rule.antecedent,
                        "then": rule.consequent,
                        "support": number(rule.support),
                        "confidence": number(rule.confidence),
                        "lift": number(rule.lift),
                    }
                    for rule in found.rules_
                ],
            }
        )
        return
    print_text(f"{design.title or survey.stem}: {crowd.n:,} reports, {len(found.rules_)} rules")
    print_table(
        ["who says", "also says", ">support", ">95 %", ">confidence", ">95 %", ">lift", ">95 %"],
        [
            [_words(rule.antecedent), _words(rule.consequent), *_cells(rule)]
            for rule in found.rules_[:_SHOWN]
        ],
    )
    if len(found.rules_) > _SHOWN:
        print_text(f"… {len(found.rules_) - _SHOWN:,} more; --json has all.")


_SHOWN = 40


def _words(items: dict[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in items.items())


def _cells(rule: Rule) -> list[str]:
    estimates = (rule.support, rule.confidence, rule.lift)
    return [cell for each in estimates for cell in (f"{each.value:.3f}", margin(each))]
