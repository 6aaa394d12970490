"""Kuk's decks with several draws: a report has more values than the answer, in every room."""

from __future__ import annotations

from math import comb, log, sqrt

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import confide as cf
from confide.estimators.event_weights import invert_patterns
from confide.surveys.questionnaire import Questionnaire

P, Q, K = 0.7, 0.2, 3
KUK = cf.Kuk(P, Q, draws=K)
DESIGN = cf.Design(
    [cf.YesNo("cheated"), cf.YesNo("drugs"), cf.Choice("faculty", ["arts", "law", "science"])],
    [cf.Group(["cheated"], KUK), cf.Group(["drugs"], cf.RelatedQuestion(0.8))],
)
ALONE = DESIGN.only(["cheated"])


def chance(red, answer):
    """A binomial number of red cards, from the definition."""
    p = P if answer else Q
    return comb(K, red) * p**red * (1 - p) ** (K - red)


def simulate(n, seed=1):
    draw = np.random.default_rng(seed)
    cheated = draw.random(n) < 0.3
    drugs = cheated ^ (draw.random(n) < 0.2)
    faculty = draw.choice(["arts", "law", "science"], n, p=[0.5, 0.3, 0.2])
    return pd.DataFrame({"cheated": cheated, "drugs": drugs, "faculty": faculty})


ANSWERS = simulate(20_000)
REPORTS = DESIGN.disguise(ANSWERS, seed=2)
CROWD = cf.Crowd(DESIGN, REPORTS)


def test_its_channel_is_binomial_and_its_inverse_undoes_it():
    block = DESIGN.block("cheated")
    matrix = block.channel_on([0]).matrix()
    expected = [[chance(red, answer) for answer in (0, 1)] for red in range(K + 1)]
    np.testing.assert_allclose(matrix, expected)
    np.testing.assert_allclose(block.inverse_on([0]).matrix() @ matrix, np.eye(2), atol=1e-12)


def test_its_epsilon_is_the_largest_log_ratio_of_its_definition():
    ratios = [chance(red, 1) / chance(red, 0) for red in range(K + 1)]
    assert KUK.epsilon(ALONE.questions) == pytest.approx(max(abs(log(r)) for r in ratios))


@pytest.mark.parametrize("answers", [ANSWERS, pa.Table.from_pandas(ANSWERS)])
def test_reports_are_how_many_cards_were_red_as_often_as_chance_has_it(answers):
    reports = np.asarray(DESIGN.disguise(answers, seed=2)["cheated"])
    for answer in (False, True):
        told = reports[ANSWERS["cheated"].to_numpy() == answer]
        for red in range(K + 1):
            p = chance(red, answer)
            assert abs(np.mean(told == red) - p) < 5 * sqrt(p * (1 - p) / len(told))


@pytest.mark.statistical
def test_the_estimate_is_unbiased_and_varies_as_its_docstring_says():
    """2,000 surveys of 200 people; the twin with the variance of one draw is caught."""
    repeats, n, share = 2000, 200, 0.3
    answers = (np.random.default_rng(3).random(repeats * n) < share).astype(int)
    red = ALONE.disguise(answers, seed=4).reshape(repeats, n)
    found = ((red / K - Q) / (P - Q)).mean(axis=1)
    reported = share * P + (1 - share) * Q
    within = (1 - 1 / K) * share * (1 - share) * (P - Q) ** 2
    error = sqrt((reported * (1 - reported) / K + within) / (n * (P - Q) ** 2))
    assert abs(found.mean() - share) < 4 * error / sqrt(repeats)
    assert abs(found.std() / error - 1) < 4 / sqrt(2 * repeats)
    assert abs(found.std() / sqrt(reported * (1 - reported) / (n * (P - Q) ** 2)) - 1) > 0.1
    planned = cf.planning.standard_error(ALONE, {"cheated": "yes"}, {"cheated": share}, n)
    assert planned == pytest.approx(error)
    one = cf.Crowd(ALONE, red[0]).proportion({"cheated": "yes"})
    assert one.value == pytest.approx(found[0])


