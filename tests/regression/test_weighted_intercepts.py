"""Weights, strata and clusters together with a random intercept, against brute force."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import integrate

import confide as cf
from confide.regression import regression

DESIGN = cf.Design(
    [cf.YesNo("y"), cf.Choice("x", [0, 1, 2])], [cf.Group(["y"], cf.RelatedQuestion("0.9"))]
)
TRUE = {"Intercept": -0.5, "x": 0.5, "sd(school)": 0.7}


def draw_reports(seed, schools=30, size=60):
    """Pupils are drawn by what also moves their answer: three times as often above a point."""
    draw = np.random.default_rng(seed)
    school = np.repeat(np.arange(schools), size)
    x, error = draw.integers(0, 3, schools * size), draw.logistic(size=schools * size)
    own = TRUE["sd(school)"] * draw.normal(size=schools)[school]
    chance = np.where(error > 0.3, 0.9, 0.3)
    pupils = pd.DataFrame(
        {
            "y": (TRUE["Intercept"] + TRUE["x"] * x + own + error > 0).astype(int),
            "x": x,
            "school": school,
            "town": school // 2,
            "region": np.where(school % 4 < 2, "north", "south"),
            "w": 1 / chance,
        }
    )
    drawn = pupils[draw.random(len(pupils)) < chance]
    return DESIGN.disguise(drawn, seed=seed, keep=["school", "town", "region", "w"])


def fit(reports, **options):
    return cf.DisguisedRegression(DESIGN, "y ~ x").fit(
        reports, random_intercept="school", **options
    )


@pytest.fixture(scope="module")
def reports():
    return draw_reports(2, schools=8, size=60)


@pytest.fixture(scope="module")
def log_schools(reports):
    """The log pseudo-likelihood of each school at any parameters, by numerical integration."""
    parts = []
    for _, part in reports.groupby("school"):
        w = part["w"].to_numpy()
        parts.append((part["x"].to_numpy(), part["y"].to_numpy(), w * w.sum() / (w @ w)))

    def compute(params):
        found = []
        for x, y, w in parts:

            def density(b, x=x, y=y, w=w):
                yes = 0.1 + 0.8 / (1 + np.exp(-(params[0] + params[1] * x + params[2] * b)))
                return np.exp(w @ np.log(np.where(y == 1, yes, 1 - yes)) - b**2 / 2)

            whole = integrate.quad(density, -9, 9, epsabs=0, epsrel=1e-10, limit=200)[0]
            found.append(np.log(whole / np.sqrt(2 * np.pi)))
        return np.array(found)

    return compute


@pytest.fixture(scope="module")
def curved(reports, log_schools):
    """The schools' scores and the second derivatives at the peak, by differences."""
    peak, step = fit(reports, weights="w").params.to_numpy(), 1e-3
    moves = step * np.eye(3)
    sides = [(log_schools(peak + move), log_schools(peak - move)) for move in moves]
    scores = np.stack([(ahead - behind) / (2 * step) for ahead, behind in sides], axis=1)
    hessian = np.empty((3, 3))
    for i, one in enumerate(moves):
        for j, other in enumerate(moves[: i + 1]):
            around = (one + other, one - other, other - one, -one - other)
            ahead, right, left, behind = (log_schools(peak + move).sum() for move in around)
            hessian[i, j] = hessian[j, i] = (ahead - right - left + behind) / (4 * step**2)
    return scores, hessian


