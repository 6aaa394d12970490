"""Numbers read once more, against sums over the numbers themselves."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.properties import examples

import confide as cf
from confide.counts.recounting import keep_at_hand, round_numbers
from confide.counts.rounded_numbers import share_out
from confide.design.finer_number import FINELY, can_round
from confide.mechanisms import Grid

SHAPES = {
    "incomes": lambda draw, n: np.minimum(np.exp(draw.normal(6, 1.5, n)), 200_000),
    "mostly nothing": lambda draw, n: np.where(draw.random(n) < 0.7, 0, draw.integers(0, 900, n)),
    "at the upper end": lambda draw, n: 200_000 - draw.exponential(30, n).clip(0, 200_000),
    "two towns": lambda draw, n: np.where(draw.random(n) < 0.5, 1_234.5, 150_000.25),
    "even": lambda draw, n: draw.uniform(0, 200_000, n),
    "whole": lambda draw, n: draw.integers(0, 200_001, n).astype(float),
}


def round_numbers_of(values, **kept):
    design = cf.Design([cf.Number("x", 0, 200_000, **kept)])
    counts = keep_at_hand(cf.Counts.of(design, values), values, {})
    return counts, round_numbers(counts, "x")


@examples(60)
@given(st.sampled_from(sorted(SHAPES)), st.integers(2, 400), st.integers(0, 999))
def test_an_interval_counts_with_the_mean_of_its_numbers(shape, n, seed):
    values = SHAPES[shape](np.random.default_rng(seed), n)
    counts, rounded = round_numbers_of(values)
    grid = counts.design.question("x").grid
    half = 100_000 / FINELY
    # a number within half a part of an edge may be rounded into the neighbouring interval
    shares = np.bincount(grid.code(rounded.values), rounded.shares, grid.size)
    for power in (1, 2):
        mean = float(shares @ rounded.average(grid, power))
        wrong = 2 * half if power == 1 else 2 * half * 200_000
        assert mean == pytest.approx(np.mean(values**power), abs=wrong)
    one = Grid((0.0, 200_000.0))
    assert rounded.average(one, 1)[0] == pytest.approx(values.mean(), abs=half)


def test_round_numbers_are_not_rounded_to_one_side():
    """Of a hundred thousand parts thousands would lie at the edge, and come out half a part off."""
    values = np.random.default_rng(1).integers(0, 200, 4_000) * 1000.0
    _, rounded = round_numbers_of(values)
    off = abs(float(rounded.shares @ rounded.values) - values.mean())
    assert off < 0.05 * 200_000 / FINELY


@pytest.mark.parametrize("step", [1, 2.5, 1000])
def test_numbers_with_a_step_are_read_exactly(step):
    values = np.random.default_rng(2).integers(0, int(200_000 / step) // 50, 500) * step
    _, rounded = round_numbers_of(values, step=step)
    given_numbers, people = np.unique(values, return_counts=True)
    if 200_000 / step < FINELY:
        np.testing.assert_allclose(rounded.values, given_numbers, atol=1e-6)
        np.testing.assert_allclose(rounded.shares, people / 500)
    assert float(rounded.shares @ rounded.values) == pytest.approx(values.mean(), abs=1)


@examples(60)
@given(st.sampled_from(sorted(SHAPES)), st.integers(30, 4_000), st.integers(0, 999))
def test_no_interval_holds_many_people_who_gave_different_numbers(shape, n, seed):
    counts, rounded = round_numbers_of(SHAPES[shape](np.random.default_rng(seed), n))
    grid = counts.design.question("x").grid
    places = rounded.find_places(grid, stepless=True)
    assert places == sorted(set(places))
    assert not set(places) & set(grid.edges)
    finer = Grid(tuple(sorted({*grid.edges, *places})))
    codes = finer.code(rounded.values)
    people = np.bincount(codes, rounded.shares, finer.size)
    kinds = np.bincount(codes, minlength=finer.size)
    assert people[kinds > 1].max(initial=0) <= 0.02 + 1e-9
    before = np.bincount(grid.code(rounded.values), rounded.shares, grid.size)
    crowded = set(np.flatnonzero(before > 0.02))
    assert {int(grid.code(np.array([place]))[0]) for place in places} <= crowded


def test_places_have_no_more_digits_than_tell_them_apart():
    values = np.random.default_rng(3).uniform(0, 10_000, 4_000)
    counts, rounded = round_numbers_of(values)
    grid = counts.design.question("x").grid
    places = rounded.find_places(grid, stepless=True)
    assert len(places) > 90
    assert max(len(f"{place:g}") for place in places) <= 5
    assert np.abs(np.sort(places) / 10_000 - np.linspace(0, 1, len(places) + 2)[1:-1]).max() < 0.03


def test_reports_that_are_gone_or_have_changed_leave_the_intervals(tmp_path):
    values = np.random.default_rng(4).uniform(0, 2_000, 300)
    design = cf.Design([cf.Number("x", 0, 200_000)])
    held = cf.Crowd(design, cf.Counts.of(design, values)).mean("x")
    pd.DataFrame({"x": values}).to_parquet(tmp_path / "x.parquet")
    gone, changed = cf.Crowd(design, tmp_path / "x.parquet"), cf.Crowd(design, values)
    (tmp_path / "x.parquet").unlink()
    values[:20] = 150_000.0
    for crowd, why in ((gone, "there is no file x.parquet"), (changed, "have changed since")):
        with pytest.warns(UserWarning, match=f"x is known by its intervals only: .*{why}"):
            found = crowd.mean("x")
        assert (found.value, found.interval()) == (held.value, held.interval())
        assert crowd.mean("x").value == held.value  # said once


@examples(60)
@given(st.sampled_from(sorted(SHAPES)), st.integers(2, 300), st.integers(0, 999))
def test_the_same_reports_agree_and_moved_ones_do_not(shape, n, seed):
    values = SHAPES[shape](np.random.default_rng(seed), n)
    counts, rounded = round_numbers_of(values)
    grid = counts.design.question("x").grid
    shares = share_out(counts, "x", counts.reports)
    assert rounded.agrees(shares, grid)
    assert not rounded.agrees(np.roll(shares, 25), grid)


def test_a_range_too_narrow_to_be_rounded_is_left_as_it_is():
    narrow = cf.Number("when", 1e15, 1e15 + 400)
    assert not can_round(narrow)
    assert can_round(cf.Number("age", 16, 80))
    values = 1e15 + np.random.default_rng(5).integers(0, 400, 500).astype(float)
    found = cf.Crowd(cf.Design([narrow]), values).mean("when")
    assert found.value == pytest.approx(values.mean(), abs=10)
