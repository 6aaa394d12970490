"""Which truth, which groups, how many people: what a survey would tell, before anyone is asked."""

from confide.planning.comparison import TRUTHS, plan
from confide.planning.plan_table import Plan
from confide.planning.precision import (
    power,
    respondents_for_power,
    respondents_needed,
    standard_error,
)

__all__ = [
    "TRUTHS",
    "Plan",
    "plan",
    "power",
    "respondents_for_power",
    "respondents_needed",
    "standard_error",
]
