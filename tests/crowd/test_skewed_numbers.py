"""Numbers in the clear of which most lie near one end, against sums over the numbers themselves.

Counts hold a number by a hundred even intervals. Incomes of some hundreds in a range to 200,000 all
lie in the first one, whose middle is 1,000.
"""

import pickle

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import binom

import confide as cf
from confide.design.finer_number import FINELY

TOP = 200_000
GROUPS = [cf.Group(["poor"], cf.RelatedQuestion("3/4"))]
DESIGN = cf.Design([cf.YesNo("poor"), cf.Number("income", 0, TOP)], GROUPS)
NEAR = TOP / 50_000


def draw(n, seed, whole=False):
    chance = np.random.default_rng(seed)
    income = np.minimum(np.exp(chance.normal(6.1, 1.2, n)), TOP)
    poor = chance.random(n) < np.clip(1.2 - income / 1000, 0.05, 0.9)
    people = pd.DataFrame({"poor": poor.astype(int), "income": income})
    return people.round() if whole else people


def weigh(reports):
    """The weight of each report in the people who are poor: (r − (1 − θ)) / (2θ − 1)."""
    return (reports["poor"].to_numpy().astype(float) - 0.25) / 0.5


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("n", [30, 400, 20_000])
def test_means_and_deviations_are_those_of_the_numbers(n, whole):
    reports = DESIGN.disguise(draw(n, 1, whole), seed=2)
    income, weights = reports["income"].to_numpy(), weigh(reports)
    crowd = cf.Crowd(DESIGN, reports)
    found = crowd.mean("income")
    assert found.value == pytest.approx(income.mean(), abs=NEAR)
    assert found.standard_error == pytest.approx(income.std() / n**0.5, rel=0.05)
    poor = crowd.mean("income", given={"poor": "yes"})
    mean = (weights @ income) / weights.sum()
    assert abs(poor.value - mean) < 0.2 * poor.standard_error
    error = np.std(weights * (income - mean)) / n**0.5 / weights.mean()
    assert poor.standard_error == pytest.approx(error, rel=0.05)
    variance = crowd.distribution("income").variance
    assert variance.value == pytest.approx(income.var(), rel=0.01)
    held = cf.Crowd(DESIGN, cf.Counts.of(DESIGN, reports))  # which hold intervals only
    assert abs(held.mean("income").value - income.mean()) > 5 * found.standard_error or n == 30


@pytest.mark.parametrize("given", [{}, {"poor": "yes"}])
@pytest.mark.parametrize("whole", [False, True])
def test_quantiles_are_those_of_the_numbers(given, whole):
    reports = DESIGN.disguise(draw(4_000, 3, whole), seed=4)
    income = reports["income"].to_numpy()
    order = np.argsort(income)
    weights = weigh(reports)[order] if given else np.ones(len(order))
    below = np.maximum.accumulate(np.cumsum(weights) / weights.sum())
    crowd = cf.Crowd(DESIGN, reports)
    crowd = crowd.given(given) if given else crowd
    levels = [0.1, 0.25, 0.5, 0.75, 0.9]
    for level, found in zip(levels, crowd.distribution("income").quantile(levels), strict=True):
        exact = income[order][np.searchsorted(below, level)]
        assert abs(found.value - exact) < 0.5 * found.standard_error
        low, high = found.interval()
        assert low < exact < high


@pytest.mark.parametrize(
    "values",
    [
        np.full(50, 5.0),
        np.r_[np.zeros(70), np.full(30, TOP)],
        np.r_[np.zeros(70), np.random.default_rng(22).uniform(TOP / 50, TOP, 30)],
        np.random.default_rng(23).integers(16, 80, 999).astype(float),
        np.random.default_rng(24).integers(0, 200, 999) * 1000.0,
    ],
    ids=["all alike", "none or most", "mostly none", "whole and small", "thousands"],
)
def test_numbers_that_many_people_gave_are_found(values):
    """Within half of a hundred-thousandth of the range, by which numbers are rounded."""
    design = cf.Design([cf.Number("income", 0, TOP)])
    crowd = cf.Crowd(design, values)
    distribution = crowd.distribution("income")
    estimates = [crowd.mean("income"), *distribution.quantile([0.25, 0.5, 0.65])]
    exact = [values.mean(), *np.quantile(values, [0.25, 0.5, 0.65], method="inverted_cdf")]
    for estimate, number in zip(estimates, exact, strict=True):
        assert abs(estimate.value - number) <= TOP / FINELY / 2 + 1e-9
        low, high = estimate.interval()
        assert low <= number + 1e-9 and number - 1e-9 <= high


