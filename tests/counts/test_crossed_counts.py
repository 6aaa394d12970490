"""Reports of some questions crossed with every question: small tables that add up."""

from __future__ import annotations

import numpy as np
import pytest

from confide.counts import crossed_counts
from confide.counts.crossed_counts import cross_rows

SIZES = [2, 3, 2, 5, 2]
GIVEN = [[0], [3, 0], [], [1, 2, 4]]


def draw_rows(rows, seed=1):
    chance = np.random.default_rng(seed)
    return np.stack([chance.integers(0, size, rows) for size in SIZES], axis=1)


def count_by_hand(given, rows, weights):
    """Each row by itself, into one table per question."""
    tables = []
    for place, size in enumerate(SIZES):
        table = np.zeros([*(SIZES[i] for i in given), size])
        for row, weight in zip(rows, weights, strict=True):
            table[(*row[given], row[place])] += weight
        tables.append(table)
    return tables


@pytest.mark.parametrize("most", [1, 5, 1_000, 10**6])
def test_tables_are_those_of_rows_counted_by_hand(monkeypatch, most):
    """With weights too large for short integers, and in parts of seven rows."""
    monkeypatch.setattr(crossed_counts, "_ROWS", 7)
    rows, weights = draw_rows(60), np.random.default_rng(2).integers(1, most + 1, 60)
    for given, crossed in zip(GIVEN, cross_rows(SIZES, GIVEN, rows, weights), strict=True):
        expected = count_by_hand(given, rows, weights)
        assert crossed.tables.dtype == np.int64
        assert (crossed.whole() == expected[0].sum(axis=-1)).all()
        for place, table in enumerate(expected):
            assert (crossed.beside(place) == table).all()


def test_weights_that_are_no_whole_numbers_add_up():
    rows, weights = draw_rows(60), np.random.default_rng(2).random(60)
    (crossed,) = cross_rows(SIZES, [[3, 0]], rows, weights)
    for place, table in enumerate(count_by_hand([3, 0], rows, weights)):
        np.testing.assert_allclose(crossed.beside(place), table, atol=1e-12)


def test_tables_of_parts_add_up_to_those_of_the_whole():
    rows = draw_rows(60)
    ones = np.ones(60, np.int64)
    whole = cross_rows(SIZES, GIVEN, rows, ones)
    first, rest = (
        cross_rows(SIZES, GIVEN, rows[:23], ones[:23]),
        cross_rows(SIZES, GIVEN, rows[23:], ones[23:]),
    )
    for a, b, c in zip(first, rest, whole, strict=True):
        assert (a.tables + b.tables == c.tables).all()
