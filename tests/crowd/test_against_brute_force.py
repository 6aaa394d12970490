"""`Crowd` against the papers read naively: build M, scan the records, solve."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes, solved, whole_matrix
from support.properties import examples

import confide as cf
from confide.crowd import _subpopulation as part
from confide.estimators.expectation_maximisation import ReportedTable
from confide.estimators.weight_moments import PatternMoments, TableMoments

SEEDS = st.integers(0, 2**31)


@pytest.mark.slow
@examples(150)
@given(designs(), SEEDS)
def test_the_whole_table_equals_the_solution_of_the_papers_equations(design, seed):
    codes = random_codes(design, 200, seed)
    crowd = cf.Crowd(design, labelled(design, codes))
    table = crowd.table(list(design.names), method="inverse")
    np.testing.assert_allclose(table.values, solved(design, codes), atol=1e-10)


@pytest.mark.slow
@examples(100)
@given(designs(), SEEDS, st.data())
def test_every_margin_and_its_error_equal_those_of_the_whole_solution(design, seed, data):
    codes = random_codes(design, 150, seed)
    crowd = cf.Crowd(design, labelled(design, codes))
    names = data.draw(st.lists(st.sampled_from(design.names), min_size=1, unique=True))
    table = crowd.table(names, method="inverse")
    values, errors = naive_margin(design, codes, names)
    np.testing.assert_allclose(table.values, values, atol=1e-10)
    # outside [0, 1] the nearest possible share may imply a larger error, which is then stated
    inside = (table.values >= 0) & (table.values <= 1) & (errors > 1e-7)
    np.testing.assert_allclose(table.standard_errors[inside], errors[inside], atol=1e-10)
    assert (table.standard_errors >= errors - 1e-10).all()


def naive_margin(design, codes, names):
    """Every record's own weight for every cell, from the rows of the big inverse."""
    matrix, order = whole_matrix(design)
    sizes = [design.question(name).size for name in order]
    inverse = np.linalg.inv(matrix)
    cells = np.ravel_multi_index([codes[:, design.position(n)] for n in order], sizes)
    per_record = inverse[:, cells].reshape(*sizes, len(codes))
    drop = tuple(order.index(n) for n in order if n not in names)
    kept = [n for n in order if n in names]
    weights = per_record.sum(axis=drop)
    weights = weights.transpose([*(kept.index(n) for n in names), len(kept)])
    return weights.mean(axis=-1), weights.std(axis=-1) / np.sqrt(len(codes))


@pytest.mark.slow
@examples(100)
@given(designs(most_questions=4), SEEDS, st.data())
def test_a_sub_population_is_the_ratio_of_two_solutions(design, seed, data):
    if len(design.names) < 2:
        return
    codes = random_codes(design, 400, seed)
    fixed = data.draw(st.sampled_from(design.names))
    open_name = data.draw(st.sampled_from([n for n in design.names if n != fixed]))
    value = design.question(fixed).labels[0]
    joint, _ = naive_margin(design, codes, [fixed, open_name])
    share = joint[0].sum()
    part = cf.Crowd(design, labelled(design, codes)).given({fixed: value})
    if share < -1e-9:
        with pytest.raises(cf.QueryError, match="nobody has the true answers"):
            part.table([open_name])
    if share < 0.05:
        return
    np.testing.assert_allclose(part.table([open_name]).values, joint[0] / share, atol=1e-9)
    np.testing.assert_allclose(part.share, share, atol=1e-10)
    event = part.proportion({open_name: design.question(open_name).labels[1]})
    assert abs(event.value - joint[0][1] / share) < 1e-9


@pytest.mark.slow
@examples(100)
@given(designs(), SEEDS, st.data())
def test_patterns_and_tables_give_the_same_answers(design, seed, data):
    codes = random_codes(design, 120, seed)
    crowd = cf.Crowd(design, labelled(design, codes))
    (counts,) = crowd.counts
    names = data.draw(st.permutations(design.names))
    split = data.draw(st.integers(0, len(names) - 1))
    where = dict.fromkeys(names[:split], 0)
    opened = list(names[split:])
    sparse = PatternMoments(counts, where, opened)
    observed = ReportedTable.of(counts, [*where, *opened])
    dense = TableMoments(observed.channel, observed.shares, list(where.values()))
    for i, j in [(1, 0), (2, 0), (1, 1), (0, 1), (0, 2), (3, 0), (2, 1), (1, 3), (4, 0), (0, 4)]:
        np.testing.assert_allclose(
            sparse.moment(i, j), dense.moment(i, j), atol=1e-9, rtol=1e-9, err_msg=f"{i}, {j}"
        )


@pytest.mark.slow
@examples(60)
@given(designs(), SEEDS)
def test_the_cross_tables_of_a_node_agree_dense_and_sparse(design, seed):
    if len(design.names) < 3:
        return
    codes = random_codes(design, 120, seed)
    target, first, *rest = design.names
    where = {first: design.question(first).labels[0]}
    node = cf.Crowd(design, labelled(design, codes)).given(where)
    dense = node.cross(target, rest)
    with patch.object(part, "DENSE_CELLS", 0):
        sparse = cf.Crowd(design, labelled(design, codes)).given(where).cross(target, rest)
    for name in rest:
        np.testing.assert_allclose(dense[name], sparse[name], atol=1e-9)
        joint, _ = naive_margin(design, codes, [first, target, name])
        np.testing.assert_allclose(dense[name], joint[0], atol=1e-9)


def test_a_table_too_large_to_keep_is_answered_from_its_patterns(monkeypatch):
    design = cf.Design(
        [cf.YesNo(f"q{i}") for i in range(6)],
        [
            cf.Group(["q0", "q1", "q2"], cf.RelatedQuestion(0.8)),
            cf.Group(["q3"], cf.RelatedQuestion(0.7)),
        ],
    )
    reports = design.disguise(random_codes(design, 500, 1), seed=2)
    kept = cf.Crowd(design, reports).given({"q0": 1, "q3": 0})
    expected, crossed = kept.table(["q1", "q4"]), kept.cross("q5", ["q1", "q4"])
    monkeypatch.setattr(part, "DENSE_CELLS", 4)
    small = cf.Crowd(design, reports).given({"q0": 1, "q3": 0})
    found = small.table(["q1", "q4"])
    np.testing.assert_allclose(found.values, expected.values, atol=1e-12)
    np.testing.assert_allclose(found.standard_errors, expected.standard_errors, atol=1e-12)
    for name, table in small.cross("q5", ["q1", "q4"]).items():
        np.testing.assert_allclose(table, crossed[name], atol=1e-12)
