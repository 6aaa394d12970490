"""Pruned trees against every way of cutting them, and against the truth."""

from __future__ import annotations

from itertools import chain, product
from math import inf, lgamma, log2, pi

import numpy as np
import pytest
from support.designs import random_codes

import confide as cf
from confide.mining.trees.growth import Feature
from confide.mining.trees.pruning import prune_by_cost, prune_by_description_length, prune_by_error

NAMES = [f"q{i}" for i in range(8)]


def clear(count):
    return cf.Design([cf.YesNo(name) for name in NAMES[:count]])


def disguised(theta="7/10", groups=3):
    parts = [NAMES[g::groups] for g in range(groups)]
    return cf.Design(
        [cf.YesNo(name) for name in NAMES],
        [cf.Group(part, cf.RelatedQuestion(theta)) for part in parts],
    )


def people(rows, seed):
    """q0 mostly follows q1 and q2; the rest is idle."""
    generator = np.random.default_rng(seed)
    table = generator.integers(0, 2, (rows, 8))
    table[:, 0] = (table[:, 1] & table[:, 2]) ^ (generator.random(rows) < 0.1)
    return table


def every_cut(tree, node=0):
    """The leaves of every tree that cutting a subtree can give."""
    yield [node]
    if tree.question[node] >= 0:
        children = [child for _, child in tree.branches(node)]
        for choice in product(*(list(every_cut(tree, child)) for child in children)):
            yield list(chain.from_iterable(choice))


@pytest.mark.parametrize("price", [0.0, 0.002, 0.01, 0.03, 0.2])
def test_the_cheapest_tree_is_the_cheapest_of_all_cuts(price):
    design = clear(4)
    tree = cf.DisguisedTreeClassifier(design, "q0").fit(random_codes(design, 60, 3)).tree_
    counts = tree.shares.clip(0)
    wrong = counts.sum(axis=1) - counts[np.arange(len(tree)), tree.label]
    costs = [
        (sum(wrong[leaf] + price for leaf in leaves), len(leaves)) for leaves in every_cut(tree)
    ]
    lowest = min(cost for cost, _ in costs)
    fewest = min(leaves for cost, leaves in costs if cost <= lowest + 1e-12)
    found = prune_by_cost(tree, price)
    assert len(found.leaves) == fewest
    counts = found.shares.clip(0)
    wrong = counts.sum(axis=1) - counts[np.arange(len(found)), found.label]
    assert sum(wrong[found.leaves] + price) == pytest.approx(lowest)


def description(tree, leaves, tested, n, questions):
    bits = tested * (1 + log2(questions))
    for leaf in leaves:
        counts = [max(share, 0) * n for share in tree.shares[leaf]]
        total = sum(counts)
        bits += 1
        if total > 0:
            bits += sum(c * log2(total / c) for c in counts if c > 0)
            bits += log2(max(total, 2) / 2) / 2 + log2(pi) - lgamma(1) / np.log(2)
    return bits


@pytest.mark.parametrize("rows", [25, 60, 400])
def test_the_shortest_description_is_the_shortest_of_all_cuts(rows):
    design = clear(4)
    tree = cf.DisguisedTreeClassifier(design, "q0").fit(random_codes(design, rows, 5)).tree_
    best = inf
    for leaves in every_cut(tree):
        tested = {int(tree.parent[leaf]) for leaf in leaves if leaf}
        grown = set(tested)
        while tested:
            tested = {int(tree.parent[node]) for node in tested if node}
            grown |= tested
        best = min(best, description(tree, leaves, len(grown), rows, 3))
    found = prune_by_description_length(tree, rows, [Feature(2, True, False)] * 3)
    inner = int((found.question >= 0).sum())
    assert description(found, found.leaves, inner, rows, 3) == pytest.approx(best)


def naive_reduced_error(tree, codes, rows, node=0):
    """Scan the validation records; give how many are right below, and the nodes to cut."""
    as_leaf = sum(codes[row, 0] == tree.label[node] for row in rows)
    if tree.question[node] < 0:
        return as_leaf, []
    right, cut = 0, []
    for values, child in tree.branches(node):
        below = [row for row in rows if codes[row, tree.question[node] + 1] in values]
        more, cuts = naive_reduced_error(tree, codes, below, child)
        right, cut = right + more, cut + cuts
    return (as_leaf, [*cut, node]) if right <= as_leaf else (right, cut)


