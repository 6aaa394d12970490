"""Latent classes, within which answers are independent, fitted to reports through the channel."""

from confide.estimators.latent_classes.latent_classes import LatentClasses
from confide.estimators.latent_classes.peak import Fit, ReportsToFit, climb_to_peak
from confide.estimators.latent_classes.reported import HalvedReports, Tables

__all__ = ["Fit", "HalvedReports", "LatentClasses", "ReportsToFit", "Tables", "climb_to_peak"]
