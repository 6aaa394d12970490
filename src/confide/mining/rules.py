"""Frequent itemsets and association rules from disguised reports.

The papers' announced next step (`du-zhan-2003` 6, `multi-group` 4.8). An item is a question with
one of its values; the support of an itemset is a share of the crowd like any other, confidence a
share of a sub-population and lift the ratio of two shares: each has the interval of a score test
through the disguise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Self

import numpy as np
import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from confide.crowd import Crowd, Estimate
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.estimate import format_decimals
from confide.design import Design, Finite
from confide.design.questions import Option
from confide.errors import ModelError
from confide.mining.parameters import check_design, check_number, check_whole_number
from confide.mining.same_survey import check_same_survey
from confide.mining.sample_weights import read_crowd
from confide.progress import progress_part, track

Items = tuple[tuple[str, int], ...]
"""Questions with the code of the value each must have, in the design's order."""
_ROUNDING = 1e-12


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
        return f"{_say_items(self.items)}: {self.support}"


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
            f"{_say_items(self.antecedent)} → {_say_items(self.consequent)}: confidence "
            f"{self.confidence}, lift {lift}"
        )


class DisguisedRules(ArrowRows, BaseEstimator):  # type: ignore[misc]
    """Association rules learned from disguised reports alone.

    Itemsets are searched level by level. One is given up, with all that contain it, only when the
    *upper limit* of its support is below ``min_support``: noise alone does not lose a frequent
    set. The rules are those whose estimated support and confidence reach the thresholds, as must
    the support of either side. Numbers take no part. A crowd with weights, strata or clusters gives
    supports and intervals as its people were drawn.

    Parameters
    ----------
    design : Design
        The design under which the reports were made.
    min_support, min_confidence : float
        The thresholds.
    max_length : int
        The most questions in an itemset.
    level : float
        The confidence of the upper limit.

    Attributes
    ----------
    itemsets_ : list of Itemset
        All that could be frequent: their upper limit reaches ``min_support``.
    rules_ : list of Rule
        The rules, the most confident first.

    Examples
    --------
    >>> import confide as cf, numpy as np
    >>> design = cf.Design(
    ...     [cf.YesNo("cheated"), cf.YesNo("drugs")],
    ...     [cf.Group(["cheated", "drugs"], cf.RelatedQuestion(0.8))],
    ... )
    >>> answers = np.repeat([[1, 1], [0, 0], [0, 1], [1, 0]], [240, 600, 100, 60], axis=0)
    >>> reports = design.disguise(answers, seed=1)
    >>> cf.DisguisedRules(design, min_support=0.2, min_confidence=0.7).fit(reports).rules_[0]
    drugs = no → cheated = no: confidence 0.915 ± 0.032 (95 %, n = 650 of 1,000), lift 1.308 ± 0.080
    """

    def __init__(
        self,
        design: Design,
        *,
        min_support: float = 0.1,
        min_confidence: float = 0.5,
        max_length: int = 3,
        level: float = 0.95,
    ) -> None:
        self.design = design
        self.min_support = min_support
        self.min_confidence = min_confidence
        self.max_length = max_length
        self.level = level

    def fit(self, reports: object, y: object = None, sample_weight: object = None) -> Self:  # noqa: ARG002
        """Find the itemsets and rules in reports, or in a crowd.

        ``sample_weight`` is one weight per row of a dataframe or array of reports: how many people
        of the population each stands for, as in a crowd with weights.
        """
        self._check()
        crowd = read_crowd(self.design, reports, sample_weight)
        check_same_survey(self.design, crowd)
        crowd = Crowd.pool([crowd])  # its batches count by size, in supports as in rules
        finite = [q.name for q in crowd.design.questions if isinstance(q, Finite)]
        if len(finite) < 2:
            raise ModelError("rules need at least two yes-no or choice questions.")
        self.n_ = crowd.n
        with progress_part(0, 0.5):
            supports = self._find_supports(crowd, finite)
        self.itemsets_ = [
            Itemset(_name_values(crowd.design, items), support)
            for items, support in supports.items()
        ]
        with progress_part(0.5, 1):
            found = [r for i in track(list(supports)) for r in self._find_rules(crowd, i, supports)]
        self.rules_ = sorted(found, key=lambda rule: -rule.confidence.value)
        return self

    def _check(self) -> None:
        check_design(self.design)
        for name, value in (
            ("min_support", self.min_support),
            ("min_confidence", self.min_confidence),
        ):
            check_number(name, value, "above 0 and at most 1", lambda share: 0 < share <= 1)
        check_whole_number("max_length", self.max_length, 2)
        check_number("level", self.level, "at least 0.5 and below 1", lambda x: 0.5 <= x < 1)

    def _find_supports(self, crowd: Crowd, finite: list[str]) -> dict[Items, Estimate]:
        """Find every itemset that could be frequent, the short ones first."""
        two_sided = 2 * self.level - 1
        kept: dict[Items, Estimate] = {}
        lengths = range(1, min(self.max_length, len(finite)) + 1)
        for length in track(lengths, [comb(len(finite), n) for n in lengths]):
            for questions in track(list(combinations(finite, length))):
                cells = _list_candidates(crowd.design, questions, kept)
                if not cells:
                    continue
                table = crowd.table(questions, method="inverse")
                possible = table.values >= self.min_support - _ROUNDING
                if two_sided > 0:
                    possible |= table.accepts(self.min_support, two_sided)
                supports = dict(zip(np.ndindex(possible.shape), table.estimates, strict=True))
                for cell in cells:
                    if possible[cell]:
                        kept[tuple(zip(questions, cell, strict=True))] = supports[cell]
        return kept

    def _find_rules(
        self, crowd: Crowd, items: Items, supports: dict[Items, Estimate]
    ) -> Iterator[Rule]:
        """Yield the rules in an itemset: it is parted in two, in every way."""
        for length in range(1, len(items)):
            for left in combinations(items, length):
                right = tuple(item for item in items if item not in left)
                both, first, second = (supports[each].value for each in (items, left, right))
                frequent = min(both, first, second) >= self.min_support - _ROUNDING
                if frequent and both >= self.min_confidence * first - _ROUNDING:
                    yield _make_rule(crowd, left, right, supports)

    def to_arrow(self) -> pa.Table:
        """The rules as a table with one row per rule."""
        check_is_fitted(self)
        columns: dict[str, list[str] | list[float]] = {
            "antecedent": [_say_items(rule.antecedent) for rule in self.rules_],
            "consequent": [_say_items(rule.consequent) for rule in self.rules_],
        }
        for name, estimates in (
            ("support", [rule.support for rule in self.rules_]),
            ("confidence", [rule.confidence for rule in self.rules_]),
            ("lift", [rule.lift for rule in self.rules_]),
        ):
            columns[name] = [estimate.value for estimate in estimates]
            columns[f"{name}_standard_error"] = [e.standard_error for e in estimates]
            ends = [estimate.interval() for estimate in estimates]
            columns[f"{name}_low"] = [low for low, _ in ends]
            columns[f"{name}_high"] = [high for _, high in ends]
        return pa.table(columns)

    def _repr_mimebundle_(self, **shown: object) -> dict[str, str]:
        """The rules as notebooks show them; before they are found, as scikit-learn does."""
        if "rules_" not in vars(self):
            return dict(super()._repr_mimebundle_(**shown))
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _list_candidates(
    design: Design, questions: Sequence[str], kept: dict[Items, Estimate]
) -> list[tuple[int, ...]]:
    """List the cells of a table all of whose parts could be frequent."""
    sizes = [design.question(name).size for name in questions]
    cells = list(np.ndindex(*sizes))
    if len(questions) == 1:
        return cells
    return [
        cell
        for cell in cells
        if all(
            fewer in kept
            for fewer in combinations(zip(questions, cell, strict=True), len(questions) - 1)
        )
    ]


def _make_rule(crowd: Crowd, left: Items, right: Items, supports: dict[Items, Estimate]) -> Rule:
    """Make a rule: its confidence is a share among those with the antecedent."""
    before, after = _name_values(crowd.design, left), _name_values(crowd.design, right)
    confidence = crowd.given_codes(dict(left)).proportion(after)
    order = sorted((*left, *right), key=lambda item: crowd.design.position(item[0]))
    return Rule(before, after, supports[tuple(order)], confidence, confidence / supports[right])


def _name_values(design: Design, items: Items) -> dict[str, Option]:
    return {name: design.question(name).values[code] for name, code in items}


def _say_items(items: dict[str, Option]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in items.items())
