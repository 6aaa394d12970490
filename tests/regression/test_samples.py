"""Regressions with weights, strata and clusters, and under several designs, against brute force."""

from __future__ import annotations

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.linalg import sqrtm

import confide as cf

FORCED = cf.ForcedResponse("2/3", {"cheated": {"yes": "1/2", "no": "1/2"}})
QUESTIONS = [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Number("age", 16, 40, step=1)]
DESIGN = cf.Design(
    QUESTIONS,
    [cf.Group(["cheated"], FORCED), cf.Group(["drugs"], cf.RelatedQuestion("0.8"))],
)
OTHER = cf.Design(QUESTIONS, [cf.Group(["cheated"], cf.RelatedQuestion("0.9"))])


def draw_answers(n, seed, schools=20, differ=0.0):
    """People in schools of two regions; ``differ``: by how much schools do."""
    draw = np.random.default_rng(seed)
    school = draw.integers(0, schools, n)
    age, drugs = draw.integers(16, 41, n), draw.random(n) < 0.3
    eta = -1 + 0.1 * (age - 25) + drugs + differ * draw.normal(size=schools)[school]
    return pd.DataFrame(
        {
            "cheated": (draw.random(n) < 1 / (1 + np.exp(-eta))).astype(int),
            "drugs": drugs.astype(int),
            "age": age,
            "school": school,
            "region": np.where(school % 2, "north", "south"),
            "w": draw.integers(1, 5, n),
        }
    )


def disguise(design, answers, seed):
    return design.disguise(answers, seed=seed, keep=["school", "region", "w"])


@pytest.fixture(scope="module")
def reports():
    return disguise(DESIGN, draw_answers(800, 1), 2)


def fit(reports, formula="cheated ~ age + drugs", **options):
    return cf.DisguisedRegression(DESIGN, formula).fit(reports, **options)


def test_weights_that_are_whole_numbers_are_rows_repeated(reports):
    repeated = reports.loc[np.repeat(reports.index, reports["w"])]
    expected, found = fit(repeated), fit(reports, weights="w")
    np.testing.assert_allclose(found.params, expected.params, atol=1e-7)
    assert found.nobs == 800
    assert (found.bse > expected.bse).all()  # the repeated are no new people
    np.testing.assert_allclose(
        found.marginal_effects().iloc[:, 0], expected.marginal_effects().iloc[:, 0], atol=1e-7
    )


def test_every_holder_of_reports_gives_the_same_weights(reports, tmp_path):
    reports.to_csv(tmp_path / "reports.csv", index=False)
    table = pa.Table.from_pandas(reports)
    held = duckdb.connect()
    held.register("held", table)
    expected = fit(reports, "cheated ~ age", weights="w", strata="region", clusters="school")
    for each in (pl.from_arrow(table), table, held.table("held"), tmp_path / "reports.csv"):
        found = fit(each, "cheated ~ age", weights="w", strata="region", clusters="school")
        np.testing.assert_allclose(found.params, expected.params, rtol=1e-9)
        np.testing.assert_allclose(found.bse, expected.bse, rtol=1e-9)


@pytest.mark.parametrize("strata", [None, "region"])
@pytest.mark.parametrize("clusters", [None, "school"])
def test_standard_errors_are_linearised_as_the_sample_was_drawn(reports, strata, clusters):
    result = fit(reports, "cheated ~ age", weights="w", strata=strata, clusters=clusters)
    x = np.stack([np.ones(len(reports)), reports["age"]], axis=1)
    said, w = reports["cheated"].to_numpy(), reports["w"].to_numpy()

    def score(beta):
        p = 1 / (1 + np.exp(-x @ beta))
        yes = p * 2 / 3 + 1 / 6
        slope = 2 / 3 * p * (1 - p) * np.where(said == 1, 1 / yes, -1 / (1 - yes))
        return slope[:, None] * x * w[:, None]

    beta = result.params.to_numpy()
    assert np.abs(score(beta).sum(axis=0)).max() < 1e-5
    places = [
        reports["region"] if strata else pd.Series(0, reports.index),
        reports["school"] if clusters else pd.Series(np.arange(800), reports.index),
    ]
    units = pd.DataFrame(score(beta)).groupby(places).sum()
    p = 1 / (1 + np.exp(-x @ beta))
    yes = p * 2 / 3 + 1 / 6
    bend = w * (2 / 3 * p * (1 - p)) ** 2 / (yes * (1 - yes))  # what a report tells, on average
    products = pd.DataFrame((bend[:, None, None] * x[:, :, None] * x[:, None]).reshape(-1, 4))
    whole = np.linalg.inv(products.sum().to_numpy().reshape(2, 2))
    told = products.groupby(places).sum()
    covariance = np.zeros((2, 2))
    for stratum, part in units.groupby(level=0):
        more = len(part) / (len(part) - 1)
        apart = part.to_numpy() - part.to_numpy().mean(axis=0)
        own = told.loc[stratum].to_numpy().reshape(-1, 2, 2)
        for unit, part_of_all in zip(apart, own - own.mean(axis=0), strict=True):
            # the pull of a cluster on the fit is taken out, that of one person is nothing
            left = np.eye(2) - more * part_of_all @ whole if clusters else np.eye(2)
            move = whole @ np.linalg.solve(sqrtm(left), unit)
            covariance += more * np.outer(move, move)
    np.testing.assert_allclose(result.cov_params(), covariance, rtol=1e-4)
    assert result.cov_type == "linearised" and "linearised" in str(result.summary())
    assert result.freedom == len(units) - (2 if strata else 1)


