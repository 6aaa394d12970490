"""Class × answer in many nodes of a tree at once, against the whole table's inverse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs
from support.properties import examples

import confide as cf
from confide.counts import report_sizes
from confide.crowd import _signed_shares


def draw_counts(design, rows, seed):
    sizes = report_sizes(design)
    chance = np.random.default_rng(seed)
    columns = [chance.integers(0, size, rows) for size in sizes]
    return cf.Counts.gather(design, columns)


def cross_whole_table(crowd, path, target, name):
    """Invert the table of all questions, keep what the path leaves, and add up the rest."""
    names = crowd.design.names
    table = crowd.table(list(names), method="inverse").values.copy()
    for question, codes in path.items():
        axis = names.index(question)
        others = [code for code in range(table.shape[axis]) if code not in codes]
        table[(slice(None),) * axis + (others,)] = 0
    axes = tuple(i for i, each in enumerate(names) if each not in (target, name))
    summed = table.sum(axis=axes)
    return summed if names.index(target) < names.index(name) else summed.T


@st.composite
def trees(draw):
    """A design of at least two questions, its class, and the paths of some nodes."""
    design = draw(designs().filter(lambda d: len(d.names) > 1))
    target = draw(st.sampled_from(design.names))
    rest = [name for name in design.names if name != target]

    def leave(name):
        codes = list(range(design.question(name).size))
        return st.lists(st.sampled_from(codes), min_size=1, unique=True)

    asked = st.lists(st.sampled_from(rest), unique=True)
    path = asked.flatmap(lambda names: st.fixed_dictionaries({n: leave(n) for n in names}))
    return design, target, rest, [{}, *draw(st.lists(path, max_size=4))]


@pytest.mark.slow
@given(tree=trees(), seed=st.integers(0, 99))
@examples(40)
def test_nodes_are_crossed_as_the_whole_table_says(tree, seed):
    design, target, rest, paths = tree
    crowd = cf.Crowd(design, draw_counts(design, 200, seed))
    found = crowd.cross_nodes(paths, target, rest)
    for name in rest:
        expected = [cross_whole_table(crowd, path, target, name) for path in paths]
        np.testing.assert_allclose(found[name], expected, atol=1e-9)


def test_long_paths_are_crossed_from_the_patterns_of_reports(monkeypatch):
    """Some nodes together and the others one by one give what all together give."""
    names = [f"q{i}" for i in range(6)]
    asked = [*(cf.YesNo(name) for name in names), cf.Choice("f", ["arts", "law", "science"])]
    groups = [
        cf.Group(names[:3], cf.RelatedQuestion(0.8)),
        cf.Group(["f"], cf.RelatedQuestion(0.7)),
    ]
    design = cf.Design(asked, groups)
    crowd = cf.Crowd(design, draw_counts(design, 500, 1))
    paths = [{"q1": [1]}, {"q1": [0], "f": [0, 2], "q5": [1]}, {"q1": [0], "f": [1], "q5": [1]}]
    together = crowd.cross_nodes(paths, "q0", ["q2", "f", "q4"])
    monkeypatch.setattr(_signed_shares, "count_cells", lambda _, given: 10 ** len(given))
    apart = crowd.cross_nodes(paths, "q0", ["q2", "f", "q4"])
    for name, tables in together.items():
        np.testing.assert_allclose(apart[name], tables, atol=1e-12)


def test_a_pool_counts_every_report_once():
    """Two designs over the same questions: the shares are those of their tables, by size."""
    names = ["a", "b", "c"]
    asked = [cf.YesNo(name) for name in names]
    one = cf.Design(asked, [cf.Group(names, cf.RelatedQuestion(0.8))])
    other = cf.Design(asked, [cf.Group(["a"], cf.RelatedQuestion(0.7))])
    pool = cf.Crowd.pool(
        [cf.Crowd(one, draw_counts(one, 300, 1)), cf.Crowd(other, draw_counts(other, 100, 2))]
    )
    found = pool.cross_nodes([{"b": [1]}, {"b": [0]}], "a", ["c"])["c"]
    expected = pool.table(["b", "a", "c"], method="inverse").values
    np.testing.assert_allclose(found, expected[::-1], atol=1e-12)
