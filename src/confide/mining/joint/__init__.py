"""The joint distribution that learners work on by default, chosen from the reports alone."""

from confide.mining.joint.joint_population import Candidate, JointPopulation
from confide.mining.joint.stacking import choose_joint

__all__ = ["Candidate", "JointPopulation", "choose_joint"]
