"""What a regression takes, refuses and says."""

from __future__ import annotations

from dataclasses import replace

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from scipy import stats

import confide as cf

FACULTIES = ["arts", "law", "science"]
FORCED = cf.ForcedResponse("2/3", {"cheated": {"yes": "1/2", "no": "1/2"}})
DESIGN = cf.Design(
    [
        cf.YesNo("cheated"),
        cf.YesNo("drugs"),
        cf.Choice("faculty", FACULTIES),
        cf.Number("age", 16, 40, step=1),
        cf.Number("income", 0, 100),
    ],
    [
        cf.Group(["cheated"], FORCED),
        cf.Group(["drugs"], cf.RelatedQuestion("0.8")),
        cf.Group(["income"], cf.GaussianNoise(deviation=5)),
    ],
)


@pytest.fixture(scope="module")
def reports():
    draw, n = np.random.default_rng(1), 3_000
    age, faculty = draw.integers(16, 41, n), draw.integers(0, 3, n)
    drugs = draw.random(n) < 0.3
    eta = -1 + 0.1 * (age - 25) + 0.8 * (faculty == 1) + drugs
    answers = pd.DataFrame(
        {
            "cheated": (draw.random(n) < 1 / (1 + np.exp(-eta))).astype(int),
            "drugs": drugs.astype(int),
            "faculty": np.array(FACULTIES)[faculty],
            "age": age,
            "income": (20 + age + draw.normal(0, 3, n)).clip(0, 100),
            "school": np.arange(n) % 30,
            "exposure": draw.normal(0, 0.3, n),
        }
    )
    return DESIGN.disguise(answers, seed=2, keep=["school", "exposure"])


def fit(reports, formula="cheated ~ age + faculty", family="logit", **options):
    return cf.DisguisedRegression(DESIGN, formula, family).fit(reports, **options)


@pytest.mark.slow
def test_whatever_holds_the_reports_gives_the_same_coefficients(reports, tmp_path):
    expected = fit(reports).params
    table = pa.Table.from_pandas(reports)
    pa.parquet.write_table(table, tmp_path / "reports.parquet")
    reports.to_csv(tmp_path / "reports.csv", index=False)
    words = reports.assign(cheated=reports.cheated.map({1: "yes", 0: "no"}))
    exported = reports.rename(columns={"cheated": "cheated_disguised"})
    needed = reports[["cheated", "age", "faculty"]]
    files = [tmp_path / "reports.parquet", str(tmp_path / "reports.csv")]
    frames = [table, pl.from_pandas(reports), pl.from_pandas(reports).lazy(), words, exported]
    for held in [*files, *frames, needed, duckdb.from_arrow(table), cf.Counts.of(DESIGN, reports)]:
        np.testing.assert_allclose(fit(held).params, expected, atol=1e-9)


def test_columns_beside_the_questions_are_read_from_any_file(reports, tmp_path):
    reports.to_csv(tmp_path / "reports.csv", index=False)
    formula = "cheated ~ age + exposure"
    np.testing.assert_allclose(
        fit(str(tmp_path / "reports.csv"), formula).params, fit(reports, formula).params, atol=1e-9
    )


def test_two_columns_of_one_name_and_an_array_are_refused_in_one_line(reports):
    with pytest.raises(cf.ConfideError, match=r"^two columns of the reports have the same name\.$"):
        fit(pd.concat([reports, reports[["age"]]], axis=1))
    with pytest.raises(cf.ConfideError, match=r"a regression takes no array\. Got ndarray\.$"):
        fit(reports.to_numpy())


def expect_information(result):
    """−Σ of the second derivatives of all reports that could have come in, by their chances."""
    rows, params = result.model.likelihood, result.peak.params
    whole = result.model.design.only(list(result.model.hidden))
    assert all(len(block.questions) == 1 for block in whole.blocks)
    matrices = [whole.block(name).channel_on([0]).matrix() for name in result.model.hidden]
    found = np.zeros((len(params), len(params)))
    for report in np.ndindex(*(len(matrix) for matrix in matrices)):
        told = np.ones(())
        for matrix, code in zip(matrices, report, strict=True):
            told = np.multiply.outer(told, matrix[code])
        channel = np.broadcast_to(told.reshape(rows.channel.shape[1:]), rows.channel.shape)
        imagined = replace(rows, channel=channel)
        chance = np.exp(imagined.log_rows(params))
        found -= replace(imagined, counts=rows.counts * chance).evaluate(params).hessian
    return found


