"""What the default method promises at both ends of the truth, on a population we made.

The whole measurement, on the papers' data sets, is benchmarks/auto_ablation.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.mining.joint import choose_joint

NAMES = [f"q{i}" for i in range(7)]
REPEATS = 6


def people(rows, generator):
    """A class of three tenths, told by four of six questions, two of which tell it together."""
    label = generator.random(rows) < 0.3
    odds = np.where(label[:, None], [0.8, 0.7, 0.3, 0.5, 0.5, 0.5], [0.3, 0.4, 0.6, 0.5, 0.5, 0.5])
    table = (generator.random((rows, 6)) < odds).astype(int)
    table[:, 4] = table[:, 3] ^ (label & (generator.random(rows) < 0.8))
    return np.column_stack([table, label])


def design(groups, truth):
    return cf.Design(
        [cf.YesNo(name) for name in NAMES],
        [cf.Group(list(map(str, group)), cf.RelatedQuestion(truth)) for group in groups],
    )


def accuracies(truth, disguised, believed=None):
    """By repeat: the majority class, then tree and naive Bayes, literal and by default."""
    found = []
    for repeat in range(REPEATS):
        generator = np.random.default_rng(repeat)
        train, test = people(800, generator), people(4000, generator)
        groups = np.array_split(generator.permutation(disguised), 2)
        reports = design(groups, truth).disguise(train, seed=repeat)
        crowd = cf.Crowd(design(groups, believed or truth), reports)
        joint = choose_joint(crowd, NAMES[-1])
        found.append(
            [1 - test[:, -1].mean()]
            + [
                ((fitted.predict(test[:, :-1]) == fitted.classes_[1]) == test[:, -1]).mean()
                for learner in (cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes)
                for fitted in (
                    learner(crowd.design, NAMES[-1], method="literal").fit(crowd),
                    learner(crowd.design, NAMES[-1]).fit(joint),
                )
            ]
        )
    return np.array(found).T


def lead(ours, theirs):
    """The mean of the paired differences, and its standard error."""
    return np.mean(ours - theirs), np.std(ours - theirs, ddof=1) / np.sqrt(len(ours))


@pytest.mark.slow
def test_with_hardly_any_truth_it_is_the_majority_class_or_better():
    """The class is in the clear: else so few reports do not tell which class is the majority."""
    majority, *learners = accuracies("51/100", NAMES[:-1])
    for literal, default in (learners[:2], learners[2:]):
        assert lead(default, majority)[0] > -0.005
        mean, error = lead(literal, majority)
        assert mean < -0.005 - 2 * error  # what the papers' inversion does there


@pytest.mark.slow
def test_with_much_truth_it_is_not_below_the_papers_inversion():
    _, *learners = accuracies("4/5", NAMES)
    _, *misled = accuracies("4/5", NAMES, believed="1/5")
    for literal, default, wrong in (
        (*learners[:2], misled[1]),
        (*learners[2:], misled[3]),
    ):
        mean, error = lead(default, literal)
        assert mean > -error
        mean, error = lead(wrong, literal)
        assert mean < -2 * error  # who believes in another truth is below
