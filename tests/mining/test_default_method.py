"""What the default method promises at both ends of the truth, on a population we made.

The whole measurement, on the papers' data sets, is benchmarks/auto_ablation.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

NAMES = [f"q{i}" for i in range(7)]
LEARNERS = [cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes]
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


def leads(learner, truth, rival, disguised, method="auto", believed=None):
    """By how much a method is ahead of a rival, repeat by repeat."""
    found = []
    for repeat in range(REPEATS):
        generator = np.random.default_rng(repeat)
        train, test = people(800, generator), people(4000, generator)
        groups = np.array_split(generator.permutation(disguised), 2)
        reports = design(groups, truth).disguise(train, seed=repeat)

        def accuracy(method, truth, groups=groups, reports=reports, test=test):
            if method == "majority":
                return 1 - test[:, -1].mean()
            model = learner(design(groups, truth), NAMES[-1], method=method).fit(reports)
            return (model.predict(test[:, :-1]) == test[:, -1]).mean()

        found.append(accuracy(method, believed or truth) - accuracy(rival, truth))
    return np.array(found)


def mean_and_error(values):
    return values.mean(), values.std(ddof=1) / np.sqrt(len(values))


@pytest.mark.parametrize("learner", LEARNERS)
def test_with_hardly_any_truth_it_is_the_majority_class_or_better(learner):
    """The class is in the clear: else so few reports do not tell which class is the majority."""
    given = (learner, "51/100", "majority", NAMES[:-1])
    mean, _ = mean_and_error(leads(*given))
    assert mean > -0.005
    literal, error = mean_and_error(leads(*given, method="literal"))
    assert literal < -0.005 - 2 * error  # what the papers' inversion does there


@pytest.mark.parametrize("learner", LEARNERS)
def test_with_much_truth_it_is_not_below_the_papers_inversion(learner):
    mean, error = mean_and_error(leads(learner, "4/5", "literal", NAMES))
    assert mean > -error
    mean, error = mean_and_error(leads(learner, "4/5", "literal", NAMES, believed="1/5"))
    assert mean < -2 * error  # who believes in another truth is
