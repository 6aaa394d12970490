"""Which truth, which groups, how many people: what a survey would tell, before anyone is asked."""

from confide.planning.expectation import Expectation
from confide.planning.expected_coefficient import expect_coefficient
from confide.planning.expected_mean import expect_mean
from confide.planning.expected_share import expect_difference, expect_share
from confide.planning.plan_table import Plan, PlanTerms, Prospect
from confide.planning.precision import (
    power,
    respondents_for_power,
    respondents_needed,
    standard_error,
)
from confide.planning.survey_plan import TRUTHS, plan

__all__ = [
    "TRUTHS",
    "Expectation",
    "Plan",
    "PlanTerms",
    "Prospect",
    "expect_coefficient",
    "expect_difference",
    "expect_mean",
    "expect_share",
    "plan",
    "power",
    "respondents_for_power",
    "respondents_needed",
    "standard_error",
]
