"""Learning from numbers disguised by noise: the paper's three ways, and the joint one."""

from confide.mining.noisy_numbers.association import associated
from confide.mining.noisy_numbers.choice import chosen_population
from confide.mining.noisy_numbers.local import local_frontier
from confide.mining.noisy_numbers.margins import margins
from confide.mining.noisy_numbers.scoring import reconstructed_means

__all__ = ["associated", "chosen_population", "local_frontier", "margins", "reconstructed_means"]
