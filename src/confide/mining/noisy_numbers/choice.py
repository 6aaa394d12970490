"""The default for noisy numbers: jointly reconstructed where the reports suffice for it.

A joint table knows what lies between questions, each question alone ("by-class") needs far fewer
reports. Whichever tells the targets of held-out reports better is taken.
"""

from __future__ import annotations

from confide.crowd import Crowd
from confide.mining.noisy_numbers.alone import best_alone
from confide.mining.noisy_numbers.association import associated, can_be_associated
from confide.mining.noisy_numbers.folds import Folds
from confide.mining.noisy_numbers.joint import joint_population
from confide.mining.noisy_numbers.screening import MOST_QUESTIONS
from confide.mining.trees.frontier import Population


def chosen_population(crowd: Crowd, target: str) -> Population:
    """The estimate on which a tree grows: of a few questions that tell about the target."""
    features = [name for name in crowd.design.names if name != target]
    folds = Folds.of(crowd.counts)
    joint, told = joint_population(crowd, folds, target, features)
    if can_be_associated(crowd.counts, target):
        few, told_alone = best_alone(folds, target, features, MOST_QUESTIONS)
        if told_alone > told:
            return associated(crowd.counts, target, by_class=True, only=few)
    return joint
