"""The tables of many sets of questions are those of each set alone."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import confide as cf
from confide.counts import question_sets
from confide.counts.question_sets import tabulate_sets

NAMES = "abcdef"
DESIGN = cf.Design(
    [cf.YesNo(name) if place % 2 else cf.Choice(name, [*"xyz"]) for place, name in enumerate(NAMES)]
)


def draw_counts(rows=500, **drawn):
    generator = np.random.default_rng(1)
    columns = {name: generator.choice(DESIGN.question(name).values, rows) for name in DESIGN.names}
    weight = generator.random(rows) + 0.5
    return cf.Counts.of(DESIGN, pd.DataFrame({**columns, "weight": weight}), **drawn)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("rows", [1, 100, 1 << 14])
def test_tables_of_sets_are_those_of_each_set_alone(length, rows, monkeypatch):
    """Whatever part of the rows is counted at a time, and also in several passes."""
    monkeypatch.setattr(question_sets, "_ROWS", rows)
    monkeypatch.setattr(question_sets, "_MOST_SUMS", rows)
    counts = draw_counts(60 if rows == 1 else 500)
    sets = [tuple(each) for each in combinations(NAMES, length)][::2]
    for names, table in zip(sets, tabulate_sets(counts, sets), strict=True):
        np.testing.assert_array_equal(table, counts.table(names))


def test_weights_are_added_up():
    counts = draw_counts(weights="weight")
    sets = list(combinations(NAMES, 3))
    for names, table in zip(sets, tabulate_sets(counts, sets), strict=True):
        np.testing.assert_allclose(table, counts.table(names), atol=1e-9)


def test_more_reports_than_32_bits_hold_are_counted_exactly():
    few = draw_counts(20)
    counts = few.subset(few.reports * (1 << 40) + np.arange(len(few.reports)))
    sets = list(combinations(NAMES, 3))
    for names, table in zip(sets, tabulate_sets(counts, sets), strict=True):
        np.testing.assert_array_equal(table, counts.table(names))
