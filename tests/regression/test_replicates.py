"""Standard errors of coefficients by the jackknife and the bootstrap, against refitting."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("y"), cf.Choice("x", [0, 1, 2])], [cf.Group(["y"], cf.RelatedQuestion("0.9"))]
)


@pytest.fixture(scope="module")
def reports():
    """Pupils of 24 schools in two regions; those of a school are alike."""
    draw, school = np.random.default_rng(4), np.arange(1_200) % 24
    x = draw.integers(0, 3, 1_200)
    eta = -0.5 + 0.5 * x + draw.normal(size=24)[school]
    people = pd.DataFrame(
        {
            "y": (draw.random(1_200) < 1 / (1 + np.exp(-eta))).astype(int),
            "x": x,
            "w": draw.uniform(1, 3, 1_200),
            "school": school,
            "region": np.where(school < 9, "north", "south"),
        }
    )
    return DESIGN.disguise(people, seed=5, keep=["w", "school", "region"])


def fit(reports, **options):
    return cf.DisguisedRegression(DESIGN, "y ~ x").fit(reports, **options)


@pytest.mark.slow
@pytest.mark.parametrize("strata", [None, "region"])
def test_the_jackknife_is_what_fits_without_each_cluster_say(reports, strata):
    result = fit(reports, weights="w", clusters="school", strata=strata)
    total = np.zeros((2, 2))
    for school in range(24):
        inside = reports["school"] == school
        own = reports.loc[inside, "region"].iloc[0]
        beside = reports["region"] == own if strata else np.ones(1_200, bool)
        m = reports.loc[beside, "school"].nunique()
        other = reports.assign(w=np.where(beside, m / (m - 1), 1) * reports["w"])[~inside]
        apart = (fit(other, weights="w").params - result.params).to_numpy()
        total += (m - 1) / m * np.outer(apart, apart)
    found = result.replicate()
    np.testing.assert_allclose(found.cov_params(), total, rtol=1e-6)
    assert found.cov_type == "jackknife" and found.freedom == (22 if strata else 23)
    assert "jackknife" in str(found.summary())
    assert found.notes == result.notes


@pytest.mark.slow
def test_the_jackknife_of_people_is_what_fits_without_each_person_say(reports):
    few = reports.iloc[:60]
    result = fit(few)
    left = np.array([fit(few.drop(index)).params for index in few.index])
    apart = left - result.params.to_numpy()
    np.testing.assert_allclose(
        result.replicate().cov_params(), 59 / 60 * apart.T @ apart, rtol=1e-6
    )
    assert not result.replicate().notes


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("by", ["jackknife", "bootstrap"])
def test_replicates_agree_with_linearisation(reports, by):
    """An error of 400 replicates has one of 4 % itself. The twin draws pupils, not schools."""
    plan = {"weights": "w", "clusters": "school", "strata": "region"}
    result = fit(reports, **plan)
    found = result.replicate(by, 400, seed=1)
    np.testing.assert_allclose(found.bse, result.bse, rtol=0.2)
    pupils = fit(reports, weights="w").replicate("bootstrap", 100, seed=1)
    assert pupils.bse["Intercept"] < 0.75 * found.bse["Intercept"]


def test_the_same_seed_gives_the_same_errors(reports):
    result = fit(reports, weights="w", clusters="school")
    one, same, other = (result.replicate("bootstrap", 10, seed=seed).bse for seed in (1, 1, 2))
    assert (one == same).all() and (one != other).all()


@pytest.mark.parametrize(
    ("options", "by", "said"),
    [
        ({"random_intercept": "school"}, "jackknife", "clusters= in its place"),
        ({}, "brr", 'must be "jackknife" or "bootstrap"'),
        ({"clusters": "region", "strata": "region"}, "jackknife", "cannot be drawn again"),
    ],
)
def test_what_cannot_be_replicated_is_one_line(reports, options, by, said):
    result = fit(reports, **options)
    with pytest.raises(cf.QueryError, match=said):
        result.replicate(by)