def test_correlations_are_those_of_the_numbers():
    chance = np.random.default_rng(5)
    people = draw(4_000, 5).assign(
        wealth=lambda p: np.minimum(p["income"] * np.exp(chance.normal(0, 1, 4_000)), TOP)
    )
    design = cf.Design([*DESIGN.questions, cf.Number("wealth", 0, TOP)], GROUPS)
    crowd = cf.Crowd(design, design.disguise(people, seed=6))
    exact = people["income"].corr(people["wealth"])
    assert crowd.correlation("income", "wealth").value == pytest.approx(exact, abs=0.005)
    itself = crowd.correlation("income", "income")
    assert itself.value == pytest.approx(1, abs=1e-3)


MANY = draw(1_000_000, 7)
TRUTHS = {
    "mean": MANY["income"].mean(),
    "median": MANY["income"].median(),
    "mean of the poor": MANY["income"][MANY["poor"] == 1].mean(),
    "median of the poor": MANY["income"][MANY["poor"] == 1].median(),
}


def count_covered(surveys, read):
    """How many surveys of 2,000 people have intervals that hold the truth."""
    covered = dict.fromkeys(TRUTHS, 0)
    for seed in range(surveys):
        asked = np.random.default_rng(seed).integers(0, len(MANY), 2_000)
        reports = DESIGN.disguise(MANY.iloc[asked], seed=seed)
        crowd = cf.Crowd(DESIGN, read(reports))
        poor = crowd.given({"poor": "yes"})
        found = {
            "mean": crowd.mean("income"),
            "median": crowd.distribution("income").quantile(0.5),
            "mean of the poor": poor.mean("income"),
            "median of the poor": poor.distribution("income").quantile(0.5),
        }
        for name, estimate in found.items():
            low, high = estimate.interval()
            covered[name] += low <= TRUTHS[name] <= high
    return covered


@pytest.mark.slow
@pytest.mark.statistical
def test_intervals_cover():
    """Right intervals fail in one run of a hundred."""
    # an interval of a mean of such incomes may hold some three points less often than it says
    least, most = binom.ppf([0.0005, 0.9995], 200, [0.92, 0.95])
    found = count_covered(200, lambda reports: reports)
    assert {name: hits for name, hits in found.items() if not least <= hits <= most} == {}


@pytest.mark.slow
@pytest.mark.statistical
def test_intervals_of_counts_hold_wherever_in_theirs_the_numbers_lie(monkeypatch):
    counted = lambda reports: cf.Counts.of(DESIGN, reports)  # noqa: E731
    assert min(count_covered(60, counted).values()) >= 57
    monkeypatch.setattr("confide.crowd._means.find_blur", lambda *_: 0)
    monkeypatch.setattr(
        "confide.crowd._number_scale.NumberScale.find_ends",
        lambda scale, first, last: (scale.find_number(first), scale.find_number(last)),
    )
    assert max(count_covered(60, counted).values()) <= 6  # the twin takes them at the middle


@pytest.mark.parametrize("kind", ["pandas", "polars", "arrow", "array", "duckdb", "csv", "parquet"])
def test_whatever_holds_the_reports_the_answers_are_the_same(kind, tmp_path):
    reports = DESIGN.disguise(draw(2_000, 8), seed=9).astype({"poor": int})
    reports["income"] = reports["income"].round(2)
    expected = cf.Crowd(DESIGN, reports)
    given = {"poor": "yes"}
    connection = duckdb.connect()
    if kind == "csv":
        reports.to_csv(tmp_path / "r.csv", index=False)
    if kind == "parquet":
        reports.to_parquet(tmp_path / "r.parquet")
    held = {
        "pandas": lambda: reports,
        "polars": lambda: pl.from_pandas(reports),
        "arrow": lambda: pa.Table.from_pandas(reports),
        "array": lambda: reports.to_numpy(),
        "duckdb": lambda: connection.from_df(reports),
        "csv": lambda: tmp_path / "r.csv",
        "parquet": lambda: tmp_path / "r.parquet",
    }[kind]()
    crowd = cf.Crowd(DESIGN, held)
    assert crowd.mean("income", given=given).value == pytest.approx(
        expected.mean("income", given=given).value, rel=1e-12
    )
    quantiles = [each.distribution("income").quantile(0.5).value for each in (crowd, expected)]
    assert quantiles[0] == pytest.approx(quantiles[1], rel=1e-12)


