"""What mined rules give away about single entries: REC of `surveys` section 4.2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Protocol, SupportsFloat, runtime_checkable

import numpy as np

from confide.arrays import Array
from confide.design import Design
from confide.errors import QueryError
from confide.privacy.known_crowd import KnownCrowd
from confide.privacy.paper_measures import recovery_known, recovery_unknown
from confide.privacy.question_privacy import QuestionPrivacy


@runtime_checkable
class MinedRule(Protocol):
    """An association rule: people with some answers have another, with a confidence."""

    @property
    def antecedent(self) -> Mapping[str, object]: ...
    @property
    def consequent(self) -> Mapping[str, object]: ...
    @property
    def confidence(self) -> SupportsFloat: ...


def read_rules(given: object) -> tuple[MinedRule, ...]:
    """Read mined rules; refuse what is none, such as the learner that found them."""
    if not isinstance(given, Iterable):
        raise QueryError(
            "rules must be a list of mined rules, such as DisguisedRules(design).fit(…).rules_. "
            f"Got {type(given).__name__}."
        )
    rules = tuple(given)
    for rule in rules:
        if not isinstance(rule, MinedRule):
            raise QueryError(
                "rules must be mined rules, with an antecedent, a consequent and a confidence. "
                f"Got {type(rule).__name__} among them."
            )
    return rules


def measure_recovery(
    design: Design, population: KnownCrowd, rules: Sequence[MinedRule]
) -> dict[str, float]:
    """Find the largest REC of each question that mined rules conclude an answer to.

    All rules from the same questions to one question make a table of confidences, 0 where none was
    found. Where the preconditions are all asked in the clear their true values are known (scenario
    I of the paper); else REC is that of rules between reported values (scenario II). A confidence,
    which may be estimated outside 0 to 1, counts as the nearest that is possible.
    """
    found: dict[str, float] = {}
    for (before, name), table in _tabulate(design, rules).items():
        if all(design.block(each).mechanism is None for each in before):
            value = recovery_known(_find_shares(population, before), table)
        else:
            value = recovery_unknown(table, _find_correct(design, population, name))
        found[name] = max(found.get(name, 0.0), value)
    return found


def _tabulate(
    design: Design, rules: Sequence[MinedRule]
) -> dict[tuple[tuple[str, ...], str], Array]:
    """Put confidences into tables: combinations of the preconditions' answers × the conclusion."""
    tables: dict[tuple[tuple[str, ...], str], Array] = {}
    for rule in rules:
        if len(rule.consequent) != 1:
            continue  # REC speaks of one entry
        ((name, value),) = rule.consequent.items()
        before = tuple(sorted(rule.antecedent, key=design.position))
        if name in before or not before:
            raise QueryError(f"a rule must lead from other questions to {name}.")
        sizes = [design.question(each).size for each in before]
        shape = prod(sizes), design.question(name).size
        table = tables.setdefault((before, name), np.zeros(shape))
        codes = [design.question(each).code(rule.antecedent[each]) for each in before]
        confidence = min(max(float(rule.confidence), 0.0), 1.0)
        table[np.ravel_multi_index(codes, sizes), design.question(name).code(value)] = confidence
    return tables


def _find_shares(population: KnownCrowd, names: Sequence[str]) -> Array:
    """Give the share of every combination of the answers to some questions in the crowd."""
    return population.mixture.select([population.names.index(name) for name in names]).write_out()


def _find_correct(design: Design, population: KnownCrowd, name: str) -> Array:
    """Give the chance that each reported value of a question is the true one."""
    block = design.block(name)
    question = QuestionPrivacy(block, block.positions.index(design.position(name)))
    table = question.posterior(population.margin(name)).table
    return np.nan_to_num(np.diag(table))  # what cannot be reported is never correct