def test_standard_errors_of_every_kind_are_their_formulas(reports):
    plain = fit(reports)
    found = plain.objective.evaluate(plain.peak.params)
    bread = np.linalg.inv(-found.hessian)
    np.testing.assert_allclose(plain.cov_params(), bread, rtol=1e-8)
    outer = np.linalg.inv(found.outer_product)
    np.testing.assert_allclose(fit(reports, cov_type="opg").cov_params(), outer, rtol=1e-8)
    bread = np.linalg.inv(expect_information(plain))
    sandwich = bread @ found.outer_product @ bread
    np.testing.assert_allclose(fit(reports, cov_type="robust").cov_params(), sandwich, rtol=1e-8)
    clustered = fit(reports, clusters="school")
    assert clustered.cov_type == "cluster"
    every_row = reports.assign(person=np.arange(len(reports)))
    alone = fit(every_row, clusters="person").cov_params()
    np.testing.assert_allclose(alone, sandwich * 3000 / 2999, rtol=1e-6)


def test_equal_answers_within_clusters_widen_the_errors(reports):
    tripled = pd.concat([reports.assign(person=np.arange(len(reports)))] * 3)
    plain, clustered = fit(tripled), fit(tripled, clusters="person")
    once = fit(reports, cov_type="robust")
    np.testing.assert_allclose(clustered.bse, once.bse, rtol=1e-3)
    assert (plain.bse < 0.7 * clustered.bse).all()


def test_an_offset_is_added_as_it_is(reports):
    shifted = fit(reports.assign(one=1.0), offset="one")
    plain = fit(reports)
    assert shifted.params["Intercept"] == pytest.approx(plain.params["Intercept"] - 1)
    assert shifted.params["age"] == pytest.approx(plain.params["age"])


def test_results_follow_the_conventions_of_statsmodels(reports):
    result = fit(reports)
    assert list(result.params.index) == ["Intercept", "age", "faculty[T.law]", "faculty[T.science]"]
    np.testing.assert_allclose(result.bse**2, np.diag(result.cov_params()))
    np.testing.assert_allclose(result.tvalues, result.params / result.bse)
    np.testing.assert_allclose(result.pvalues, 2 * stats.norm.sf(np.abs(result.tvalues)))
    interval = result.conf_int(alpha=0.1)
    np.testing.assert_allclose(interval[1] - result.params, 1.6448536 * result.bse)
    assert result.llf == pytest.approx(result.log_likelihood(result.params))
    assert result.aic == pytest.approx(8 - 2 * result.llf)
    assert result.bic == pytest.approx(4 * np.log(3000) - 2 * result.llf)
    assert result.llf > result.log_likelihood(result.params + 0.01)
    text, html = result.summary().as_text(), result.summary().as_html()
    for word in ("faculty[T.law]", "std err", "3,000", "cheated ~ age + faculty"):
        assert word in text
        assert word in html


def test_marginal_effects_are_average_differences_of_predictions(reports):
    result = fit(reports, "cheated ~ age + faculty + drugs")
    effects = result.marginal_effects()
    assert list(effects.index) == ["age", "faculty = law", "faculty = science", "drugs"]
    share = np.exp(result.model.likelihood.cell_shares(result.peak.params))[:, 1]
    weights = result.model.likelihood.counts
    rows = result.model.frame
    at = {
        (level, d): result.predict(rows.assign(faculty=level, drugs=d))
        for level in FACULTIES
        for d in (0, 1)
    }
    gap = [at["law", d] - at["arts", d] for d in (0, 1)]
    expected = np.average((1 - share) * gap[0] + share * gap[1], weights=weights)
    assert effects.loc["faculty = law", "dy/dx"] == pytest.approx(expected, rel=1e-9)
    wider = result.conf_int().loc["drugs"]
    assert (effects.loc["drugs", "0.025"] > 0) == (wider[0] > 0)