def test_shares_tables_and_sub_populations_come_back_by_both_methods():
    for method in ("inverse", "likelihood"):
        table = CROWD.table(["cheated", "drugs"], method=method)
        joint = pd.crosstab(ANSWERS["cheated"], ANSWERS["drugs"], normalize=True).to_numpy()
        assert table.values.shape == (2, 2)
        assert (np.abs(table.values - joint) < 5 * table.standard_errors + 1e-9).all()
    within = CROWD.given({"cheated": "yes"}).proportion({"drugs": "yes"})
    true = ANSWERS["drugs"][ANSWERS["cheated"]].mean()
    assert abs(within.value - true) < 5 * within.standard_error
    naive = np.mean(REPORTS["drugs"][REPORTS["cheated"] >= 2])
    assert abs(naive - true) > 5 * within.standard_error


def test_the_likelihood_is_highest_where_a_fine_grid_finds_it():
    counts = CROWD.counts[0].table(["cheated"])
    grid = np.linspace(0, 1, 20_001)
    mixed = np.array([[chance(r, 1), chance(r, 0)] for r in range(K + 1)])
    height = counts @ np.log(mixed @ np.stack([grid, 1 - grid]))
    found = CROWD.table(["cheated"], method="likelihood")
    assert found.values[1] == pytest.approx(grid[height.argmax()], abs=1e-4)
    inverse = CROWD.table(["cheated"], method="inverse")
    assert found.standard_errors[1] < inverse.standard_errors[1] * 1.001  # it uses more


def test_a_table_is_the_same_pattern_by_pattern():
    counts = CROWD.counts[0]
    found = invert_patterns(counts, counts.shares, {}, ["cheated", "drugs"])
    np.testing.assert_allclose(found, CROWD.table(["cheated", "drugs"]).values, atol=1e-12)
    fixed = invert_patterns(counts, counts.shares, {"cheated": 1}, ["drugs"])
    np.testing.assert_allclose(fixed, found[1], atol=1e-12)


def test_the_interval_of_few_reports_without_a_red_card_holds_what_is_possible():
    low, high = cf.Crowd(ALONE, np.zeros(30, int)).proportion({"cheated": "yes"}).interval()
    assert low == 0 and 0.02 < high < 0.5


@pytest.mark.slow
def test_engines_files_and_counts_hold_it(tmp_path):
    REPORTS.to_parquet(tmp_path / "reports.parquet")
    REPORTS.to_csv(tmp_path / "reports.csv", index=False)
    expected = np.bincount(REPORTS["cheated"]).tolist()
    for held in (tmp_path / "reports.parquet", tmp_path / "reports.csv", pa.table(REPORTS)):
        assert cf.Counts.of(DESIGN, held).table(["cheated"]).tolist() == expected
    with pytest.raises(cf.ReportsError, match="Allowed are 0, 1, 2, 3"):
        cf.Counts.of(DESIGN, REPORTS.assign(cheated=7))


def test_a_survey_file_keeps_the_draws_and_one_draw_writes_none(tmp_path):
    DESIGN.save(tmp_path / "survey.toml")
    assert cf.Design.load(tmp_path / "survey.toml").fingerprint == DESIGN.fingerprint
    assert cf.Kuk(P, Q).parameters() == cf.Kuk(P, Q, draws=1).parameters()
    assert "draws" not in cf.Kuk(P, Q).parameters()


@pytest.mark.slow
def test_its_privacy_is_stated_and_its_odds_are_bayes():
    statement = cf.privacy.of(DESIGN, {"cheated": 0.1})
    (most, *_) = [said for said in statement.sentences() if "report is 3" in said]
    posterior = 0.1 * P**3 / (0.1 * P**3 + 0.9 * Q**3)
    assert f"{int(100 * posterior)}" in most or f"{int(100 * posterior) + 1}" in most
    assert any(
        "report is 0" in said and "truly answer no" in said for said in statement.sentences()
    )
    assert statement.to_dict()["questions"][0]["posterior"]["3"]["yes"] == pytest.approx(posterior)
    assert statement.exposure.answers["cheated"].mean > 0.9