def test_weights_count_and_known_shares_may_be_raked_to():
    people = draw(3_000, 10).assign(weight=np.random.default_rng(10).uniform(0.5, 3, 3_000))
    design = cf.Design([*DESIGN.questions, cf.Choice("sex", ["f", "m"])], GROUPS)
    people["sex"] = np.where(np.random.default_rng(11).random(3_000) < 0.3, "f", "m")
    reports = design.disguise(people.drop(columns="weight"), seed=12)
    reports["weight"] = people["weight"]
    weighted = cf.Crowd(design, reports, weights="weight")
    exact = np.average(people["income"], weights=people["weight"])
    assert weighted.mean("income").value == pytest.approx(exact, abs=NEAR)
    raked = cf.Crowd(design, reports[list(design.names)]).rake({"sex": {"f": 0.5, "m": 0.5}})
    means = people.groupby("sex")["income"].mean()
    assert raked.mean("income").value == pytest.approx(means.mean(), rel=0.02)


def test_people_who_gave_no_number_are_left_out():
    """In its place stands the middle of the range, which no mean may count."""
    design = cf.Design([cf.Number("income", 0, TOP, missing="none"), cf.YesNo("none")])
    people = draw(2_000, 13)[["income"]]
    people.loc[::3, "income"] = np.nan
    crowd = cf.Crowd(design, design.disguise(people, seed=14))
    assert crowd.mean("income").value == pytest.approx(people["income"].mean(), abs=NEAR)
    median = crowd.distribution("income").quantile(0.5)
    assert abs(median.value - people["income"].median()) < median.standard_error


@pytest.mark.filterwarnings("error")
def test_a_number_that_nobody_gave_is_refused_in_one_line():
    design = cf.Design([cf.Number("income", 0, TOP, missing="none"), cf.YesNo("none")])
    people = pd.DataFrame({"income": [np.nan] * 40})
    crowd = cf.Crowd(design, design.disguise(people, seed=25))
    for ask in (crowd.mean, crowd.distribution):
        with pytest.raises(cf.QueryError, match="nobody has the true answers"):
            ask("income")
    assert crowd.tell_apart() is crowd


def test_rows_that_miss_another_answer_are_left_out():
    design = cf.Design([*DESIGN.questions, cf.Number("age", 16, 80, step=1)], GROUPS)
    people = draw(2_000, 20)
    people["age"] = np.where(people["income"] > 500, np.nan, 40.0)
    reports = design.disguise(people, seed=21, missing="at random")
    with pytest.warns(UserWarning, match="are left out"):
        crowd = cf.Crowd(design, reports, missing="at random")
    exact = people["income"][people["income"] <= 500].mean()
    assert crowd.mean("income").value == pytest.approx(exact, abs=NEAR)


def test_counts_that_were_given_or_sent_elsewhere_hold_their_intervals():
    reports = DESIGN.disguise(draw(1_000, 15), seed=16)
    crowd, counts = cf.Crowd(DESIGN, reports), cf.Counts.of(DESIGN, reports)
    held = cf.Crowd(DESIGN, counts).mean("income").value
    assert held > 1_000
    assert pickle.loads(pickle.dumps(crowd)).mean("income").value == held
    assert crowd.mean("income").value < 1_000


def test_a_pool_with_a_crowd_whose_number_is_noisy_is_answered():
    noisy = cf.Design(DESIGN.questions, [*GROUPS, cf.Group(["income"], cf.LaplaceNoise(50))])
    people = draw(2_000, 17)
    crowds = [
        cf.Crowd(design, design.disguise(people, seed=18)) for design in (DESIGN, noisy, DESIGN)
    ]
    alone = cf.Crowd.pool([crowds[0], crowds[2]]).mean("income")
    assert alone.value == pytest.approx(people["income"].mean(), abs=NEAR)
    assert cf.Crowd.pool(crowds).mean("income").standard_error > 0


def test_numbers_with_more_than_a_hundred_steps_are_told_apart_by_step():
    """Of a number in a hundred intervals of 2,001 steps each, any step may begin a range."""
    design = cf.Design([cf.Number("income", 0, TOP, step=1)])
    people = draw(500, 19, whole=True)[["income"]]
    crowd = cf.Crowd(design, people)
    assert crowd.mean("income").value == pytest.approx(people["income"].mean(), abs=0.5)
    poor = (people["income"] < 321).mean()
    assert crowd.proportion({"income": (0, 321)}).value == pytest.approx(poor)
    assert crowd.table([cf.cut("income", [321])]).values[0] == pytest.approx(poor)
