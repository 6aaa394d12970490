"""The joint that learners work on by default, against brute force and on populations we made."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs
from support.mixtures import random_model, written_out
from support.properties import examples

import confide as cf
from confide.mining.joint import JointPopulation, choose_joint, leaf_candidates
from confide.mining.joint.candidates import Task

SEEDS = st.integers(0, 2**31)


def chosen(answers, groups, truth, seed=1, target="c"):
    names = [f"q{i}" for i in range(answers.shape[1] - 1)] + [target]
    parts = [[names[i] for i in part] for part in groups]
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part, cf.RelatedQuestion(truth)) for part in parts],
    )
    return choose_joint(cf.Crowd(design, design.disguise(answers, seed=seed)), target)


def score(joint, name):
    return next(c.score for c in joint.candidates if c.name == name)


def test_independent_answers_choose_the_independent_table():
    generator = np.random.default_rng(2)
    answers = (generator.random((3000, 6)) < [0.2, 0.4, 0.7, 0.6, 0.3, 0.25]).astype(int)
    joint = chosen(answers, [[0, 1, 2], [3, 4, 5]], "7/10")
    assert score(joint, "independent") > score(joint, "12 latent classes")


def test_answers_that_the_class_explains_choose_naive_bayes():
    generator = np.random.default_rng(3)
    label = generator.random(4000) < 0.35
    odds = np.where(label[:, None], [0.9, 0.2, 0.8, 0.7, 0.1], [0.3, 0.6, 0.2, 0.1, 0.5])
    answers = np.column_stack([generator.random((4000, 5)) < odds, label]).astype(int)
    joint = chosen(answers, [[0, 1, 5], [2, 3, 4]], "8/10")
    assert joint.candidates[0].name == "naive Bayes"


def test_hidden_classes_choose_latent_classes():
    generator = np.random.default_rng(4)
    chances = generator.choice([0.1, 0.9], (5, 9))
    answers = (generator.random((4000, 9)) < chances[generator.integers(5, size=4000)]).astype(int)
    joint = chosen(answers, [[0, 1, 2, 3], [4, 5, 6, 7, 8]], "8/10")
    assert "latent" in joint.candidates[0].name
    assert score(joint, "naive Bayes") > score(joint, "independent")


@pytest.mark.slow
@pytest.mark.parametrize("groups", [[range(13)], [range(6), range(6, 13)]])
def test_an_interaction_without_any_pairwise_trace_survives(groups):
    generator = np.random.default_rng(5)
    columns = generator.integers(0, 2, (20_000, 12))
    answers = np.column_stack([columns, columns[:, 1] ^ columns[:, 8]])
    joint = chosen(answers, groups, "7/10")
    fresh = generator.integers(0, 2, (1000, 13))
    guessed = joint.proba("c", fresh).argmax(axis=1)
    assert (guessed == fresh[:, 1] ^ fresh[:, 8]).mean() > 0.98


def test_the_same_seed_gives_the_same_joint():
    answers = np.random.default_rng(6).integers(0, 2, (500, 4))
    first, second = (chosen(answers, [[0, 1, 3]], "7/10") for _ in range(2))
    np.testing.assert_array_equal(first.mixture.weights, second.mixture.weights)


def test_choices_numbers_and_pools_have_a_joint_too():
    generator = np.random.default_rng(7)
    questions = [cf.Choice("a", ["x", "y", "z"]), cf.Number("b", 0, 10, step=1), cf.YesNo("c")]
    noisy = cf.Design(
        questions,
        [
            cf.Group(["a", "c"], cf.UnrelatedQuestion("7/10", _even())),
            cf.Group(["b"], cf.UniformNoise(2)),
        ],
    )
    clear = cf.Design(questions)
    kind = generator.integers(0, 3, 1500)
    answers = {
        "a": np.array(["x", "y", "z"])[kind],
        "b": kind * 4 + generator.integers(0, 2, 1500),
        "c": (kind == 2).astype(int),
    }
    frame = pd.DataFrame(answers)
    pool = cf.Crowd.pool(
        [cf.Crowd(noisy, noisy.disguise(frame, seed=1)), cf.Crowd(clear, frame[:100])]
    )
    joint = choose_joint(pool, "c")
    codes = np.array([[0, 0, 0], [1, 4, 0], [2, 8, 0]])
    np.testing.assert_array_equal(joint.proba("c", codes).argmax(axis=1), [0, 0, 1])


def _even():
    return {
        "a": {"x": "1/3", "y": "1/3", "z": "1/3"},
        "c": {"yes": "1/2", "no": "1/2"},
    }


@examples(40)
@given(designs(), SEEDS)
def test_a_joint_answers_as_its_written_out_table(design, seed):
    model = random_model(design, 1, 4, seed)
    joint = JointPopulation(design, 100, model.member(0))
    cells = written_out(design, model.weights[0], model.tables, design.names).sum(axis=0)
    table = cells.reshape([q.size for q in design.questions])
    codes, shares = joint.cells()
    np.testing.assert_allclose(table[tuple(codes.T)], shares, atol=1e-12)
    assert abs(shares.sum() - 1) < 1e-12
    target, rest = design.names[-1], list(design.names[:-1])
    if rest:
        given_classes = table / table.sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(
            joint.proba(target, codes), given_classes[tuple(codes[:, :-1].T)], atol=1e-9
        )
        for name, crossed in joint.cross(target, rest).items():
            axes = tuple(i for i, n in enumerate(design.names) if n not in (name, target))
            np.testing.assert_allclose(crossed, table.sum(axis=axes).T, atol=1e-12)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("share", [0.15, 0.5])
def test_the_classes_are_as_frequent_as_the_unbiased_estimate_says(share):
    """Two answers that hang together in one group, one idle; 3,000 reports at θ = 3/4.

    Within one and a half standard errors of the inverse, and mostly much nearer.
    """
    generator = np.random.default_rng(8)
    design = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b"), cf.YesNo("c")],
        [cf.Group(["a", "c"], cf.RelatedQuestion("3/4"))],
    )
    for seed in range(5):
        label = generator.random(3000) < share
        other = label ^ (generator.random(3000) < 0.15)
        answers = np.column_stack([other, generator.random(3000) < 0.5, label]).astype(int)
        crowd = cf.Crowd(design, design.disguise(answers, seed=seed))
        joint = choose_joint(crowd, "c")
        error = crowd.proportion({"c": "yes"}).standard_error
        found = joint.mixture.margin(design.position("c"))[1]
        assert abs(found - crowd.proportion({"c": "yes"}).value) < 1.5 * error


def test_leaves_as_components_say_what_the_tree_says():
    """In every cell the class of the leaf that holds it, with half a person added to each."""
    generator = np.random.default_rng(9)
    questions = [cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"]), cf.Number("n", 0, 4, step=1)]
    design = cf.Design(
        [*questions, cf.YesNo("c"), cf.YesNo("d")],
        [cf.Group(["a", "b", "c"], cf.RelatedQuestion("3/4"))],
    )
    sizes = [question.size for question in design.questions]
    answers = {
        "a": generator.integers(0, 2, 200),
        "b": np.array(["x", "y", "z"])[generator.integers(0, 3, 200)],
        "n": generator.integers(0, 4, 200),
        "c": generator.integers(0, 2, 200),
        "d": generator.integers(0, 2, 200),
    }
    crowd = cf.Crowd(design, design.disguise(pd.DataFrame(answers), seed=1))
    task = Task.of(crowd, "c", generator)
    (tree,) = leaf_candidates._grow([crowd], 3)
    mixture = leaf_candidates._make_mixture(tree, 200, task, len(tree.leaves) + 5)
    table = mixture.write_out().reshape(sizes)
    features = [0, 1, 2, 4]
    cells = np.indices([sizes[place] for place in features]).reshape(4, -1)
    people = 200 * tree.shares[tree.find_leaves(list(cells))].clip(0) + 0.5
    chances = np.moveaxis(table, 3, -1).reshape(-1, 2)
    expected = people / people.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(chances / chances.sum(axis=1, keepdims=True), expected)
    alone = np.prod([task.margins[p][cells[i]] for i, p in enumerate(features)], axis=0)
    np.testing.assert_allclose(chances.sum(axis=1), alone, atol=1e-9)


def test_trees_that_grow_together_are_those_that_grow_alone():
    generator = np.random.default_rng(3)
    design = cf.Design(
        [cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"]), cf.YesNo("c"), cf.YesNo("d")],
        [cf.Group(["a", "b"], cf.RelatedQuestion("3/4"))],
    )
    crowds = []
    for n, most in ((40, 2), (20, 1), (700, 2), (3000, 2)):  # of the second all are in one class
        answers = {
            "a": generator.integers(0, 2, n),
            "b": np.array(["x", "y", "z"])[generator.integers(0, 3, n)],
            "c": generator.integers(0, most, n),
            "d": generator.integers(0, 2, n),
        }
        crowds.append(cf.Crowd(design, design.disguise(pd.DataFrame(answers), seed=1)))
    together = leaf_candidates._grow(crowds, 2)
    alone = [leaf_candidates._grow([crowd], 2)[0] for crowd in crowds]
    assert [tree.to_dict() for tree in together] == [tree.to_dict() for tree in alone]
    assert len({len(tree) for tree in together}) > 1
