"""Trees against the papers read naively, node by node."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier
from support import mining_oracles as oracles
from support.designs import designs, labelled, random_codes, solved
from support.properties import examples

import confide as cf

SEEDS = st.integers(0, 2**31)


def literal(design, reports, **options):
    target = design.names[0]
    return cf.DisguisedTreeClassifier(design, target, method="literal", **options).fit(reports)


def compared(design, codes, count, criterion, depth=None):
    """Fit, compare every node with the naive tree, give the number of nodes."""
    sizes = [q.size for q in design.questions]
    expected = oracles.grown(count, sizes, 0, list(range(1, len(sizes))), criterion, depth=depth)
    assume(sum(n > 1e-7 for n in expected["counts"]) > 1)
    model = literal(design, labelled(design, codes), criterion=criterion, max_depth=depth)
    nodes = oracles.assert_same(model, 0, expected, len(codes))
    assert nodes == len(model.tree_)
    return nodes


@st.composite
def flipped(draw):
    """Yes-no questions in one to four flipped groups; the class in one of them or in the clear."""
    count = draw(st.integers(3, 5))
    names = [f"q{i}" for i in range(count)]
    places = draw(st.lists(st.integers(-1, 3), min_size=count, max_size=count))
    theta = st.sampled_from(["1/10", "1/4", "3/10", "7/10", "4/5", "9/10", "1"])
    groups = [
        cf.Group(
            [n for n, p in zip(names, places, strict=True) if p == g],
            cf.RelatedQuestion(draw(theta)),
        )
        for g in sorted(set(places) - {-1})
    ]
    return cf.Design([cf.YesNo(name) for name in names], groups)


@pytest.mark.slow
@examples(40)
@given(flipped(), SEEDS, st.sampled_from(["entropy", "gini"]))
def test_every_node_equals_the_papers_orientations_scanned_and_solved(design, seed, criterion):
    codes = random_codes(design, 80, seed)
    compared(design, codes, oracles.orientation_count(design, codes), criterion)


@examples(40)
@given(designs(most_questions=4), SEEDS, st.sampled_from(["entropy", "gini"]))
def test_every_node_equals_the_solution_of_the_whole_table_under_any_mechanism(
    design, seed, criterion
):
    assume(len(design.names) > 1)
    codes = random_codes(design, 120, seed)
    count = oracles.table_count(solved(design, codes), len(codes))
    compared(design, codes, count, criterion)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("truth", [1, 0])
def test_reports_that_hide_nothing_give_the_plain_tree_of_the_clear_data(criterion, truth):
    questions = [cf.YesNo(f"q{i}") for i in range(6)]
    design = cf.Design(
        questions,
        [
            cf.Group(["q0", "q3"], cf.RelatedQuestion(truth)),
            cf.Group(["q1", "q2", "q4"], cf.RelatedQuestion(truth)),
        ],
    )
    answers = random_codes(design, 300, 7)
    reports = np.asarray(design.disguise(answers, seed=1))
    sizes = [2] * 6
    expected = oracles.grown(oracles.clear_count(answers), sizes, 0, range(1, 6), criterion)
    nodes = oracles.assert_same(literal(design, reports, criterion=criterion), 0, expected, 300)
    assert nodes > 20


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_a_choice_that_is_never_covered_gives_the_plain_tree_too(criterion):
    design = cf.Design(
        [cf.YesNo("y"), cf.Choice("a", ["u", "v", "w"]), cf.Choice("b", list("pqrs"))],
        [cf.Group(["y", "a"], cf.RelatedQuestion(1))],
    )
    answers = random_codes(design, 200, 3)
    expected = oracles.grown(oracles.clear_count(answers), [2, 3, 4], 0, [1, 2], criterion)
    model = literal(design, labelled(design, answers), criterion=criterion)
    assert oracles.assert_same(model, 0, expected, 200) == len(model.tree_) > 5


def test_leaves_and_depth_are_those_of_scikit_learns_tree():
    """Three yes-no questions in the clear and a class that is their parity: a whole tree."""
    answers = np.array(np.unravel_index(np.arange(8), (2, 2, 2))).T
    parity = answers.sum(axis=1) % 2
    ours = cf.DisguisedTreeClassifier().fit(answers, parity)
    theirs = DecisionTreeClassifier().fit(answers, parity)
    assert ours.get_n_leaves() == theirs.get_n_leaves() == 8
    assert ours.get_depth() == theirs.get_depth() == 3


def test_a_wrong_truth_is_caught_by_the_node_comparison():
    """The twin of the comparisons above: they fail if the learner believes another θ."""
    names = ["q0", "q1", "q2"]
    made, believed = (
        cf.Design([cf.YesNo(n) for n in names], [cf.Group(names, cf.RelatedQuestion(t))])
        for t in ("7/10", "8/10")
    )
    codes = random_codes(made, 200, 5)
    expected = oracles.grown(oracles.orientation_count(made, codes), [2] * 3, 0, [1, 2], "entropy")
    with pytest.raises(AssertionError):
        oracles.assert_same(literal(believed, labelled(believed, codes)), 0, expected, 200)


def test_a_negative_count_counts_as_zero_and_is_kept_in_its_node():
    design = cf.Design(
        [cf.YesNo("y"), cf.YesNo("a")],
        [cf.Group(["y"], cf.RelatedQuestion("3/5")), cf.Group(["a"], cf.RelatedQuestion("3/5"))],
    )
    # Nobody reports y with a: by inversion fewer than nobody has both.
    reports = np.array([[1, 0]] * 75 + [[0, 1]] * 70 + [[0, 0]] * 5)
    model = literal(design, reports)
    tree = model.tree_
    yes = tree.branches(0)[1][1]
    assert tree.shares[yes, 1] < 0 < tree.shares[yes, 0]
    assert tree.question[yes] == -1 and tree.label[yes] == 0  # pure: one class has people
    np.testing.assert_allclose(tree.chances[yes], [1, 0])
    table = cf.Crowd(design, reports).table(["a", "y"]).values.clip(0)
    gain = oracles.gain_of(
        oracles.table_count(table.T, 1e6), {}, 1, [{0}, {1}], 0, range(2), "entropy"
    )
    assert tree.gain[0] == pytest.approx(gain, abs=1e-9)


def test_depth_is_bounded():
    design = cf.Design([cf.YesNo(f"q{i}") for i in range(6)])
    codes = random_codes(design, 400, 1)
    model = literal(design, codes, max_depth=2)
    assert model.tree_.depth.max() == 2
    expected = oracles.grown(
        oracles.clear_count(codes), [2] * 6, 0, range(1, 6), "entropy", depth=2
    )
    oracles.assert_same(model, 0, expected, 400)


def test_ordered_choices_and_numbers_are_cut_between_neighbours():
    design = cf.Design(
        [
            cf.YesNo("y"),
            cf.Choice("grade", ["low", "fair", "good", "best"], ordered=True),
            cf.Number("age", 20, 60, step=1),
        ]
    )
    generator = np.random.default_rng(0)
    age = generator.integers(20, 61, 2000)
    grade = generator.integers(0, 4, 2000)
    y = ((age > 41) & (grade > 1)).astype(int)
    import pyarrow as pa

    data = pa.table({"y": y, "grade": np.array(design.question("grade").labels)[grade], "age": age})
    for criterion in ("gini", "entropy"):
        model = literal(design, data, criterion=criterion)
        assert (model.predict(data) == y).all()
        for node in np.flatnonzero(model.tree_.question >= 0):
            if criterion == "gini" or model.features_[model.tree_.question[node]] == "age":
                left, right = model.tree_.branches(node)
                assert max(left[0]) < min(right[0])


def test_many_options_are_parted_as_well_as_by_trying_every_subset(monkeypatch):
    options = [f"o{i}" for i in range(8)]
    design = cf.Design([cf.YesNo("y"), cf.Choice("a", options)])
    codes = random_codes(design, 500, 11)
    every = literal(design, labelled(design, codes), criterion="gini", max_depth=1)
    monkeypatch.setattr("confide.mining.trees.criteria._SUBSET_OPTIONS", 3)
    sorted_ = literal(design, labelled(design, codes), criterion="gini", max_depth=1)
    assert sorted_.tree_.gain[0] == pytest.approx(every.tree_.gain[0], abs=1e-12)


def test_a_crowd_too_large_to_write_out_grows_the_same_tree(monkeypatch):
    design = cf.Design(
        [
            cf.YesNo("y"),
            cf.Choice("a", ["u", "v", "w"]),
            cf.YesNo("b"),
            cf.Choice("c", list("pqrs")),
        ],
        [
            cf.Group(["y", "a"], cf.RelatedQuestion("4/5")),
            cf.Group(["b"], cf.RelatedQuestion("9/10")),
            cf.Group(["c"], cf.RandomizedChoice("4/5")),
        ],
    )
    codes = random_codes(design, 4000, 2)
    for criterion in ("entropy", "gini"):
        whole = literal(design, labelled(design, codes), criterion=criterion).tree_
        with monkeypatch.context() as patched:
            patched.setattr(cf.Crowd, "cells", lambda self: None)  # noqa: ARG005
            patched.setattr("confide.crowd._subpopulation.DENSE_CELLS", 8)
            parts = literal(design, labelled(design, codes), criterion=criterion).tree_
        np.testing.assert_array_equal(whole.question, parts.question)
        np.testing.assert_array_equal(whole.label, parts.label)
        np.testing.assert_allclose(whole.shares, parts.shares, atol=1e-9)
