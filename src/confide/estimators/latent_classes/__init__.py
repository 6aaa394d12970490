"""Latent classes, within which answers are independent, fitted to reports through the channel."""

from confide.estimators.latent_classes.acceleration import run_accelerated_em
from confide.estimators.latent_classes.expectation_maximisation import (
    TrainingReports,
    em_step,
    run_em,
)
from confide.estimators.latent_classes.halved_reports import HalvedReports
from confide.estimators.latent_classes.peak import FittedMixture, climb_to_peak, evaluate_fit
from confide.estimators.latent_classes.product_mixtures import ProductMixtures

__all__ = [
    "FittedMixture",
    "HalvedReports",
    "ProductMixtures",
    "TrainingReports",
    "climb_to_peak",
    "em_step",
    "evaluate_fit",
    "run_accelerated_em",
    "run_em",
]