def test_marginal_effects_of_columns_that_are_no_questions(reports):
    """Texts, and numbers that a formula takes as a factor, are compared with their first value."""
    beside = reports.assign(town=np.where(reports["age"] > 25, "b", "a"), level=1)
    beside["level"] = np.arange(len(beside)) % 3 + 5
    result = cf.DisguisedRegression(DESIGN, "cheated ~ town + C(level)").fit(beside)
    effects = result.marginal_effects()
    assert list(effects.index) == ["town = b", "level = 6", "level = 7"]
    for name, moved in (("town", ["a", "b"]), ("level", [5, 7])):
        first, last = (result.predict(beside.assign(**{name: to})).mean() for to in moved)
        assert effects.loc[f"{name} = {moved[1]}", "dy/dx"] == pytest.approx(last - first)
    with pytest.raises(cf.ModelError, match="nobody had in the fit"):
        result.predict(beside.assign(town="z"))
    with pytest.raises(cf.ModelError, match="nobody had in the fit"):
        result.predict(beside.assign(level=9))
    with pytest.raises(cf.QueryError, match="no predictor"):
        cf.DisguisedRegression(DESIGN, "cheated ~ 1").fit(beside).marginal_effects()


def test_intervals_by_few_clusters_are_students(reports):
    """With 5 clusters a normal quantile covered 75 to 92 % in simulations."""
    beside = reports.assign(school=np.arange(len(reports)) % 5)
    result = cf.DisguisedRegression(DESIGN, "cheated ~ age").fit(beside, clusters="school")
    assert result.freedom == 4 and result.freedoms == pytest.approx(4, abs=0.05)
    half = (result.conf_int()[1] - result.conf_int()[0]).to_numpy() / 2
    quantiles = stats.t.ppf(0.975, result.freedoms)
    assert half == pytest.approx(quantiles * result.bse.to_numpy(), rel=1e-6)
    np.testing.assert_allclose(
        result.pvalues, 2 * stats.t.sf(np.abs(result.tvalues), result.freedoms)
    )
    effect = result.marginal_effects().iloc[0]
    reach = (effect["0.975"] - effect["dy/dx"]) / effect["std err"]
    assert reach == pytest.approx(2.776445, rel=0.02) and reach >= 2.776445


def test_means_that_a_formula_takes_off_are_those_of_all_reports(reports):
    result = fit(reports, "cheated ~ center(age)")
    by_hand = fit(reports, f"cheated ~ I(age - {reports.age.mean()!r})")
    np.testing.assert_allclose(result.params, by_hand.params, atol=1e-9)


def test_an_option_that_nobody_chose_has_no_coefficient(reports):
    few = reports[reports.faculty != "law"]
    result = fit(few)
    assert list(result.params.index) == ["Intercept", "age", "faculty[T.science]"]
    with pytest.raises(cf.ModelError, match="nobody had in the fit"):
        result.predict(reports)


def test_noise_on_a_number_goes_into_the_errors(reports):
    result = fit(reports, "income ~ age", "linear")
    assert abs(result.params["age"] - 1) < 4 * result.bse["age"]
    assert np.exp(result.params["log(sigma)"]) == pytest.approx(np.hypot(3, 5), rel=0.05)


def test_a_disguised_choice_is_an_outcome_of_several_options():
    draw, n = np.random.default_rng(3), 20_000
    age = draw.normal(size=n)
    eta = np.c_[np.zeros(n), 0.5 + age, -0.5 - age]
    p = np.exp(eta) / np.exp(eta).sum(axis=1, keepdims=True)
    code = (draw.random((n, 1)) > p.cumsum(axis=1)).sum(axis=1)
    design = cf.Design(
        [cf.Choice("faculty", FACULTIES)], [cf.Group(["faculty"], cf.RandomizedChoice(0.8))]
    )
    reports = design.disguise(pd.DataFrame({"faculty": np.array(FACULTIES)[code]}), seed=4)
    result = cf.DisguisedRegression(design, "faculty ~ age", "multinomial").fit(
        reports.assign(age=age)
    )
    true = np.array([0.5, 1, -0.5, -1])
    assert (np.abs(result.params - true) < 4 * result.bse).all()
    assert (result.bse < 0.1).all()


