"""The joint distribution that learners work on by default, chosen from the reports alone."""

from confide.mining.joint.hidden import HiddenClasses
from confide.mining.joint.joint_population import Candidate, Joint
from confide.mining.joint.stacking import choose_joint

__all__ = ["Candidate", "HiddenClasses", "Joint", "choose_joint"]
