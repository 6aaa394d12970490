"""The cells of a crowd, and the synthetic population drawn from it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes, solved
from support.properties import examples

import confide as cf
from confide.crowd import _signed_shares as signed
from confide.crowd import _subpopulation as part
from confide.estimators.event_weights import event_weights, invert_patterns
from confide.estimators.possible_truths import possible_truths

SEEDS = st.integers(0, 2**31)


def added_up(design, codes, shares):
    table = np.zeros([q.size for q in design.questions])
    np.add.at(table, tuple(codes.T), shares)
    return table


@examples(60)
@given(designs(most_questions=4), SEEDS)
def test_cells_add_up_to_the_solution_of_the_papers_equations(design, seed):
    codes = random_codes(design, 150, seed)
    found = cf.Crowd(design, labelled(design, codes)).cells()
    np.testing.assert_allclose(added_up(design, *found), solved(design, codes), atol=1e-10)


@examples(60)
@given(designs(most_questions=4), SEEDS)
def test_origins_written_out_give_the_same_cells(design, seed):
    codes = random_codes(design, 150, seed)
    counts = cf.Counts.of(design, labelled(design, codes))
    parts = list(possible_truths(counts, design.names, 1 << 20))
    table = sum(added_up(design, c, w * counts.reports / counts.n) for c, w in parts)
    np.testing.assert_allclose(table, solved(design, codes), atol=1e-10)


def test_too_many_origins_are_not_written_out(monkeypatch):
    design = cf.Design(
        [cf.YesNo(f"q{i}") for i in range(6)],
        [cf.Group([f"q{i}"], cf.RelatedQuestion(0.8)) for i in range(6)],
    )
    crowd = cf.Crowd(design, labelled(design, random_codes(design, 50, 1)))
    monkeypatch.setattr(part, "DENSE_CELLS", 32)
    monkeypatch.setattr(signed, "DENSE_CELLS", 32)
    assert crowd.cells() is None


@examples(60)
@given(designs(most_questions=4), SEEDS)
def test_several_codes_weigh_as_much_as_each_of_them_together(design, seed):
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 60, seed)))
    first, *others = design.names
    several = event_weights(counts, {first: [0, 1]})
    each = event_weights(counts, {first: 0}) + event_weights(counts, {first: 1})
    np.testing.assert_allclose(several, each, atol=1e-9)
    shares = counts.reports / counts.n
    together = invert_patterns(counts, shares, {first: [0, 1]}, others)
    apart = sum(invert_patterns(counts, shares, {first: code}, others) for code in (0, 1))
    np.testing.assert_allclose(together, apart, atol=1e-9)


def test_a_synthetic_population_has_the_proportions_of_the_crowd():
    design = cf.Design(
        [cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"]), cf.Number("age", 20, 60)],
        [cf.Group(["a", "b"], cf.RelatedQuestion(0.8))],
    )
    generator = np.random.default_rng(3)
    a = generator.integers(0, 2, 4000)
    answers = {
        "a": np.array(["no", "yes"])[a],
        "b": np.array(["x", "y", "z"])[(a + generator.integers(0, 2, 4000)) % 3],
        "age": generator.uniform(20, 60, 4000),
    }
    import pyarrow as pa

    crowd = cf.Crowd(design, design.disguise(pa.table(answers), seed=4))
    drawn = crowd.sample(20_000, seed=5).to_pandas()
    table = crowd.table(["a", "b"], method="likelihood")
    found = drawn.groupby(["a", "b"]).size() / len(drawn)
    for row in table.rows():
        share = found.get((row[0], row[1]), 0.0)
        tolerance = 4 * np.sqrt(max(row[2].value, 1e-3) / 20_000)
        assert abs(share - row[2].value) < tolerance + 0.01
    assert drawn["age"].between(20, 60).all()
    assert crowd.given({"a": "yes"}).sample(50, seed=1)["a"].unique().to_pylist() == ["yes"]
    assert crowd.sample(9, seed=2).equals(crowd.sample(9, seed=2))


def test_a_sample_of_nobody_is_refused():
    design = cf.Design([cf.YesNo("a")])
    with pytest.raises(cf.QueryError, match="at least one"):
        cf.Crowd(design, np.array([0, 1])).sample(0)