def test_a_predictor_with_more_reports_than_answers_within_four_errors():
    """Of two cards none, one or both may be red, whatever the answer was."""
    questions = [cf.YesNo("cheated"), cf.YesNo("drugs")]
    coin = cf.Group(["cheated"], cf.RelatedQuestion("0.85"))
    cards = cf.Design(questions, [coin, cf.Group(["drugs"], cf.Kuk("0.8", "0.3", draws=2))])
    draw = np.random.default_rng(3)
    drugs = draw.random(8_000) < 0.4
    cheated = draw.random(8_000) < np.where(drugs, 0.6, 0.3)
    answers = pd.DataFrame({"cheated": cheated.astype(int), "drugs": drugs.astype(int)})
    result = cf.DisguisedRegression(cards, "cheated ~ drugs").fit(cards.disguise(answers, seed=4))
    truth = np.log([3 / 7, (6 / 4) / (3 / 7), 4 / 6])
    assert (np.abs(result.params - truth) < 4 * result.bse).all()
    assert result.bse["drugs"] < 0.2


def test_a_missing_value_is_refused_or_left_out_and_counted(reports):
    holes = reports.assign(age=reports.age.where(reports.index % 10 > 0))
    with pytest.raises(cf.ReportsError, match="'age' is empty in 300 of 3,000 reports"):
        fit(holes)
    result = fit(holes, missing="drop")
    assert (result.nobs, result.dropped) == (2700, 300)
    assert "300 reports were left out" in result.summary().as_text()
    assert fit(holes, "cheated ~ faculty").dropped == 0  # a column that is not used blocks nothing


def test_separation_is_said_in_words():
    clear = cf.Design([cf.YesNo("y"), cf.YesNo("x")])
    answers = pd.DataFrame({"y": [0, 0, 0, 0, 1, 1], "x": [0, 0, 0, 0, 1, 0]})
    result = cf.DisguisedRegression(clear, "y ~ x").fit(answers)
    assert "x: no finite estimate" in result.summary().as_text()
    assert cf.DisguisedRegression(clear, "y ~ 1").fit(answers).notes == []


def test_a_share_below_what_chance_alone_reports_is_said_in_words():
    design = cf.Design([cf.YesNo("cheated")], [cf.Group(["cheated"], FORCED)])
    few = pd.DataFrame({"cheated": [1] * 10 + [0] * 190})
    result = cf.DisguisedRegression(design, "cheated ~ 1").fit(few)
    assert "a share at 0 or 1" in result.notes[0]
    assert result.predict(pd.DataFrame({"any": [0]})).max() < 1e-4


def test_a_number_that_means_nothing_is_not_printed_as_if_it_did():
    clear = cf.Design([cf.YesNo("y"), cf.YesNo("x")])
    answers = pd.DataFrame({"y": [0, 0, 0, 0, 1, 1], "x": [0, 0, 0, 0, 1, 0]})
    rows = cf.DisguisedRegression(clear, "y ~ x").fit(answers).summary().rows
    assert rows[1][0] == "x" and set(rows[1][2:]) == {""}


def test_a_tiny_coefficient_is_written_with_powers_of_ten():
    clear = cf.Design([cf.YesNo("y")])
    answers = pd.DataFrame({"y": [0, 1, 0, 0, 1, 1] * 9, "x": np.arange(54) * 1e9})
    found = cf.DisguisedRegression(clear, "y ~ x").fit(answers)
    _, coefficient, error, *_ = found.summary().rows[1]
    assert float(coefficient) == pytest.approx(found.params["x"], rel=1e-3)
    assert float(error) == pytest.approx(found.bse["x"], rel=1e-3) and "e-1" in error


