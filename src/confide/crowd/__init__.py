"""Counts → Crowd: the truth about the crowd, with its uncertainty."""

from confide.crowd.crowd import Crowd
from confide.crowd.cut import cut
from confide.crowd.distribution import Distribution
from confide.crowd.estimate import Estimate
from confide.crowd.reports_in_place import ReportsInPlace
from confide.crowd.sensitivity import Sensitivity, SensitivityPoint
from confide.crowd.table import Table

__all__ = [
    "Crowd",
    "Distribution",
    "Estimate",
    "ReportsInPlace",
    "Sensitivity",
    "SensitivityPoint",
    "Table",
    "cut",
]
