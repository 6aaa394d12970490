"""Latent classes, within which answers are independent, fitted to reports through the channel."""

from confide.estimators.latent_classes.acceleration import run_accelerated_em
from confide.estimators.latent_classes.halved_reports import HalvedReports
from confide.estimators.latent_classes.mixture_em import (
    TrainingReports,
    run_em,
    take_em_step,
)
from confide.estimators.latent_classes.peak import FittedMixture, climb_to_peak, evaluate_fit
from confide.estimators.latent_classes.product_mixtures import ProductMixtures
from confide.estimators.latent_classes.several_starts import (
    draw_sample,
    find_better,
    start_fits,
)
from confide.estimators.latent_classes.starts import LatentClassStarts

__all__ = [
    "FittedMixture",
    "HalvedReports",
    "LatentClassStarts",
    "ProductMixtures",
    "TrainingReports",
    "climb_to_peak",
    "draw_sample",
    "evaluate_fit",
    "find_better",
    "run_accelerated_em",
    "run_em",
    "start_fits",
    "take_em_step",
]
