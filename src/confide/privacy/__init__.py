"""What a report gives away: the worst case, the expected case, and what is certain."""

from confide.privacy.exposure import Exposure, Risk
from confide.privacy.group_privacy import GroupPrivacy
from confide.privacy.paper_measures import recovery_known, recovery_unknown, single_entry
from confide.privacy.question_privacy import Posterior, QuestionPrivacy
from confide.privacy.statement import PrivacyStatement, of

__all__ = [
    "Exposure",
    "GroupPrivacy",
    "Posterior",
    "PrivacyStatement",
    "QuestionPrivacy",
    "Risk",
    "of",
    "recovery_known",
    "recovery_unknown",
    "single_entry",
]
