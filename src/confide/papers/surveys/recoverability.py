"""PSE after mining (section 4.2): what the rules found in the disguised data recover."""

from __future__ import annotations

from confide import privacy
from confide.arrays import Codes
from confide.crowd import Crowd
from confide.design import Design
from confide.mining import DisguisedRules
from confide.papers.cells import Row
from confide.papers.run_table import settle

_LONGEST = 2
"""The paper's rules go from one attribute to another."""


def measure_after_mining(design: Design, reports: Codes) -> Row:
    """The least privacy of an entry before and after mining, and the largest REC."""
    crowd = Crowd(design, reports)
    rules = DisguisedRules(design, max_length=_LONGEST).fit(crowd).rules_
    shares = {name: _estimate_share(crowd, name) for name in design.names}
    before = privacy.of(design, crowd=shares)
    after = privacy.of(design, crowd=shares, rules=rules)
    return {
        "rules": len(rules),
        "largest_rec": settle(max(after.recovery.values(), default=0.0)),
        "least_pse_before": settle(before.least_entry),
        "least_pse_after": settle(after.least_entry),
    }


def _estimate_share(crowd: Crowd, name: str) -> float:
    """The estimated share of yes, within what a share can be."""
    return min(max(crowd.proportion({name: "yes"}).value, 0.0), 1.0)
