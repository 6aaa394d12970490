"""The joint distribution that learners work on by default, chosen from the reports alone."""

from confide.mining.joint.choice import choose_joint
from confide.mining.joint.hidden import HiddenClasses
from confide.mining.joint.joint import Candidate, Joint

__all__ = ["Candidate", "HiddenClasses", "Joint", "choose_joint"]
