"""Errors and intervals by few clusters, against formulas over all people, and in simulations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t as student

import confide as cf

PLAIN = [cf.YesNo("y")]
DISGUISED = cf.Design(PLAIN, [cf.Group(["y"], cf.RelatedQuestion("0.85"))])
NUMBER = cf.Design([cf.Number("y", -100, 100)])


def draw(clusters, seed, sizes=None, differ=0.6):
    """People of clusters: z is the same for a cluster, x is not, and y does not depend on z."""
    chance = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(clusters), 30 if sizes is None else sizes)
    n = len(cluster)
    x = chance.integers(0, 3, n)
    eta = -0.3 + 0.5 * x + differ * chance.normal(size=clusters)[cluster]
    return pd.DataFrame(
        {
            "y": (chance.random(n) < 1 / (1 + np.exp(-eta))).astype(int),
            "number": (eta + chance.normal(size=n)).round(3),
            "x": x,
            "z": chance.normal(size=clusters).round(2)[cluster],
            "cluster": cluster,
        }
    )


def compare_people(matrix, residual, weight, cluster):
    """CR2 and its degrees of freedom by matrices of all people (Bell and McCaffrey 2002).

    A person's residual has the variance 1/weight, if the model is right.
    """
    rooted = matrix * np.sqrt(weight)[:, None]
    bread = np.linalg.inv(rooted.T @ rooted)
    rest = np.eye(len(matrix)) - rooted @ bread @ rooted.T
    moves, shifts = [], []
    for each in np.unique(cluster):
        inside = cluster == each
        values, vectors = np.linalg.eigh(rest[np.ix_(inside, inside)])
        powers = np.where(values > 1e-6, np.maximum(values, 1e-6) ** -0.5, 0.0)
        row = bread @ rooted[inside].T @ (vectors * powers) @ vectors.T
        moves.append(row @ (residual * np.sqrt(weight))[inside])
        shifts.append(row @ rest[inside])
    covariance = np.stack(moves).T @ np.stack(moves)
    spread = np.einsum("gin,hin->igh", np.stack(shifts), np.stack(shifts))
    freedom = [np.trace(each) ** 2 / (each**2).sum() for each in spread]
    return covariance, np.array(freedom)


@pytest.mark.parametrize("sizes", [None, [5, 8, 15, 30, 60, 90]])
def test_a_linear_regression_in_the_clear_has_the_errors_of_the_textbook(sizes):
    people = draw(6, 1, sizes)
    people["y"] = people["number"]
    result = cf.DisguisedRegression(NUMBER, "y ~ z + x", "linear").fit(people, clusters="cluster")
    matrix = np.c_[np.ones(len(people)), people["z"], people["x"]]
    residual = people["y"].to_numpy() - matrix @ result.params[:3].to_numpy()
    ones = np.ones(len(people))
    covariance, freedom = compare_people(matrix, residual, ones, people["cluster"].to_numpy())
    np.testing.assert_allclose(result.cov_params().iloc[:3, :3], covariance, rtol=1e-6)
    np.testing.assert_allclose(result.freedoms[:3], np.minimum(freedom, 5), rtol=1e-6)
    low, high = result.conf_int().loc["z"]
    assert (high - low) / 2 == pytest.approx(student.ppf(0.975, freedom[1]) * result.bse["z"])


@pytest.mark.parametrize("formula", ["y ~ z + x", "y ~ x + C(cluster)"])
def test_a_logit_in_the_clear_has_them_with_its_own_weights(formula):
    """With a coefficient for every cluster only x is told by several of them."""
    people = draw(6, 2)
    result = cf.DisguisedRegression(cf.Design(PLAIN), formula).fit(people, clusters="cluster")
    columns = {"y ~ z + x": ["z", "x"], "y ~ x + C(cluster)": ["x"]}[formula]
    matrix = np.c_[np.ones(len(people)), people[columns]]
    if "C(" in formula:
        matrix = np.c_[matrix, people["cluster"].to_numpy()[:, None] == np.arange(1, 6)]
    chance = 1 / (1 + np.exp(-matrix @ result.params[[*result.names]].to_numpy()))
    weight = chance * (1 - chance)
    residual = (people["y"].to_numpy() - chance) / weight
    covariance, freedom = compare_people(matrix, residual, weight, people["cluster"].to_numpy())
    place = result.names.index("x")
    assert result.bse["x"] ** 2 == pytest.approx(covariance[place, place], rel=1e-6)
    assert result.freedoms[place] == pytest.approx(min(freedom[place], 5), rel=1e-6)


def test_what_one_cluster_alone_tells_has_no_error_by_clusters():
    people = draw(6, 3).assign(only=lambda frame: (frame["cluster"] == 2).astype(int))
    result = cf.DisguisedRegression(DISGUISED, "y ~ x + only").fit(people, clusters="cluster")
    assert np.isnan(result.bse["only"]) and np.isfinite(result.bse[["Intercept", "x"]]).all()
    (note,) = (each for each in result.notes if "without one cluster" in each)
    assert note.startswith("only: ")
    assert "without one cluster" in str(result.summary())


def test_a_coefficient_that_few_clusters_tell_is_said_to_be_wide():
    people = draw(8, 4).assign(two=lambda frame: (frame["cluster"] < 2).astype(int))
    result = cf.DisguisedRegression(DISGUISED, "y ~ x + two").fit(people, clusters="cluster")
    assert 1 < result.freedoms[result.names.index("two")] < 3
    (note,) = result.notes
    assert note.startswith("two: few clusters")


def test_clusters_alike_count_in_full_however_little_a_report_tells():
    """What the reports of a cluster happen to tell is noise at θ = .6; there were 1 to 20."""
    hardly = cf.Design(PLAIN, [cf.Group(["y"], cf.RelatedQuestion("0.6"))])
    for seed in range(3):
        people = draw(40, seed, differ=0.0)
        reports = hardly.disguise(people, seed=seed, keep=["x", "cluster"])
        result = cf.DisguisedRegression(hardly, "y ~ x").fit(reports, clusters="cluster")
        assert (result.freedoms > 30).all()


def test_a_disguised_predictor_has_the_degrees_of_freedom_of_its_clusters():
    disguised = cf.Design(
        [cf.Number("y", -100, 100), cf.YesNo("x")], [cf.Group(["x"], cf.RelatedQuestion("0.7"))]
    )
    people = draw(30, 1).assign(x=lambda frame: frame["x"] > 0, y=lambda frame: frame["number"])
    reports = disguised.disguise(people, seed=2, keep=["cluster"])
    model = cf.DisguisedRegression(disguised, "y ~ x", "linear")
    assert model.fit(reports, clusters="cluster").freedoms[1] > 20


def test_many_clusters_have_the_plain_sandwich_but_for_little():
    people = draw(150, 5)
    found = cf.DisguisedRegression(DISGUISED, "y ~ z + x").fit(people, clusters="cluster")
    np.testing.assert_allclose(found.bse, plain_errors(found), rtol=0.02)


def plain_errors(result):
    """The errors of the plain sandwich, times G/(G − 1)."""
    peak = result.objective.evaluate(result.peak.params)
    cluster = result.drawn.clusters
    sums = np.zeros((cluster.max() + 1, len(result.names)))
    np.add.at(sums, cluster, peak.scores * peak.counts[:, None])
    bread = np.linalg.inv(-peak.hessian)
    many = len(sums)
    return np.sqrt(np.diag(bread @ sums.T @ sums @ bread) * many / (many - 1))


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("sizes", "seed"), [([30] * 5, 1), ([8, 16, 24, 40, 112], 2), ([30] * 8, 3)]
)
def test_the_interval_of_a_predictor_of_clusters_covers_and_the_plain_sandwich_does_not(
    sizes, seed
):
    """400 surveys: .95 has a standard error of .011, and 92 to 99.5 % pass; the twin has 83 %."""
    chance = np.random.default_rng(seed)
    held, plain = [], []
    for _ in range(400):
        people = draw(len(sizes), chance, sizes)
        reports = DISGUISED.disguise(people, seed=chance, keep=["x", "z", "cluster"])
        model = cf.DisguisedRegression(DISGUISED, "y ~ z + x")
        result = model.fit(reports, clusters="cluster")
        if np.isnan(result.bse["z"]):
            continue
        low, high = result.conf_int().loc["z"]
        held.append(low <= 0 <= high)
        reach = student.ppf(0.975, len(sizes) - 1) * plain_errors(result)[1]
        plain.append(abs(result.params["z"]) <= reach)
    assert len(held) >= 380
    assert 0.92 <= np.mean(held) <= 0.995
    assert np.mean(plain) < 0.9
