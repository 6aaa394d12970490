"""Without disguise it is ordinary regression; a published survey comes out as it was printed."""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from scipy import optimize, stats
from sklearn.linear_model import LinearRegression, LogisticRegression
from support.published_survey import find_nigeria

import confide as cf

FACULTIES = ["arts", "law", "science"]


def people(n=800, seed=1):
    draw = np.random.default_rng(seed)
    age = draw.normal(25, 4, n).clip(16, 40)
    faculty = draw.integers(0, 3, n)
    drugs = draw.integers(0, 2, n)
    eta = -1 + 0.1 * (age - 25) + 0.8 * (faculty == 1) + 0.5 * drugs
    return pd.DataFrame(
        {
            "cheated": (draw.random(n) < 1 / (1 + np.exp(-eta))).astype(int),
            "drugs": drugs,
            "faculty": np.array(FACULTIES)[faculty],
            "age": age,
            "income": 3 + 0.5 * age - drugs + draw.normal(0, 2, n),
        }
    )


def design_of(*groups):
    asked = [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Choice("faculty", FACULTIES)]
    return cf.Design([*asked, cf.Number("age", 16, 40), cf.Number("income", -50, 99)], groups)


CLEAR = design_of()
CERTAIN = design_of(cf.Group(["cheated", "drugs"], cf.RelatedQuestion(1)))


def plain_matrix(answers):
    law, science = (answers.faculty == "law"), (answers.faculty == "science")
    return np.c_[law, science, answers.age - 25, answers.drugs].astype(float)


FORMULA = "cheated ~ faculty + I(age - 25) + drugs"


@pytest.mark.parametrize("design", [CLEAR, CERTAIN], ids=["clear", "truth 1"])
def test_without_disguise_a_logit_is_scikit_learns(design):
    answers = people()
    result = cf.DisguisedRegression(design, FORMULA).fit(answers)
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    model.fit(plain_matrix(answers), answers.cheated)
    expected = np.r_[model.intercept_, model.coef_[0]]
    np.testing.assert_allclose(result.params[:5], expected, atol=1e-5)
    design_matrix = np.c_[np.ones(800), plain_matrix(answers)]
    p = 1 / (1 + np.exp(-design_matrix @ expected))
    information = design_matrix.T @ (design_matrix * (p * (1 - p))[:, None])
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    np.testing.assert_allclose(result.bse[:5], errors, rtol=1e-4)
    np.testing.assert_allclose(result.predict(answers), p, atol=1e-5)


@pytest.mark.parametrize("design", [CLEAR, CERTAIN], ids=["clear", "truth 1"])
def test_without_disguise_a_linear_regression_is_least_squares(design):
    answers = people()
    result = cf.DisguisedRegression(
        design, "income ~ faculty + I(age - 25) + drugs", family="linear"
    ).fit(answers)
    model = LinearRegression().fit(plain_matrix(answers), answers.income)
    np.testing.assert_allclose(result.params[:5], np.r_[model.intercept_, model.coef_], atol=1e-8)
    rest = answers.income - model.predict(plain_matrix(answers))
    assert np.exp(2 * result.params["log(sigma)"]) == pytest.approx((rest**2).mean(), rel=1e-9)


def test_without_disguise_a_probit_is_the_plain_likelihoods():
    answers = people()
    result = cf.DisguisedRegression(CLEAR, FORMULA, family="probit").fit(answers)
    x = np.c_[np.ones(800), plain_matrix(answers)]
    sign = 2 * answers.cheated.to_numpy() - 1
    found = optimize.minimize(lambda b: -stats.norm.logcdf(sign * (x @ b)).sum(), np.zeros(5))
    np.testing.assert_allclose(result.params, found.x, atol=1e-4)
    assert result.llf == pytest.approx(-found.fun, abs=1e-6)


def test_without_disguise_a_multinomial_is_scikit_learns():
    answers = people()
    result = cf.DisguisedRegression(CLEAR, "faculty ~ I(age - 25) + drugs", "multinomial").fit(
        answers
    )
    model = LogisticRegression(C=np.inf, tol=1e-10, max_iter=1000)
    x = np.c_[answers.age - 25, answers.drugs]
    model.fit(x, answers.faculty)
    np.testing.assert_allclose(result.predict(answers), model.predict_proba(x), atol=1e-5)
    assert list(result.params.index[:3]) == [
        "faculty=law ~ Intercept",
        "faculty=law ~ I(age - 25)",
        "faculty=law ~ drugs",
    ]


def nigeria():
    frame = pd.read_csv(find_nigeria())
    return frame.rename(columns=lambda c: c.removeprefix("cov.").replace(".", "_"))


def test_the_survey_in_nigeria_comes_out_as_printed():
    reports = nigeria()
    forced = cf.ForcedResponse("2/3", {"rr_q1": {"yes": "1/2", "no": "1/2"}})
    design = cf.Design(
        [cf.YesNo("rr_q1"), cf.YesNo("married"), cf.YesNo("female")],
        [cf.Group(["rr_q1"], forced)],
    )
    model = cf.DisguisedRegression(
        design,
        "rr_q1 ~ asset_index + married + I(age / 10) + I((age / 10) ** 2) + education + female",
    )
    with pytest.raises(cf.ReportsError, match="empty in 22 of 2,457 reports"):
        model.fit(reports)
    result = model.fit(reports, missing="drop", cov_type="opg")
    assert result.nobs == 2423
    assert "34 reports were left out" in result.notes[0]
    printed = [-0.34017, 0.07896, -0.26743, -0.35283, 0.04099, -0.00691, -0.55439]
    errors = [0.50856, 0.04136, 0.25451, 0.26423, 0.02603, 0.04558, 0.16244]
    np.testing.assert_allclose(result.params, printed, atol=1e-4)
    np.testing.assert_allclose(result.bse, errors, atol=1e-4)


@pytest.mark.slow
def test_a_hundred_thousand_reports_with_ten_predictors_take_less_than_five_seconds():
    draw, n = np.random.default_rng(1), 100_000
    names = [f"x{i}" for i in range(10)]
    x = draw.normal(size=(n, 10))
    beta = np.linspace(-0.5, 0.5, 10)
    y = draw.random(n) < 1 / (1 + np.exp(0.5 - x @ beta))
    design = cf.Design([cf.YesNo("y")], [cf.Group(["y"], cf.RelatedQuestion("0.8"))])
    reports = design.disguise(pa.table({"y": y}), seed=2)
    for name, column in zip(names, x.T, strict=True):
        reports = reports.append_column(name, pa.array(column))
    begun = time.process_time()
    result = cf.DisguisedRegression(design, f"y ~ {' + '.join(names)}").fit(reports)
    assert time.process_time() - begun < 5  # of the processor's time: others may share it
    assert (np.abs(result.params[1:] - beta) < 4 * result.bse[1:]).all()
