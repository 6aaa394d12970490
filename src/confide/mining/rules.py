"""Frequent itemsets and association rules from disguised reports.

The papers' announced next step (`du-zhan-2003` 6, `multi-group` 4.8). An item is a question with
one of its values; the support of an itemset is a share of the crowd like any other, confidence a
share of a sub-population and lift the ratio of two shares: each has the interval of a score test
through the disguise.
"""

from __future__ import annotations

from typing import Self

import pyarrow as pa
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from confide.crowd import Crowd
from confide.crowd.arrow_rows import ArrowRows
from confide.crowd.many_shares import Answers, ManyShares
from confide.design import Design, Finite
from confide.design.questions import Option
from confide.errors import ModelError
from confide.mining.association_rule import Itemset, say_items
from confide.mining.itemset_search import Thresholds, find_rules, find_supports
from confide.mining.parameters import check_design, check_number, check_whole_number
from confide.mining.same_survey import check_same_survey
from confide.mining.sample_weights import read_crowd
from confide.progress import progress_part


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
        shares = ManyShares(crowd.batches)
        least = Thresholds(self.min_support, self.min_confidence, self.level)
        with progress_part(0, 0.5):
            supports = find_supports(shares, crowd.design, finite, self.max_length, least)
        named = {answers: _name_values(crowd.design, answers) for answers in supports}
        self.itemsets_ = [Itemset(named[each], support) for each, support in supports.items()]
        with progress_part(0.5, 1):
            self.rules_ = find_rules(shares, supports, named, least)
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

    def to_arrow(self) -> pa.Table:
        """The rules as a table with one row per rule."""
        check_is_fitted(self)
        columns: dict[str, list[str] | list[float]] = {
            "antecedent": [say_items(rule.antecedent) for rule in self.rules_],
            "consequent": [say_items(rule.consequent) for rule in self.rules_],
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


def _name_values(design: Design, items: Answers) -> dict[str, Option]:
    return {name: design.question(name).values[code] for name, code in items}
