"""Latent classes, within which answers are independent, fitted to reports through the channel."""

from confide.estimators.latent_classes.latent_classes import LatentClasses
from confide.estimators.latent_classes.reported import HalvedReports, Tables

__all__ = ["HalvedReports", "LatentClasses", "Tables"]
