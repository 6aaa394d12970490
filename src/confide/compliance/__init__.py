"""When people do not comply: who refuses, who does not read, and what that does to estimates."""

from confide.compliance.compliance_plan import ComplianceProspect, plan
from confide.compliance.compliance_result import ComplianceResult, Fit
from confide.compliance.models import (
    anchor_question,
    cheating_detection,
    extended_crosswise,
    stochastic_lie_detector,
    two_sample_unrelated,
)
from confide.compliance.simulation import simulate

__all__ = [
    "ComplianceProspect",
    "ComplianceResult",
    "Fit",
    "anchor_question",
    "cheating_detection",
    "extended_crosswise",
    "plan",
    "simulate",
    "stochastic_lie_detector",
    "two_sample_unrelated",
]
