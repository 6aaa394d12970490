"""An itemset and an association rule, as they are shown."""

from __future__ import annotations

from dataclasses import dataclass

from confide.crowd import Estimate
from confide.crowd.estimate import format_decimals
from confide.design.questions import Option


@dataclass(frozen=True)
class Itemset:
    """Answers that people gave together, and the share of those people.

    Parameters
    ----------
    items : dict
        Questions with a value each.
    support : Estimate
        The share of people who have them all.
    """

    items: dict[str, Option]
    support: Estimate

    def __repr__(self) -> str:
        return f"{say_items(self.items)}: {self.support}"


@dataclass(frozen=True)
class Rule:
    """People who gave some answers often gave others, too.

    Parameters
    ----------
    antecedent, consequent : dict
        Questions with a value each.
    support : Estimate
        The share of people who have all the answers.
    confidence : Estimate
        The share of those with the antecedent who have the consequent too.
    lift : Estimate
        The confidence divided by the share of all who have the consequent.
    """

    antecedent: dict[str, Option]
    consequent: dict[str, Option]
    support: Estimate
    confidence: Estimate
    lift: Estimate

    def __repr__(self) -> str:
        lift = f"{format_decimals(self.lift.value)} {self.lift.format_margin()}"
        return (
            f"{say_items(self.antecedent)} → {say_items(self.consequent)}: confidence "
            f"{self.confidence}, lift {lift}"
        )


def say_items(items: dict[str, Option]) -> str:
    """Write questions with a value each.

    >>> say_items({"cheated": "yes", "drugs": "no"})
    'cheated = yes, drugs = no'
    """
    return ", ".join(f"{name} = {value}" for name, value in items.items())
