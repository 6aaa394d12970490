"""When people do not comply: who refuses, who does not read, and what that does to estimates."""

from confide.compliance.behaviours import ComplianceResult, Fit
from confide.compliance.models import (
    anchor_question,
    cheating_detection,
    extended_crosswise,
    stochastic_lie_detector,
    two_sample_unrelated,
)
from confide.compliance.sensitivity import SensitivityPoint, sensitivity
from confide.compliance.simulation import simulate

__all__ = [
    "ComplianceResult",
    "Fit",
    "SensitivityPoint",
    "anchor_question",
    "cheating_detection",
    "extended_crosswise",
    "sensitivity",
    "simulate",
    "stochastic_lie_detector",
    "two_sample_unrelated",
]
