"""Weights that cannot be, and weights of which a few people carry most."""

from __future__ import annotations

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pytest

import confide as cf
from confide.crowd import _effective_size, _ratio

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.Number("x", 0, 10, step=1)],
    [cf.Group(["a"], cf.RelatedQuestion("0.9"))],
)
UNFIT = {
    "zero": [0.0] * 3 + [1.5] * 57,
    "not a number": [float("nan")] * 3 + [1.5] * 57,
    "infinite": [float("inf")] * 3 + [1.5] * 57,
    "missing": [None] * 3 + [1.5] * 57,
    "a text": ["secret"] * 3 + ["1.5"] * 57,
}


def hold_in_csv(table, folder):
    pyarrow.csv.write_csv(table, folder / "reports.csv")
    return folder / "reports.csv"


HOLDERS = {
    "pandas": lambda table, _: table.to_pandas(),
    "arrow": lambda table, _: table,
    "polars": lambda table, _: pl.from_arrow(table).lazy(),
    "duckdb": lambda table, _: duckdb.from_arrow(table),
    "csv": hold_in_csv,
}


@pytest.mark.parametrize("unfit", UNFIT)
@pytest.mark.parametrize("holder", HOLDERS)
def test_unfit_weights_are_counted_and_not_shown(unfit, holder, tmp_path):
    """Each beside reports of the same row whose weights are fit."""
    table = pa.table({"a": [1, 0] * 30, "x": [3, 3, 4] * 20, "w": UNFIT[unfit]})
    reports = HOLDERS[holder](table, tmp_path)
    with pytest.raises(cf.ReportsError, match="not in 3 of 60 reports") as crowd:
        cf.Crowd(DESIGN, reports, weights="w")
    with pytest.raises(cf.ReportsError, match="not in 3 of 60 reports") as fit:
        cf.DisguisedRegression(DESIGN, "a ~ x").fit(reports, weights="w")
    assert "secret" not in str(crowd.value) + str(fit.value)


@pytest.mark.parametrize("population", [0, -5, float("nan"), float("inf"), "many", True])
def test_a_population_that_cannot_be_is_refused_by_its_value(population):
    table = pa.table({"a": [1, 0] * 30, "x": [3, 3, 4] * 20})
    for fit in (
        lambda: cf.Crowd(DESIGN, table, population=population),
        lambda: cf.DisguisedRegression(DESIGN, "a ~ x").fit(table, population=population),
    ):
        with pytest.raises(cf.ReportsError, match=f"Got {population!r}"):
            fit()


def draw_crowd(n, spread, seed):
    """Three of ten have the answer, and weights have nothing to do with it."""
    draw = np.random.default_rng(seed)
    people = {
        "a": (draw.random(n) < 0.3).astype(int),
        "x": draw.integers(0, 11, n),
        "w": np.exp(spread * draw.normal(size=n)),
    }
    reports = DESIGN.disguise(pa.table(people), seed=seed, keep=["w"])
    return cf.Crowd(DESIGN, reports, weights="w")


def covers(estimate, truth):
    low, high = estimate.interval()
    return low <= truth <= high


def test_one_person_with_nearly_all_of_the_weight_tells_next_to_nothing():
    weights = np.r_[1e9, np.ones(99)]
    table = pa.table({"a": [1, 0] * 50, "x": np.arange(100) % 11, "w": weights})
    crowd = cf.Crowd(DESIGN, table, weights="w")
    low, high = crowd.proportion({"a": "yes"}).interval()
    assert high - low > 0.9
    low, high = crowd.mean("x").interval()
    assert high - low > 5


def test_equal_weights_are_never_distrusted():
    table = pa.table({"a": [1, 0] * 10, "x": [3.0] * 20, "w": [2.0] * 20})
    alike = cf.Crowd(DESIGN, table, weights="w").proportion({"a": "yes"})
    by_itself = cf.Crowd(DESIGN, table, population=1e12).proportion({"a": "yes"})
    np.testing.assert_allclose(alike.interval(), by_itself.interval(), atol=1e-9)


@pytest.mark.slow
@pytest.mark.statistical
def test_shares_and_means_cover_where_a_few_carry_most_of_the_weight(monkeypatch):
    """100 surveys: three standard errors are 6.5 points. The twin trusts linearised variances."""
    crowds = [draw_crowd(60, 2.0, seed) for seed in range(100)]

    def measure():
        shares = [covers(each.proportion({"a": "yes"}), 0.3) for each in crowds]
        return np.mean(shares), np.mean([covers(each.mean("x"), 5) for each in crowds])

    assert min(measure()) >= 0.95 - 0.065
    for module in (_effective_size, _ratio):
        monkeypatch.setattr(module, "distrust_weights", lambda *_: 1.0)
    share, mean = measure()
    assert share < 0.85 and mean < 0.93