@pytest.mark.slow
@pytest.mark.statistical
def test_the_intervals_of_a_clustered_sample_cover():
    """60 surveys of 12 schools: .95 has a standard error of .028; the twin takes all as alike."""
    logs = {"design": [], "alike": []}
    for seed in range(60):
        answers = draw_answers(600, seed, schools=12, differ=0.6)
        found = disguise(OTHER, answers, seed + 1)
        model = cf.DisguisedRegression(OTHER, "cheated ~ 1")
        truth = _mean_share(0.6)
        for name, options in (
            ("design", {"strata": "region", "clusters": "school"}),
            ("alike", {}),
        ):
            low, high = model.fit(found, **options).conf_int().to_numpy()[0]
            logs[name].append(low <= truth <= high)
    assert np.mean(logs["design"]) == pytest.approx(0.95, abs=0.085)
    assert np.mean(logs["alike"]) < 0.8


def _mean_share(differ):
    """The log odds of the share of all people, over all schools that could be drawn."""
    nodes, chances = np.polynomial.hermite_e.hermegauss(40)
    ages = np.arange(16, 41)
    clean = -1 + 0.1 * (ages[:, None] - 25) + differ * nodes
    yes = 0.7 / (1 + np.exp(-clean)) + 0.3 / (1 + np.exp(-clean - 1))
    share = (yes @ (chances / chances.sum())).mean()
    return np.log(share / (1 - share))


def test_reports_under_two_designs_share_one_likelihood(reports):
    """In one design a predictor is disguised, in the other it is not."""
    other = disguise(OTHER, draw_answers(700, 5), 6)
    whole = fit(reports, pool=[(OTHER, pa.table(dict(other)))])
    assert whole.nobs == 1_500
    alone = fit(reports)
    point = alone.params.to_numpy() * 0.9
    # under OTHER drugs are known, so its part is the joint probability of outcome and predictor
    eta = point[0] + point[1] * other["age"] + point[2] * other["drugs"]
    yes = 0.1 + 0.8 / (1 + np.exp(-eta))
    odds = point[3] + point[4] * other["age"]
    drugs = np.where(other["drugs"] == 1, odds, 0) - np.log1p(np.exp(odds))
    added = (np.log(np.where(other["cheated"] == 1, yes, 1 - yes)) + drugs).sum()
    expected = alone.log_likelihood(point) + added
    assert whole.log_likelihood(point) == pytest.approx(expected, abs=1e-6)
    assert (whole.bse < alone.bse).all()


@pytest.mark.parametrize("draws", [1, 3])
def test_designs_that_report_cards_are_pooled(draws):
    """The likelihoods of both multiply; of three draws half of the reports counted as empty."""
    answers = draw_answers(600, 5)
    designs = [
        cf.Design(QUESTIONS, [cf.Group(["cheated"], cf.Kuk(yes, no, draws))])
        for yes, no in (("0.8", "0.2"), ("0.3", "0.9"))
    ]
    if draws == 1:
        designs[1] = OTHER
    parts = [(each, disguise(each, answers, i)) for i, each in enumerate(designs)]
    model = cf.DisguisedRegression(designs[0], "cheated ~ age")
    whole = model.fit(parts[0][1], pool=parts[1:])
    assert whole.nobs == 1200
    apart = [cf.DisguisedRegression(d, "cheated ~ age").fit(r) for d, r in parts]
    at = whole.params
    told = sum(each.log_likelihood(at) for each in apart)
    assert whole.llf == pytest.approx(told, rel=1e-9)


