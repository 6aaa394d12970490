"""Regressions on samples from a finite population: what was asked is known, the disguise stays."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf

RELATED = cf.RelatedQuestion("0.9")
QUESTIONS = [cf.YesNo("y"), cf.YesNo("d"), cf.Choice("x", [0, 1, 2])]
CLEAR = cf.Design(QUESTIONS)
OUTCOME = cf.Design(QUESTIONS, [cf.Group(["y"], RELATED)])
TOGETHER = cf.Design(QUESTIONS, [cf.Group(["y", "d"], RELATED)])
APART = cf.Design(QUESTIONS, [cf.Group(["y"], RELATED), cf.Group(["d"], RELATED)])


def draw_people(n, seed):
    draw = np.random.default_rng(seed)
    x, d = draw.integers(0, 3, n), draw.random(n) < 0.4
    y = draw.random(n) < 1 / (1 + np.exp(1 - 0.6 * x - d))
    number = 2 + 0.5 * x - 1.5 * d + draw.normal(size=n)
    return pd.DataFrame(
        {"y": y.astype(int), "d": d.astype(int), "x": x, "number": number}
        | {"region": np.where(draw.random(n) < 0.4, "north", "south"), "w": draw.uniform(1, 4, n)}
    )


def disguise(design, people, seed):
    return design.disguise(people, seed=seed, keep=["number", "region", "w"])


def fit(design, reports, formula="y ~ x", family="logit", **options):
    return cf.DisguisedRegression(design, formula, family).fit(reports, **options)


def test_the_part_of_each_stratum_that_stems_from_who_was_asked_is_less():
    """By rows: of a forced yes or no both variances are written out by hand."""
    design = cf.Design(
        QUESTIONS, [cf.Group(["y"], cf.ForcedResponse("4/5", {"y": {"yes": "1/4", "no": "3/4"}}))]
    )
    reports = disguise(design, draw_people(900, 1), 2)
    asked = reports["region"].value_counts()
    sizes = {"north": asked["north"] / 0.8, "south": asked["south"] / 0.3}
    result = fit(design, reports, weights="w", strata="region", population=sizes)
    matrix = np.stack([np.ones(900), reports["x"]], axis=1)
    p = 1 / (1 + np.exp(-matrix @ result.params.to_numpy()))
    yes, said = 0.05 + 0.8 * p, reports["y"].to_numpy()
    slope = 0.8 * p * (1 - p)
    either = np.stack([-slope / (1 - yes), slope / yes])  # the score of a no, of a yes
    truth = np.where(said == 1, 0.85 * p / yes, 0.15 * p / (1 - yes))  # P(true yes | report)
    coin = truth * 0.85 * 0.15 + (1 - truth) * 0.05 * 0.95
    by_coin = coin * (either[1] - either[0]) ** 2
    w = (reports["w"] / reports["w"].sum() * 900).to_numpy()
    scores = (w * either[said, np.arange(900)])[:, None] * matrix
    meat = np.zeros((2, 2))
    for name, part in (("north", 0.8), ("south", 0.3)):
        here = (reports["region"] == name).to_numpy()
        apart = scores[here] - scores[here].mean(axis=0)
        meat += (1 - part) * here.sum() / (here.sum() - 1) * apart.T @ apart
        kept = matrix[here] * (w[here] ** 2 * by_coin[here] * part)[:, None]
        meat += kept.T @ matrix[here]
    information = (matrix * (w * slope**2 / (yes * (1 - yes)))[:, None]).T @ matrix
    bread = np.linalg.inv(information)
    np.testing.assert_allclose(result.cov_params(), bread @ meat @ bread, rtol=1e-6)
    assert result.cov_type == "linearised" and result.freedom == 898


def test_of_answers_in_the_clear_nothing_is_left_open_if_everybody_was_asked():
    people = draw_people(500, 3)
    some, known, all_asked = (
        fit(CLEAR, people, "y ~ x + d", population=n).bse for n in (1e12, 1_000, 500)
    )
    np.testing.assert_allclose(known, np.sqrt(0.5) * some, rtol=1e-6)
    assert (all_asked == 0).all()
    by_stratum = fit(CLEAR, people, strata="region", population={"north": 1e12, "south": 1e12})
    endless = fit(CLEAR, people, strata="region")
    np.testing.assert_allclose(by_stratum.bse, endless.bse, rtol=1e-6)


def test_a_share_alone_is_as_sure_as_a_crowd_says():
    reports = disguise(OUTCOME, draw_people(900, 4), 5)
    share = cf.Crowd(OUTCOME, reports, population=1_200).proportion({"y": "yes"})
    result = fit(OUTCOME, reports, "y ~ 1", population=1_200)
    p = share.value
    assert result.params.iloc[0] == pytest.approx(np.log(p / (1 - p)))
    assert result.bse.iloc[0] == pytest.approx(share.standard_error / (p * (1 - p)), rel=1e-3)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("design", "formula", "family"),
    [
        (TOGETHER, "y ~ x + d", "logit"),
        (APART, "y ~ d", "probit"),
        (APART, "number ~ x + d", "linear"),
    ],
    ids=["one coin", "two coins", "a number"],
)
def test_if_everybody_was_asked_disguising_again_moves_what_is_left(design, formula, family):
    """60 disguises of the same 700 people: a deviation has a relative error of 9 %.

    The twin allows for other people, too, and is far too large.
    """
    people = draw_people(700, 6)
    drawn = [disguise(design, people, seed) for seed in range(60)]
    results = [fit(design, each, formula, family, population=700) for each in drawn]
    spread = np.std([each.params for each in results], axis=0, ddof=1)
    said = np.sqrt(np.mean([each.bse**2 for each in results], axis=0))
    np.testing.assert_allclose(said, spread, rtol=0.36)
    assert (results[0].bse < 0.8 * fit(design, drawn[0], formula, family).bse).all()


@pytest.mark.slow
@pytest.mark.statistical
def test_the_intervals_of_a_sample_from_a_finite_population_cover_its_coefficients():
    """120 samples of 600 of 800 people: a coverage of .95 has a standard error of .02.

    The twins: allowing for people beyond these 800 is too much, and taking what the disguise does
    for known, too, is too little.
    """
    people = draw_people(800, 7)
    share = people.groupby("d")["y"].mean()
    odds = np.log(share / (1 - share))
    truth = np.array([odds[0], odds[1] - odds[0]])
    drawing = np.random.default_rng(8)
    found, errors = [], []
    for seed in range(120):
        sample = people.iloc[drawing.permutation(800)[:600]]
        reports = disguise(OUTCOME, sample, seed)
        result = fit(OUTCOME, reports, "y ~ d", population=800)
        found.append(result.params.to_numpy())
        errors.append(result.bse.to_numpy())
    apart = np.abs(np.array(found) - truth)
    assert np.mean(apart <= 1.96 * np.array(errors)) == pytest.approx(0.95, abs=0.05)
    endless = fit(OUTCOME, reports, "y ~ d").bse.to_numpy()
    assert (endless > 1.15 * np.std(found, axis=0)).all()
    assert np.mean(apart <= 1.96 * np.sqrt(1 - 600 / 800) * endless) < 0.88


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"population": 10}, "at least the number of reports"),
        ({"population": {"north": 1e6}}, "needs strata="),
        ({"population": {"north": 1e6}, "strata": "region"}, "in each stratum of 'region', 2"),
        ({"population": 1e6, "random_intercept": "region"}, "does not go with random_intercept"),
        ({"population": 1e6, "cov_type": "opg"}, "leave cov_type out"),
        ({"strata": "y"}, "'y' is disguised"),
    ],
)
def test_a_population_that_cannot_be_is_one_line(options, said):
    reports = disguise(OUTCOME, draw_people(100, 1), 2)
    with pytest.raises(cf.ConfideError, match=said):
        fit(OUTCOME, reports, **options)


def test_a_number_with_noise_is_no_outcome_of_a_finite_population():
    noisy = cf.Design(
        [cf.Number("income", 0, 9, step=1)], [cf.Group(["income"], cf.UniformNoise(2))]
    )
    reports = noisy.disguise(pd.DataFrame({"income": np.arange(100) % 9}), seed=1)
    with pytest.raises(cf.QueryError, match="a number with noise"):
        fit(noisy, reports, "income ~ 1", "linear", population=1_000)