def test_reduced_error_on_clear_reports_is_the_textbook_s():
    design = clear(6)
    model = cf.DisguisedTreeClassifier(design, "q0").fit(random_codes(design, 200, 1))
    validation = random_codes(design, 150, 2)
    _, cut = naive_reduced_error(model.tree_, validation, range(150))
    found = prune_by_error(
        model.tree_, model.features_, "q0", cf.Crowd(design, validation), margin=0.0
    )
    expected = model.tree_.cut(cut)
    np.testing.assert_array_equal(found.question, expected.question)
    np.testing.assert_allclose(found.shares, expected.shares)
    assert len(found) < len(model.tree_)


def test_a_wider_margin_keeps_fewer_tests():
    design = disguised()
    model = cf.DisguisedTreeClassifier(design, "q0", method="literal").fit(
        design.disguise(people(3000, 1), seed=1)
    )
    validation = design.disguise(people(3000, 2), seed=2)
    sizes = [len(model.prune_disguised(validation, margin).tree_) for margin in (0.0, 1.0, 3.0)]
    assert sizes[0] >= sizes[1] >= sizes[2]
    assert len(model.tree_) > sizes[1] > 1


@pytest.mark.parametrize("prune", ["reduced-error", "cost-complexity"])
def test_pruning_on_disguised_reports_keeps_what_is_true_and_drops_noise(prune):
    design = disguised()
    reports = design.disguise(people(8000, 1), seed=1)
    truth = people(20_000, 9)
    whole = cf.DisguisedTreeClassifier(design, "q0", method="literal").fit(reports)
    cut = cf.DisguisedTreeClassifier(design, "q0", method="literal", prune=prune).fit(reports)
    assert set(cut.used_) >= {"q1", "q2"}
    assert len(cut.tree_) < len(whole.tree_) / 4
    assert cut.score(truth[:, 1:], truth[:, 0]) > whole.score(truth[:, 1:], truth[:, 0]) + 0.02
    assert cut.score(truth[:, 1:], truth[:, 0]) == pytest.approx(0.9, abs=0.01)


def test_pruning_by_description_length_needs_no_other_reports():
    design = clear(8)
    table = people(2000, 3)
    cut = cf.DisguisedTreeClassifier(design, "q0", prune="mdl").fit(table)
    assert cut.used_ == ["q1", "q2"]
    assert len(cut.tree_) == 5
    idle = np.random.default_rng(4).integers(0, 2, (2000, 8))
    assert len(cf.DisguisedTreeClassifier(design, "q0", prune="mdl").fit(idle).tree_) == 1


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
def test_the_description_of_a_cut_grows_with_the_logarithm_of_its_places(criterion):
    """A class that a number of 200 values cuts is worth its few bits with sixty people."""
    design = cf.Design([cf.Number("years", 0, 200, step=1), cf.YesNo("retired")])
    years = np.random.default_rng(1).integers(0, 200, 60)
    people = np.column_stack([years, years >= 65])
    cut = cf.DisguisedTreeClassifier(design, "retired", criterion=criterion, prune="mdl")
    assert len(cut.fit(people).tree_) == 3


def test_a_feature_knows_how_many_tests_it_has():
    assert Feature(5, multiway=True, ordered=False).tests == 1
    assert Feature(5, multiway=False, ordered=True).tests == 4
    assert Feature(5, multiway=False, ordered=False).tests == 15  # 2⁵⁻¹ − 1 partings


def test_a_cut_tree_predicts_as_its_cut_nodes():
    design = clear(5)
    codes = random_codes(design, 120, 7)
    model = cf.DisguisedTreeClassifier(design, "q0").fit(codes)
    inner = [n for n in range(1, len(model.tree_)) if model.tree_.question[n] >= 0][:2]
    cut = model._copy_with(model.tree_.cut(inner))
    columns = list(codes[:, 1:].T)
    before, after = model.tree_.find_leaves(columns), cut.tree_.find_leaves(columns)
    for row in range(len(codes)):
        path = [int(before[row])]
        while path[-1]:
            path.append(int(model.tree_.parent[path[-1]]))
        reached = [node for node in reversed(path) if node in inner] or [path[0]]
        assert cut.tree_.label[after[row]] == model.tree_.label[reached[0]]


def test_an_unknown_way_of_pruning_is_refused():
    design = clear(3)
    with pytest.raises(cf.ModelError, match="prune must be one of"):
        cf.DisguisedTreeClassifier(design, "q0", prune="axe").fit(random_codes(design, 50, 1))