def test_designs_whose_reports_differ_in_number_are_refused():
    cards = cf.Design(QUESTIONS, [cf.Group(["cheated"], cf.Kuk("0.8", "0.2", 3))])
    drawn = disguise(cards, draw_answers(50, 5), 1)
    with pytest.raises(cf.ConfideError, match="have 2 under one design and 4 under another"):
        fit(disguise(DESIGN, draw_answers(50, 6), 2), "cheated ~ age", pool=[(cards, drawn)])


def test_a_pool_of_one_design_in_two_parts_is_the_whole(reports):
    parts = fit(reports.iloc[:300], pool=[(DESIGN, reports.iloc[300:])])
    whole = fit(reports)
    np.testing.assert_allclose(parts.params, whole.params, atol=1e-8)
    np.testing.assert_allclose(parts.bse, whole.bse, rtol=1e-7)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"weights": "nothing"}, "no column 'nothing'"),
        ({"weights": "negative"}, "it does not in 800 of 800"),
        ({"weights": "w", "cov_type": "opg"}, "leave cov_type out"),
        ({"cov_type": "linearised"}, "needs weights=, strata= or population="),
        ({"weights": "w", "clusters": "one"}, "at least two"),
        ({"pool": ["reports"]}, "pairs of a design and its reports"),
    ],
)
def test_a_mistake_is_one_line(reports, options, said):
    with pytest.raises(cf.ConfideError, match=said):
        fit(reports.assign(negative=-1.0, one=1), **options)


@pytest.mark.parametrize("options", [{"weights": "w"}, {"cov_type": "robust"}])
def test_thirty_weighted_reports_with_truth_near_half_have_no_estimate_and_say_so(options):
    """All reports are as if nobody had: a sandwich of vanishing scores would look exact."""
    faint = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], cf.RelatedQuestion("0.52"))])
    few = pd.DataFrame({"cheated": np.repeat([0, 1], [20, 10]), "w": np.linspace(0.2, 5, 30)[::-1]})
    result = cf.DisguisedRegression(faint, "cheated ~ 1").fit(few, **options)
    assert any("no finite estimate" in note for note in result.notes)


@pytest.mark.slow
def test_four_hundred_thousand_weighted_reports_and_sixty_questions():
    draw, n = np.random.default_rng(1), 400_000
    age = draw.integers(16, 41, n)
    cheated = draw.random(n) < 1 / (1 + np.exp(1 - 0.1 * (age - 25)))
    answers = {"cheated": cheated, "drugs": cheated, "age": age}
    sample = {"w": draw.uniform(0.5, 2, n), "school": draw.integers(0, 100, n)}
    many = OTHER.disguise(pa.table({**answers, **sample}), seed=1, keep=["w", "school"])
    result = cf.DisguisedRegression(OTHER, "cheated ~ I(age - 25)").fit(
        many, weights="w", clusters="school"
    )
    assert (np.abs(result.params - [-1, 0.1]) < 4 * result.bse).all()
    names = [f"q{i}" for i in range(60)]
    groups = [cf.Group([name], cf.RelatedQuestion("0.8")) for name in names[:30]]
    long = cf.Design([cf.YesNo(name) for name in names], groups)
    found = pd.DataFrame(long.disguise(draw.integers(0, 2, (3_000, 60)), seed=1), columns=names)
    clear = cf.DisguisedRegression(long, "q0 ~ " + " + ".join(names[30:])).fit(found)
    assert clear.converged and len(clear.params) == 31
    with pytest.raises(cf.QueryError, match="Name fewer of them"):
        cf.DisguisedRegression(long, "q0 ~ " + " + ".join(names[1:])).fit(found)


def test_other_questions_and_weighted_counts_are_refused(reports):
    ages = cf.Design([cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Choice("age", ["young", "old"])])
    strange = pd.DataFrame({"cheated": [1, 0], "drugs": [1, 0], "age": ["young", "old"]})
    with pytest.raises(cf.QueryError, match="'age' is not the same question"):
        fit(reports, pool=[(ages, strange)])
    with pytest.raises(cf.ReportsError, match="no weights from counts"):
        fit(cf.Counts.of(DESIGN, reports, weights="w"))
