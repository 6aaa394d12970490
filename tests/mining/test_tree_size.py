"""Trees no larger than reports can tell: what a mixture's frontier says, and which tests stay."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs
from support.mixtures import random_model
from support.properties import examples

import confide as cf
from confide.crowd import Estimate
from confide.mining.exports.nodes import say_people
from confide.mining.joint import JointPopulation, stacking
from confide.mining.trees import mixture_frontier
from confide.mining.trees.best_cut import keep_most_accurate
from confide.mining.trees.frontier import open_root
from confide.mining.trees.growth import grow, make_feature
from confide.mining.trees.mixture_frontier import open_joint_root
from confide.mining.trees.pruning import prune_by_cost
from confide.mining.trees.tree_size import keep_readable, keep_smallest_alike, limit_leaves

SEEDS = st.integers(0, 2**31)


def random_joint(design, seed, components=4):
    return JointPopulation(design, 100, random_model(design, 1, components, seed).member(0))


def grow_both(joint, criterion, least, win=-1.0):
    """The same tree on the written-out cells, and on the mixture itself."""
    *names, target = joint.design.names
    features = [make_feature(joint.design.question(name), criterion) for name in names]
    cells = grow(open_root(joint, target, names), features, criterion, None, least)
    root = open_joint_root(joint, target, names)
    return cells, grow(root, features, criterion, None, least, lambda f: f.keep_promising(win))


@examples(40)
@given(designs(), SEEDS, st.sampled_from(["entropy", "gini"]))
def test_a_tree_on_a_mixture_is_the_tree_on_its_cells(design, seed, criterion):
    if len(design.names) < 2:
        return
    on_cells, on_mixture = grow_both(random_joint(design, seed), criterion, 0.02)
    np.testing.assert_array_equal(on_cells.question, on_mixture.question)
    np.testing.assert_array_equal(on_cells.child, on_mixture.child)
    np.testing.assert_allclose(on_cells.shares, on_mixture.shares, atol=1e-9)


def yes_no(questions):
    return cf.Design([cf.YesNo(f"q{i}") for i in range(questions)])


@examples(20)
@given(SEEDS, st.floats(0.0005, 0.05))
def test_nodes_without_promise_are_those_that_would_be_cut(seed, price):
    on_cells, on_mixture = grow_both(random_joint(yes_no(7), seed), "entropy", 0.0, price)
    assert len(on_mixture) <= len(on_cells)
    whole, promising = prune_by_cost(on_cells, price), prune_by_cost(on_mixture, price)
    np.testing.assert_array_equal(whole.question, promising.question)


def test_of_too_many_open_nodes_the_most_promising_are_tested(monkeypatch):
    joint = random_joint(yes_no(7), 3)
    free, _ = grow_both(joint, "entropy", 0.0)
    monkeypatch.setattr(mixture_frontier, "_MOST_OPEN", 2)
    _, narrow = grow_both(joint, "entropy", 0.0)
    assert np.bincount(narrow.depth[narrow.question >= 0]).max() == 2
    assert len(narrow) < len(free)


def accuracy(tree):
    return tree.shares[tree.leaves, tree.label[tree.leaves]].sum()


def test_the_smallest_tree_that_reports_cannot_tell_apart_is_kept():
    grown, _ = grow_both(random_joint(yes_no(8), 5), "entropy", 0.0)
    kept = keep_smallest_alike(grown, 1_000, 1e-5)
    assert len(kept.leaves) < len(prune_by_cost(grown, 1e-5).leaves)
    assert 0 <= accuracy(grown) - accuracy(kept) <= 0.001 + 1e-12
    many = keep_smallest_alike(grown, 10**12, 1e-5)  # so many tell every difference
    assert abs(accuracy(many) - accuracy(prune_by_cost(grown, 1e-5))) < 1e-6
    assert len(many.leaves) > len(kept.leaves)


def test_a_tree_that_nobody_would_read_is_cut_where_that_costs_little():
    smooth, _ = grow_both(random_joint(yes_no(9), 5), "entropy", 0.0)
    assert len(smooth.leaves) > 60
    cut = keep_readable(smooth, 1_000, 1.0)
    assert len(cut.leaves) <= 60
    assert 0 < accuracy(smooth) - accuracy(cut) <= 0.01
    assert keep_readable(smooth, 10**12, 1.0) is smooth  # so many tell every difference


def draw_idle_reports(people, seed):
    """Reports of a survey in which no answer has anything to do with another."""
    generator = np.random.default_rng(seed)
    options = {"harassed": ["never", "once", "often"], "faculty": ["arts", "law", "science"]}
    design = cf.Design(
        [
            cf.YesNo("cheated"),
            *(cf.Choice(name, labels) for name, labels in options.items()),
            cf.Number("age", 16, 80, step=1),
        ],
        [
            cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
            cf.Group(["harassed"], cf.RandomizedChoice("3/5")),
        ],
    )
    answers = {name: generator.choice(labels, people) for name, labels in options.items()}
    answers |= {
        "cheated": generator.random(people) < 0.5,
        "age": generator.integers(16, 81, people),
    }
    return design, design.disguise(pd.DataFrame(answers), seed=seed)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("seed", [0, 1])
def test_leaves_that_left_out_reports_do_not_bear_out_are_no_reason_for_a_large_tree(
    seed, monkeypatch
):
    """The twin takes what the mixture promises for true, and grows a large tree of noise."""
    design, reports = draw_idle_reports(5_000, seed)
    tree = cf.DisguisedTreeClassifier(design, target="cheated")
    assert len(tree.fit(reports).tree_.leaves) <= 60
    monkeypatch.setattr(stacking, "find_borne_out", lambda *_: 1.0)
    assert len(tree.fit(reports).tree_.leaves) > 100


def test_left_out_reports_bear_out_what_tells_them_better_and_nothing_else():
    """A coin of 1/2 beside one of 0.6: 2,000 tosses that came out as either of them says."""
    alone, other = np.log([0.5, 0.5]), np.log([0.4, 0.6])
    logs, shares = np.stack([alone, other]), np.array([0.0, 1.0])
    assert stacking.find_borne_out(logs, np.array([1_000.0, 1_000.0]), shares) == 0
    assert stacking.find_borne_out(logs, np.array([600.0, 1_400.0]), shares) == 1
    tosses, share = np.array([900.0, 1_100.0]), np.linspace(0, 1, 10_001)
    told = tosses @ np.log([0.5 - 0.1 * share, 0.5 + 0.1 * share])
    least = share[np.argmax(told >= told.max() - 2)]
    assert 0 <= stacking.find_borne_out(logs, tosses, shares) - least < 0.05


def test_a_tree_all_of_whose_leaves_are_worth_much_is_not_cut():
    odd = np.array(np.unravel_index(np.arange(256), (2,) * 8)).T
    answers = np.column_stack([odd, odd.sum(axis=1) % 2])
    crowd = cf.Crowd(yes_no(9), answers)
    names = list(crowd.design.names)
    features = [make_feature(crowd.design.question(name), "entropy") for name in names[:-1]]
    grown = grow(open_root(crowd, names[-1], names[:-1]), features, "entropy", None, 0.0)
    assert keep_readable(grown, 1_000, 1.0) is grown


@pytest.mark.parametrize("most", [2, 3, 7, 20])
def test_no_tree_has_more_leaves_than_asked(most):
    grown, _ = grow_both(random_joint(yes_no(7), 9), "entropy", 0.0)
    tree = limit_leaves(grown, most)
    assert len(tree.leaves) <= most
    better = [t for t in _list_subtrees(grown) if len(t.leaves) <= most]
    assert accuracy(tree) >= max(accuracy(t) for t in better) - 1e-9


def _list_subtrees(grown):
    return [prune_by_cost(grown, price) for price in np.geomspace(1e-7, 0.5, 400)]


@examples(30)
@given(designs(), SEEDS, st.integers(2, 9))
def test_of_all_trees_of_so_many_leaves_the_most_accurate_is_kept(design, seed, most):
    if len(design.names) < 2:
        return
    grown, _ = grow_both(random_joint(design, seed), "entropy", 0.05)
    found = [kept for kept in _list_cuts(grown, 0) if kept[1] <= most]
    best = max(right for right, _ in found)
    tree = keep_most_accurate(grown, most)
    assert accuracy(tree) == pytest.approx(best, abs=1e-9)
    if len(grown.leaves) > most:
        assert len(tree.leaves) == min(n for right, n in found if right >= best - 1e-9)


def _list_cuts(tree, node):
    """How many are right, and the leaves, of every tree that a node can be cut to; the best of each
    number of leaves is enough."""
    found = {1: tree.shares[node, tree.label[node]]}
    if tree.question[node] >= 0:
        for cuts in product(*(_list_cuts(tree, child) for _, child in tree.branches(node))):
            right, leaves = map(sum, zip(*cuts, strict=True))
            found[leaves] = max(right, found.get(leaves, 0.0))
    return [(right, leaves) for leaves, right in found.items()]


@pytest.mark.parametrize("method", ["auto", "literal"])
def test_few_leaves_show_part_of_what_answers_tell_together(method):
    answers = np.random.default_rng(1).integers(0, 2, (4_000, 3))
    answers[:, 2] = answers[:, 0] ^ answers[:, 1]
    tree = cf.DisguisedTreeClassifier(yes_no(3), "q2", method=method, max_leaves=3).fit(answers)
    assert tree.score(answers[:, :2], answers[:, 2]) > 0.7


@pytest.mark.slow
def test_a_classifier_takes_the_most_leaves(tmp_path):
    answers = np.random.default_rng(1).integers(0, 2, (800, 5))
    answers[:, 4] = answers[:, 0] & (answers[:, 1] | answers[:, 2])
    design = cf.Design(
        [cf.YesNo(f"q{i}") for i in range(5)],
        [cf.Group([f"q{i}" for i in range(5)], cf.RelatedQuestion("9/10"))],
    )
    reports = design.disguise(answers, seed=1)
    for method in ("auto", "literal"):
        tree = cf.DisguisedTreeClassifier(design, "q4", method=method, max_leaves=3).fit(reports)
        assert len(tree.tree_.leaves) <= 3
    tree.save(tmp_path / "tree.json")
    assert cf.load_model(tmp_path / "tree.json").max_leaves == 3
    with pytest.raises(cf.ConfideError, match=r"max_leaves must be .* at least 2. Got 1"):
        cf.DisguisedTreeClassifier(design, "q4", max_leaves=1).fit(reports)


def test_people_who_cannot_be_told_from_none_are_not_written_as_found():
    assert say_people(Estimate(2.0, 29.0, 1000)) == "n < 59, perhaps none"
    assert say_people(Estimate(-90.0, 29.0, 1000)) == "n < 1, perhaps none"
    assert say_people(Estimate(60.0, 29.0, 1000)) == "n ≈ 60 ± 57"
    assert say_people(Estimate(60.0, float("nan"), 1000)) == "n ≈ 60"
