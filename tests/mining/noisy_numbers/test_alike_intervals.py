"""Intervals within which functions vary as little as possible, beside all ways to cut."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from confide.mining.noisy_numbers.alike_intervals import AlikeIntervals


def lose(values, shares, starts):
    """The part of the variation that lies within merged intervals, one by one."""
    people = 0.99 * shares + 0.01 / len(shares)

    def vary(start, end):
        weight, value = people[start:end, None], values[start:end]
        mean = (weight * value).sum(axis=0) / weight.sum()
        return (weight * (value - mean) ** 2).sum()

    edges = [*starts, len(shares)]
    within = sum(vary(a, b) for a, b in pairwise(edges))
    return within / vary(0, len(shares))


def lose_least(values, shares, count):
    """The least that so many merged intervals lose, over all ways to cut."""
    places = range(1, len(shares))
    return min(lose(values, shares, (0, *cut)) for cut in combinations(places, count - 1))


@pytest.mark.parametrize("seed", range(8))
def test_no_other_cut_into_as_many_intervals_loses_less(seed):
    chance = np.random.default_rng(seed)
    values, shares = chance.random((9, 3)), chance.dirichlet(np.full(9, 0.4))
    found = AlikeIntervals.of(values, shares, 4)
    least = lose_least(values, shares, len(found.starts))
    assert lose(values, shares, found.starts) == pytest.approx(least, abs=1e-8)


@pytest.mark.parametrize("seed", range(8))
def test_of_fewer_intervals_none_would_have_lost_so_little(seed):
    chance = np.random.default_rng(seed)
    values = np.sort(chance.random((9, 1)), axis=0) ** 6
    shares = chance.dirichlet(np.ones(9))
    found = AlikeIntervals.of(values, shares, 9)
    assert lose(values, shares, found.starts) <= 0.01 + 1e-8
    assert len(found.starts) == 1 or lose_least(values, shares, len(found.starts) - 1) > 0.01


def test_functions_that_change_nowhere_are_not_cut():
    found = AlikeIntervals.of(np.full((7, 2), 0.1), np.full(7, 1 / 7), 5)
    assert found.starts.tolist() == [0]


def test_a_step_is_cut_where_it_is_also_where_nobody_is():
    values, shares = (np.arange(10) >= 6)[:, None] * 1.0, np.zeros(10)
    shares[[0, 9]] = 0.5
    found = AlikeIntervals.of(values, shares, 5)
    assert found.starts.tolist() == [0, 6]
    assert values[found.find_typical(np.arange(10))].tolist() == values.tolist()


def test_the_typical_interval_is_that_of_most_people():
    values = np.array([[0.0], [1.0], [1.0], [1.0]])
    found = AlikeIntervals.of(values, np.array([0.9, 0.1, 0, 0]), 1)
    assert found.typical.tolist() == [0]
    found = AlikeIntervals.of(values, np.array([0.1, 0.9, 0, 0]), 1)
    assert found.typical.tolist() == [1]
