"""Latent classes, within which answers are independent, fitted to reports through the channel."""

from confide.crowd.latent.latent_classes import LatentClasses
from confide.crowd.latent.peak import Fit, Reports, peak
from confide.crowd.latent.reported import Reported, Tables

__all__ = ["Fit", "LatentClasses", "Reported", "Reports", "Tables", "peak"]
