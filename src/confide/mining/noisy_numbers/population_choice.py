"""The default for noisy numbers: jointly reconstructed where the reports suffice for it.

A joint table knows what lies between questions, each question alone ("by-class") needs far fewer
reports. Whichever tells the targets of held-out reports better is taken.
"""

from __future__ import annotations

from confide.crowd import Crowd
from confide.mining.noisy_numbers.association import associate_reports, can_be_associated
from confide.mining.noisy_numbers.folds import Folds
from confide.mining.noisy_numbers.reconstructed_population import reconstruct_population
from confide.mining.noisy_numbers.screening import MOST_QUESTIONS
from confide.mining.noisy_numbers.single_question_selection import select_single_questions
from confide.mining.population import Population


def choose_population(crowd: Crowd, target: str) -> Population:
    """Choose the estimate on which a tree grows: of a few questions that tell about the target."""
    features = [name for name in crowd.design.names if name != target]
    folds = Folds.of(crowd.counts)
    joint, told = reconstruct_population(crowd, folds, target, features)
    if can_be_associated(crowd.counts, target):
        few, told_alone = select_single_questions(folds, target, features, MOST_QUESTIONS)
        if told_alone > told:
            return associate_reports(crowd.counts, target, by_class=True, only=few)
    return joint