def test_groups_that_do_not_differ_are_said_to_be_so(reports):
    result = fit(reports, "cheated ~ age", random_intercept="school")
    assert result.params["sd(school)"] >= 0
    assert result.nobs == 3000
    plain = fit(reports, "cheated ~ age")
    assert result.llf >= plain.llf - 1e-6


@pytest.mark.parametrize(
    ("formula", "family", "said"),
    [
        ("cheated", "logit", "an outcome, a tilde"),
        ("cheated ~", "logit", "an outcome, a tilde"),
        ("cheated ~ age + cheated", "logit", "its own predictor"),
        ("cheated ~ income", "logit", "disguised number"),
        ("cheated ~ age", "poisson", "family must be"),
        ("faculty ~ age", "logit", "multinomial"),
        ("cheated ~ age", "linear", "is for numbers"),
        ("income ~ drugs", "linear", "one or the other"),
        ("age ~ drugs", "logit", "a question with options"),
        ("cheated ~ (age", "logit", "cannot be read: it is not written as terms"),
        ("cheated ~ age +", "logit", "cannot be read: it is not written as terms"),
        ("cheated ~ log(faculty)", "logit", "a term cannot be computed"),
        ("cheated ~ 0", "logit", "has no column"),
        ("cheated ~ nobody", "logit", "there is no column 'nobody'"),
        ("cheated ~ age + I(2 * age)", "logit", "follows from those before it"),
        ("cheated ~ np.log(age - 16)", "logit", "not finite"),
        ("cheated ~ log(age - 20)", "logit", "not finite"),
    ],
)
def test_a_mistake_in_a_formula_is_one_line(reports, formula, family, said):
    with pytest.raises(cf.ConfideError, match=said):
        fit(reports, formula, family)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"missing": "ignore"}, "missing must be"),
        ({"cov_type": "HC9"}, "cov_type must be one of"),
        ({"cov_type": "cluster"}, "give both, or neither"),
        ({"clusters": "nowhere"}, "no column 'nowhere'"),
        ({"offset": "faculty"}, "'faculty' is no number in 3,000 of 3,000"),
    ],
)
def test_a_mistake_in_an_option_is_one_line(reports, options, said):
    with pytest.raises(cf.ConfideError, match=said):
        fit(reports, **options)


def test_one_report_and_none_end_in_words(reports):
    with pytest.raises(cf.ConfideError, match="follows from those before it"):
        fit(reports[:1])
    with pytest.raises(cf.ReportsError, match="there are no reports"):
        fit(reports[:0])
    assert "no finite estimate" in " ".join(fit(reports[:1], "cheated ~ 1").notes)


@pytest.mark.slow
@pytest.mark.statistical
def test_several_disguised_predictors_of_a_long_survey_within_four_and_a_half_errors():
    """A yes-no and a choice, one sharing the outcome's coin with 28 more questions."""
    draw, n = np.random.default_rng(5), 6_000
    names = [f"q {i}" for i in range(60)]
    forced = cf.ForcedResponse("3/4", {name: {"yes": "1/2", "no": "1/2"} for name in names[:30]})
    design = cf.Design(
        [*(cf.YesNo(name) for name in names), cf.Choice("faculty", FACULTIES)],
        [cf.Group(names[:30], forced), cf.Group(["faculty"], cf.RandomizedChoice("0.8"))],
    )
    answers = pd.DataFrame({name: draw.integers(0, 2, n) for name in names})
    answers["faculty"] = draw.choice(FACULTIES, n)
    eta = -1 + answers["q 1"] + (answers.faculty == "law")
    answers["q 0"] = (draw.random(n) < 1 / (1 + np.exp(-eta))).astype(int)
    model = cf.DisguisedRegression(design, "`q 0` ~ `q 1` + `q 40` + faculty")
    result = model.fit(design.disguise(answers, seed=6))
    off = (result.params[:5] - np.array([-1, 1, 0, 1, 0])) / result.bse[:5]
    assert (np.abs(off) < 4.5).all()
    assert result.bse[:5].max() < 0.25


def test_a_prediction_is_of_a_dataframe(reports):
    with pytest.raises(cf.ModelError, match="a dataframe in memory"):
        fit(reports).predict({"age": [20]})