def test_it_is_planned_with_and_refused_on_the_web():
    plan = cf.plan(DESIGN, 1000, {"cheated": 0.1}, refusing=0.1)
    own = [row for row in plan.rows() if row["own"] and row["event"] == "cheated = yes"]
    assert own[0]["bias"] < 0
    with pytest.raises(cf.DesignError, match="not asked on the web yet"):
        Questionnaire(DESIGN).script()


@pytest.mark.slow
def test_regressions_trees_and_compliance_take_it():
    fit = cf.DisguisedRegression(DESIGN, "cheated ~ drugs").fit(REPORTS)
    p = pd.crosstab(ANSWERS["cheated"], ANSWERS["drugs"]).to_numpy()
    true = log(p[0, 0] * p[1, 1] / (p[0, 1] * p[1, 0]))
    assert abs(fit.params.iloc[1] - true) < 5 * fit.bse.iloc[1]
    tree = cf.DisguisedTreeClassifier(DESIGN, target="cheated").fit(REPORTS[:3000])
    assert np.mean(tree.predict(ANSWERS) == ANSWERS["cheated"]) > 0.75
    refused = cf.simulate(ALONE, ANSWERS[["cheated"]], refusing=0.2, seed=7)
    other = cf.Design(ALONE.questions, [cf.Group(["cheated"], cf.Kuk(0.9, 0.4, draws=2))])
    crowds = [cf.Crowd(ALONE, refused)]
    crowds += [cf.Crowd(other, cf.simulate(other, ANSWERS[["cheated"]], refusing=0.2, seed=8))]
    found = cf.compliance.cheating_detection(crowds, "cheated").kinds["refuses"]
    assert abs(found.value - 0.2) < 5 * found.standard_error


@pytest.mark.parametrize("draws", [0, 21, 1.5, True])
def test_other_draws_are_refused(draws):
    with pytest.raises(cf.DesignError, match="draws of Kuk must be a whole number"):
        cf.Kuk(P, Q, draws=draws)


WIDE = [["0.6", "0.1"], ["0.3", "0.2"], ["0.1", "0.7"]]


def test_a_matrix_with_more_rows_has_the_best_of_all_inverses_for_options_alike():
    """AM = 1 and columns that sum to one; any other such A has no smaller variance at ½."""
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.ChannelMatrix(WIDE))])
    matrix = design.blocks[0].channel_on([0]).matrix()
    inverse = design.blocks[0].inverse_on([0]).matrix()
    np.testing.assert_allclose(inverse @ matrix, np.eye(2), atol=1e-12)
    np.testing.assert_allclose(inverse.sum(axis=0), 1, atol=1e-12)
    reports = matrix @ [0.5, 0.5]
    null = np.linalg.svd(matrix.T)[2][-1]  # adding it to a row keeps AM = 1
    for step in (-0.1, 0.1):
        assert (inverse[1] + step * null) ** 2 @ reports > inverse[1] ** 2 @ reports
    answers = (np.random.default_rng(1).random(40_000) < 0.2).astype(int)
    told = design.disguise(answers, seed=2)
    assert set(told.tolist()) == {0, 1, 2}
    found = cf.Crowd(design, told).proportion({"a": "yes"})
    assert abs(found.value - answers.mean()) < 5 * found.standard_error
    assert found.standard_error == pytest.approx(
        cf.planning.standard_error(design, {"a": "yes"}, {"a": 0.2}, 40_000), rel=0.02
    )


@pytest.mark.parametrize("matrix", [[[0.5, 0.2, 0.3], [0.5, 0.8, 0.7]], [[1], [0]], [[1, 0], [0]]])
def test_a_matrix_with_fewer_reports_than_options_is_refused(matrix):
    with pytest.raises(cf.DesignError, match="at least as many rows"):
        cf.ChannelMatrix(matrix)