@pytest.mark.slow
def test_a_weighted_random_intercept_is_the_integral_over_it(reports, log_schools, curved):
    result = fit(reports, weights="w")
    assert result.llf == pytest.approx(log_schools(result.params.to_numpy()).sum(), abs=1e-5)
    np.testing.assert_allclose(curved[0].sum(axis=0), 0, atol=1e-4)
    assert any("counts once" in note for note in result.notes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "stratum", "cluster"),
    [
        ({}, np.zeros(8, int), np.arange(8)),
        ({"clusters": "town"}, np.zeros(4, int), np.arange(8) // 2),
        ({"strata": "region", "clusters": "town"}, np.arange(4) % 2, np.arange(8) // 2),
    ],
    ids=["schools", "towns", "towns of regions"],
)
def test_the_errors_are_a_sandwich_of_the_schools_scores(
    reports, curved, options, stratum, cluster
):
    scores, hessian = curved
    units = np.zeros((len(stratum), 3))
    np.add.at(units, cluster, scores)
    meat = np.zeros((3, 3))
    for each in np.unique(stratum):
        here = units[stratum == each]
        apart = here - here.mean(axis=0)
        meat += len(here) / (len(here) - 1) * apart.T @ apart
    bread = np.linalg.inv(hessian)
    result = fit(reports, weights="w", **options)
    np.testing.assert_allclose(result.cov_params(), bread @ meat @ bread, rtol=2e-3)
    assert result.freedom == len(units) - len(np.unique(stratum))


def test_a_deviation_of_0_has_no_standard_error():
    result = fit(draw_reports(1, schools=8, size=40), weights="w")
    assert np.isnan(result.bse["sd(school)"]) and np.isfinite(result.bse[:2]).all()
    assert any("is at 0" in note for note in result.notes)


def test_weights_that_are_all_alike_change_no_coefficient(reports):
    plain = fit(reports, cov_type="robust")
    alike = fit(reports.assign(w=3.0), weights="w")
    np.testing.assert_allclose(alike.params, plain.params, atol=1e-8)
    np.testing.assert_allclose(alike.bse, plain.bse * np.sqrt(8 / 7), rtol=1e-6)
    by_school = fit(reports, clusters="school")
    np.testing.assert_allclose(by_school.bse, alike.bse, rtol=1e-6)
    assert by_school.cov_type == "cluster" and alike.cov_type == "linearised"


@pytest.mark.slow
def test_leaving_out_one_school_at_a_time_gives_errors_of_the_same_size():
    reports = draw_reports(3, schools=24, size=30)
    result = fit(reports, weights="w")
    left = [fit(reports[reports["school"] != s], weights="w").params for s in range(24)]
    jackknife = np.sqrt(23 / 24 * ((np.array(left) - np.mean(left, axis=0)) ** 2).sum(axis=0))
    np.testing.assert_allclose(result.bse, jackknife, rtol=0.2)


@pytest.mark.slow
@pytest.mark.statistical
def test_weighted_coefficients_are_those_of_the_pupils_not_of_the_sample(monkeypatch):
    """30 surveys of 30 schools with 12 pupils each; means within 4.5 standard errors.

    One twin leaves the weights out. The other lets those of a school add up to its number of
    reports: then the schools come out more different than they are.
    """
    truth = np.array(list(TRUE.values()))
    drawn = [draw_reports(seed, size=20) for seed in range(30)]
    results = [fit(each, weights="w") for each in drawn]
    found = np.array([each.params for each in results])
    error = found.std(axis=0, ddof=1) / np.sqrt(30)
    assert (np.abs(found.mean(axis=0) - truth) < 4.5 * error).all()
    ends = np.array([each.conf_int().to_numpy() for each in results])
    covered = (ends[:, :, 0] <= truth) & (truth <= ends[:, :, 1])
    assert covered[:, :2].mean() > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 60)
    assert results[0].nobs == len(drawn[0])
    blind = np.array([fit(each).params for each in drawn[:3]])
    assert blind[:, 0].mean() - truth[0] > 0.5

    def add_up_to_reports(rows, keep, groups):
        sums, counts = (np.bincount(groups, w[keep]) for w in (rows.weights, rows.counts))
        return rows.weights[keep] * (counts / sums)[groups]

    monkeypatch.setattr(regression, "scale_weights", add_up_to_reports)
    larger = np.array([fit(each, weights="w").params["sd(school)"] for each in drawn])
    apart = larger - found[:, 2]
    assert apart.mean() > 0.1 and apart.mean() > 4.5 * apart.std(ddof=1) / np.sqrt(30)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"weights": "larger"}, "do not differ within the groups"),
        ({"weights": "w", "clusters": "pupil"}, "within one cluster"),
        ({"weights": "w", "strata": "x"}, "within one stratum"),
        ({"weights": "w", "cov_type": "nonrobust"}, "leave cov_type out"),
    ],
)
def test_what_does_not_go_together_is_one_line(reports, options, said):
    more = reports.assign(larger=1.0 + reports["school"], pupil=np.arange(len(reports)))
    with pytest.raises(cf.QueryError, match=said):
        fit(more, **options)
