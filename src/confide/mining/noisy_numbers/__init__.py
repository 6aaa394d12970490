"""Learning from numbers disguised by noise: the paper's three ways, and the joint one."""

from confide.mining.noisy_numbers.association import associate_reports
from confide.mining.noisy_numbers.local import open_local_root
from confide.mining.noisy_numbers.margins import reconstruct_margins
from confide.mining.noisy_numbers.population_choice import choose_population
from confide.mining.noisy_numbers.reconstructed_means import estimate_reconstructed_means

__all__ = [
    "associate_reports",
    "choose_population",
    "estimate_reconstructed_means",
    "open_local_root",
    "reconstruct_margins",
]
