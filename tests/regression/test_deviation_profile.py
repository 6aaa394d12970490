"""The interval of a random intercept's deviation, against brute force and in simulation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, optimize

import confide as cf
from confide.regression.deviation_profile import DeviationProfile

DESIGN = cf.Design(
    [cf.YesNo("y"), cf.Choice("x", [0, 1, 2])], [cf.Group(["y"], cf.RelatedQuestion("0.9"))]
)
NAME = "sd(school)"


def draw_reports(seed, schools=10, size=40, deviation=0.7):
    draw = np.random.default_rng(seed)
    school = np.repeat(np.arange(schools), size)
    x = draw.integers(0, 3, len(school))
    eta = -0.5 + 0.5 * x + deviation * draw.normal(size=schools)[school]
    yes = draw.random(len(school)) < 1 / (1 + np.exp(-eta))
    pupils = pd.DataFrame({"y": yes.astype(int), "x": x, "school": school})
    return DESIGN.disguise(pupils, seed=seed, keep=["school"])


def fit(reports, **options):
    model = cf.DisguisedRegression(DESIGN, "y ~ x")
    return model.fit(reports, random_intercept="school", **options)


@pytest.mark.slow
def test_the_ends_are_where_the_integrated_likelihood_is_lower_by_students_quantile():
    reports = draw_reports(1, schools=6)
    parts = [(p["x"].to_numpy(), p["y"].to_numpy()) for _, p in reports.groupby("school")]

    def height(params, deviation):
        total = 0.0
        for x, y in parts:

            def density(b, x=x, y=y):
                yes = 0.1 + 0.8 / (1 + np.exp(-(params[0] + params[1] * x + deviation * b)))
                return np.exp(np.log(np.where(y == 1, yes, 1 - yes)).sum() - b**2 / 2)

            whole = integrate.quad(density, -8, 8, epsabs=0, epsrel=1e-8, limit=100)[0]
            total += np.log(whole / np.sqrt(2 * np.pi))
        return total

    result = fit(reports)
    t = 2.570582  # of 5 degrees of freedom, at 97.5 %
    for end in result.conf_int().loc[NAME]:
        found = optimize.minimize(
            lambda p, end=end: -height(p, end), result.params[:2], method="Nelder-Mead",
            options={"xatol": 1e-3, "fatol": 1e-4},
        )  # fmt: skip
        cost = 2 * (result.llf + found.fun)
        assert cost == pytest.approx(t**2, abs=0.1) or (end == 0 and cost < t**2)


@pytest.mark.slow
def test_a_deviation_of_0_has_an_interval_that_begins_there():
    result = fit(draw_reports(1, schools=8, deviation=0.0))
    low, high = result.conf_int().loc[NAME]
    assert low == 0 and 0.1 < high < 2
    assert result.pvalues[NAME] == 1 and np.isnan(result.tvalues[NAME])
    assert "nan" not in result.summary().as_text()
    assert result.to_arrow()["z"].null_count == 1
    assert any("the interval says" in note for note in result.notes)


@pytest.mark.slow
def test_groups_that_differ_much_are_told_from_those_that_do_not():
    result = fit(draw_reports(3, schools=12, deviation=2.0))
    low, high = result.conf_int().loc[NAME]
    assert 0.5 < low < result.params[NAME] < high
    assert high - result.params[NAME] > result.params[NAME] - low  # it is lopsided
    assert result.pvalues[NAME] < 1e-6


@pytest.mark.slow
@pytest.mark.statistical
def test_the_interval_of_a_deviation_covers():
    """60 surveys of 10 schools; at least 53 are covered, 3 standard errors below 95 %.

    The twin, the interval of another deviation, covers less often.
    """
    t = 2.262157  # of 9 degrees of freedom, at 97.5 %
    covered = np.zeros(2)
    for seed in range(60):
        found = fit(draw_reports(seed, size=20))
        profile = DeviationProfile(
            found.objective, found.params.to_numpy(), found.spread.covariance
        )
        covered += [profile.cost(deviation) <= t**2 for deviation in (0.7, 1.6)]
    assert covered[0] >= 53 > covered[1]
