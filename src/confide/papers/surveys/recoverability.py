"""PSE after mining (section 4.2): what the rules found in the disguised data recover."""

from __future__ import annotations

import numpy as np

from confide import privacy
from confide.arrays import Array, Codes
from confide.crowd import Crowd
from confide.design import Design
from confide.mining import DisguisedRules
from confide.papers.cells import Row
from confide.papers.run_table import settle

_LONGEST = 2
"""The paper's rules go from one attribute to another."""


def measure_after_mining(design: Design, reports: Codes) -> Row:
    """The least privacy of an entry before and after mining, and the largest REC.

    For every attribute A₂ and every A₁ with rules A₁ ⇒ A₂, REC of scenario II is the sum over both
    attributes' values of the rule's confidence times the chance that the report of A₂ is true; the
    largest over A₁ counts.
    """
    crowd = Crowd(design, reports)
    found = DisguisedRules(design, max_length=_LONGEST).fit(crowd)
    shares = {name: _estimate_share(crowd, name) for name in design.names}
    statement = privacy.of(design, crowd=shares)
    recovered: dict[str, float] = {}
    for (_, name), confidences in _tabulate(design, found).items():
        value = privacy.recovery_unknown(confidences, _find_correct(statement, name, shares[name]))
        recovered[name] = max(recovered.get(name, 0.0), value)
    (group,) = statement.groups
    return {
        "rules": len(found.rules_),
        "largest_rec": settle(max(recovered.values(), default=0.0)),
        "least_pse_before": settle(group.least_entry(shares)),
        "least_pse_after": settle(group.least_entry(shares, recovered)),
    }


def _estimate_share(crowd: Crowd, name: str) -> float:
    """The estimated share of yes, within what a share can be."""
    return min(max(crowd.proportion({name: "yes"}).value, 0.0), 1.0)


def _tabulate(design: Design, found: DisguisedRules) -> dict[tuple[str, str], Array]:
    """By pair of attributes: the confidences of its rules, 0 where none was found."""
    tables: dict[tuple[str, str], Array] = {}
    for rule in found.rules_:
        (left, a), (right, b) = (*rule.antecedent.items(), *rule.consequent.items())
        table = tables.setdefault((left, right), np.zeros((2, 2)))
        place = design.question(left).code(a), design.question(right).code(b)
        table[place] = min(max(rule.confidence.value, 0.0), 1.0)
    return tables


def _find_correct(statement: privacy.PrivacyStatement, name: str, share: float) -> list[float]:
    """The chance that a reported no, and a reported yes, is the true answer."""
    after = statement.question(name).posterior(share)
    return [after.after(value)[value] for value in ("no", "yes")]
