"""Trees on numbers disguised by noise: the paper's methods and the joint one."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf
from confide.mining.noisy_numbers.folds import Folds
from confide.mining.noisy_numbers.screening import screen_questions
from confide.mining.trees.pruning import prune_as_in_sliq
from confide.mining.trees.tree import LEAF, Tree
from confide.papers.agrawal_srikant_2000 import synthetic

GENERATOR = np.random.default_rng(3)
PEOPLE = 40_000


def people(function, n=PEOPLE, seed=1):
    return synthetic.generate(function, n, seed=seed, balanced=True)


def learned(function, method, privacy=1.0, noise="uniform"):
    design = synthetic.build_design(privacy, noise)
    tree = cf.DisguisedTreeClassifier(design, "group", criterion="gini", method=method)
    return tree.fit(design.disguise(people(function), seed=2))


def accuracy(tree, function):
    test = people(function, 5000, seed=1001)
    return float((tree.predict(test.drop(columns="group")) == test["group"]).mean())


@pytest.mark.slow
@pytest.mark.parametrize(("function", "least"), [(1, 0.98), (4, 0.93)])
def test_the_joint_method_learns_what_lies_between_the_numbers(function, least):
    tree = learned(function, "auto")
    assert accuracy(tree, function) >= least
    mattering = {1: {"age"}, 4: {"salary", "commission", "loan"}}[function]
    assert set(tree.used_) == mattering


@pytest.mark.slow
def test_only_questions_that_matter_are_chosen():
    design = synthetic.build_design(1.0)
    counts = cf.Counts.of(design, design.disguise(people(1), seed=2))
    features = [name for name in design.names if name != "group"]
    assert screen_questions(Folds.of([counts]), "group", features) == ["age"]
    shuffled = people(1).assign(group=GENERATOR.permutation(people(1)["group"]))
    counts = cf.Counts.of(design, design.disguise(shuffled, seed=2))
    assert screen_questions(Folds.of([counts]), "group", features) == []


@pytest.mark.slow
def test_two_questions_that_tell_nothing_alone_are_found_together():
    noise = cf.UniformNoise(0.5)
    design = cf.Design(
        [cf.Number("x", 0, 1), cf.Number("y", 0, 1), cf.Number("z", 0, 1), cf.YesNo("xor")],
        [cf.Group([name], noise) for name in "xyz"],
    )
    x, y, z = GENERATOR.random((3, 20_000))
    answers = np.stack([x, y, z, (x < 0.5) ^ (y < 0.5)], axis=1)
    tree = cf.DisguisedTreeClassifier(design, "xor", criterion="gini")
    tree.fit(design.disguise(answers, seed=1))
    assert set(tree.used_) == {"x", "y"}
    test = GENERATOR.random((2000, 3))
    right = tree.predict(test) == ((test[:, 0] < 0.5) ^ (test[:, 1] < 0.5))
    assert right.mean() > 0.93


@pytest.mark.slow
def test_a_mixed_design_with_a_disguised_target_learns_in_the_same_class():
    design = cf.Design(
        [
            cf.Number("age", 20, 80),
            cf.YesNo("drugs"),
            cf.Choice("town", ["a", "b"]),
            cf.YesNo("ill"),
        ],
        [
            cf.Group(["age"], cf.GaussianNoise(10)),
            cf.Group(["drugs"], cf.RelatedQuestion(0.8)),
            cf.Group(["ill"], cf.RelatedQuestion(0.85)),
        ],
    )
    n = 30_000
    age, drugs, town = GENERATOR.uniform(20, 80, n), GENERATOR.random(n) < 0.4, "a"
    frame = pd.DataFrame({"age": age, "drugs": drugs.astype(int), "town": town})
    frame["ill"] = ((age > 50) & drugs).astype(int)
    tree = cf.DisguisedTreeClassifier(design, "ill", criterion="gini")
    tree.fit(design.disguise(frame, seed=3))
    assert (tree.predict(frame[:3000]) == frame["ill"][:3000]).mean() > 0.93
    with pytest.raises(cf.ConfideError, match="ill is disguised"):
        cf.DisguisedTreeClassifier(design, "ill", method="by-class").fit(
            design.disguise(frame[:500], seed=3)
        )


@pytest.mark.slow
def test_the_accuracy_estimated_from_reports_is_near_the_true_one():
    design = synthetic.build_design(0.5)
    tree = cf.DisguisedTreeClassifier(design, "group", criterion="gini")
    tree.fit(design.disguise(people(1), seed=2))
    test = people(1, 20_000, seed=5)
    true = float((tree.predict(test.drop(columns="group")) == test["group"]).mean())
    estimate = tree.score_disguised(design.disguise(test, seed=6))
    assert true - 0.06 < estimate.value <= true + 4 * estimate.standard_error
    assert 0 < estimate.standard_error < 0.05


def test_a_number_in_the_clear_is_scored_where_the_tree_cuts_it():
    """Most of its values are in the lowest of the few intervals of an even cut."""
    design = cf.Design(
        [cf.YesNo("y"), cf.Number("noisy", 0, 1), cf.Number("even", 0, 1), cf.Number("skew", 0, 1)],
        [cf.Group(["y"], cf.RelatedQuestion("9/10")), cf.Group(["noisy"], cf.UniformNoise(0.1))],
    )
    chance = np.random.default_rng(1)
    frame = pd.DataFrame(chance.random((6_000, 3)), columns=["noisy", "even", "skew"])
    frame["skew"] **= 4
    frame["y"] = (frame["skew"] > 0.05) & (frame["noisy"] > 0.3) | (frame["even"] > 0.8)
    train, test = (design.disguise(frame, seed=seed) for seed in (2, 3))
    tree = cf.DisguisedTreeClassifier(design, "y").fit(train)
    assert tree.used_ == ["noisy", "even", "skew"]
    true = float((tree.predict(frame.drop(columns="y")) == frame["y"]).mean())
    estimate = tree.score_disguised(test)
    assert true - 0.06 < estimate.value <= true + 4 * estimate.standard_error


def test_a_model_of_too_many_noisy_questions_is_not_scored():
    design = synthetic.build_design(1.0)
    reports = design.disguise(people(2, 4000), seed=2)
    tree = cf.DisguisedTreeClassifier(design, "group", criterion="gini", method="by-class")
    with pytest.raises(cf.ConfideError, match="for at most 4"):
        tree.fit(reports).score_disguised(reports)


def test_pruning_cuts_tests_that_cost_more_than_their_errors():
    shares = np.array([[50, 50], [48, 2], [2, 48], [24, 1], [24, 1]]) / 100
    tree = Tree(
        question=np.array([0, 0, LEAF, LEAF, LEAF]),
        child=np.array([[1, 1, 2], [3, 4, -1], [-1] * 3, [-1] * 3, [-1] * 3]),
        parent=np.array([-1, 0, 0, 1, 1]),
        label=np.array([0, 0, 1, 0, 0]),
        shares=shares,
        gain=np.array([0.4, 0.0, 0, 0, 0]),
    )
    small = prune_as_in_sliq(tree, 100)
    assert small.question.tolist() == [0, LEAF, LEAF]
    assert len(prune_as_in_sliq(tree, 2)) == 1
