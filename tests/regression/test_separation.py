"""Coefficients that run away: what they leave to the others."""

import numpy as np
import pandas as pd
import pytest

import confide as cf

FORCED = cf.ForcedResponse("0.8", {"y": {"yes": 0.5, "no": 0.5}})
DESIGN = cf.Design([cf.YesNo("y")], [cf.Group(["y"], FORCED)])


@pytest.mark.parametrize("cov_type", ["nonrobust", "opg", "robust"])
def test_one_option_with_nothing_but_yes_leaves_the_others_their_errors(cov_type):
    """The others have the coefficients and errors that they have without its people."""
    chance = np.random.default_rng(1)
    answers = pd.DataFrame({"y": chance.integers(0, 2, 400), "town": ["a", "b", "c", "d"] * 100})
    reports = DESIGN.disguise(answers, seed=2, keep=["town"])
    alone = pd.DataFrame({"y": [1] * 3, "town": ["z"] * 3})
    model = cf.DisguisedRegression(DESIGN, "y ~ town")
    whole = model.fit(pd.concat([reports, alone]), cov_type=cov_type)
    without = model.fit(reports, cov_type=cov_type)
    assert whole.params[:4].to_numpy() == pytest.approx(without.params.to_numpy(), abs=1e-6)
    assert whole.bse[:4].to_numpy() == pytest.approx(without.bse.to_numpy(), rel=1e-6)
    (note,) = whole.notes
    assert note.startswith("town[T.z]: no finite estimate.")


@pytest.mark.parametrize("cov_type", ["nonrobust", "robust"])
@pytest.mark.parametrize("town", ["a", "z"], ids=["the base", "another"])
@pytest.mark.parametrize("design", [DESIGN, cf.Design([cf.YesNo("y")])], ids=["forced", "clear"])
def test_effects_that_do_not_rest_on_it_keep_their_errors(design, town, cov_type):
    """The others' are those without its people; x moves none of them, where they are certain."""
    chance = np.random.default_rng(1)
    answers = pd.DataFrame(
        {
            "y": chance.integers(0, 2, 400),
            "town": ["b", "c", "d", "e"] * 100,
            "x": chance.normal(size=400).round(2),
        }
    )
    reports = design.disguise(answers, seed=2, keep=["town", "x"])
    alone = pd.DataFrame({"y": 1, "town": [town] * 4, "x": [0.0, 1.0, -1.0, 0.5]})
    model = cf.DisguisedRegression(design, "y ~ town + x")
    whole = model.fit(pd.concat([reports, alone]), cov_type=cov_type)
    without = model.fit(reports, cov_type=cov_type).marginal_effects()
    found = whole.marginal_effects()  # though the model was fitted again
    assert found["dy/dx"].notna().all()
    lost = found.index[found["std err"].isna()]
    others = [f"town = {each}" for each in "bcde"]
    assert list(lost) == (others if town == "a" else ["town = z"])
    np.testing.assert_allclose(found.loc["x"], without.loc["x"] * 400 / 404, rtol=2e-3)
    if town == "z":
        np.testing.assert_allclose(found.loc[others[1:]], without.loc[others[1:]], rtol=1e-3)
    assert "marginal effects of them have none" in whole.notes[0]


def test_a_formula_with_more_terms_is_not_less_likely_if_nobody_answers_yes():
    chance = np.random.default_rng(7)
    x, town = chance.normal(size=600), np.array(["p", "q", "r"])[chance.integers(0, 3, 600)]
    answers = pd.DataFrame({"y": 0, "x": x, "town": town})
    for seed in range(6):
        reports = DESIGN.disguise(answers, seed=seed, keep=["x", "town"])
        formulas = ("y ~ 1", "y ~ x", "y ~ x + town")
        heights = [cf.DisguisedRegression(DESIGN, f).fit(reports).llf for f in formulas]
        assert heights == pytest.approx(sorted(heights), abs=1e-6)


@pytest.mark.parametrize(
    "options",
    [{}, {"cov_type": "robust"}, {"cov_type": "opg"}, {"clusters": "c"}, {"weights": "w"}],
)
@pytest.mark.filterwarnings("error")
def test_what_has_no_finite_estimate_has_no_errors_in_any_form(options):
    chance = np.random.default_rng(1)
    town = chance.choice(["x", "y", "z"], 600)
    answers = pd.DataFrame(
        {
            "cheated": np.where(town == "z", 0, chance.random(600) < 0.4).astype(int),
            "town": town,
            "c": chance.integers(0, 20, 600),
            "w": chance.random(600) + 0.1,
        }
    )
    model = cf.DisguisedRegression(cf.Design([cf.YesNo("cheated")]), "cheated ~ town")
    result = model.fit(answers, **options)
    rows = {row["name"]: row for row in result.to_arrow().to_pylist()}
    away = rows.pop("town[T.z]")
    assert away["coefficient"] < -20
    assert {away[each] for each in ("standard_error", "z", "p_value", "low", "high")} == {None}
    assert all(row["standard_error"] < 1 and row["low"] < row["high"] for row in rows.values())
