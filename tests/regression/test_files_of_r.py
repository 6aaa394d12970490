"""CSV files as R writes them: TRUE and FALSE, and NA for what is missing."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("y"), cf.Number("x", 0, 10), cf.Choice("f", ["a", "b"])],
    [cf.Group(["y"], cf.RelatedQuestion("0.85"))],
)
COLUMNS = ["y", "x", "f", "flag", "income", "region"]


@pytest.fixture
def reports():
    chance = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "y": chance.integers(0, 2, 400),
            "x": chance.uniform(0, 10, 400).round(2),
            "f": chance.choice(["a", "b"], 400),
            "flag": chance.random(400) < 0.4,
            "income": chance.normal(size=400).round(3),
            "region": chance.choice(["n", "s"], 400),
        }
    )
    return frame.astype({"flag": object})


def write(reports, path):
    reports.replace({True: "TRUE", False: "FALSE"}).to_csv(path, index=False, na_rep="NA")
    return path


def test_truth_values_have_the_name_that_they_have_in_a_dataframe(reports, tmp_path):
    model = cf.DisguisedRegression(DESIGN, "y ~ flag + income")
    written = model.fit(write(reports, tmp_path / "r.csv"))
    held = model.fit(reports.astype({"flag": bool}))
    assert written.names == held.names == ["Intercept", "flag", "income"]
    assert written.params.to_numpy() == pytest.approx(held.params.to_numpy())


@pytest.mark.parametrize("column", COLUMNS)
def test_a_report_with_na_is_empty(reports, tmp_path, column):
    reports.loc[:4, column] = np.nan
    path = write(reports.astype({"y": "Int64"}), tmp_path / "r.csv")
    model = cf.DisguisedRegression(DESIGN, "y ~ x + f + flag + income + region")
    with pytest.raises(cf.ReportsError, match=f"column '{column}' is empty in 5 of 400 reports"):
        model.fit(path)
    assert model.fit(path, missing="drop").nobs == 395
    if column in DESIGN.names:
        with pytest.warns(UserWarning, match="5 of 400 reports are left out"):
            crowd = cf.Crowd(DESIGN.only([column]), path, missing="at random")
        assert crowd.n == 395


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_number_that_cannot_be_read_is_refused_and_not_left_out(reports, tmp_path, suffix):
    """ "4,5" is an answer, and no row without one."""
    path = tmp_path / f"r.{suffix}"
    texts = reports.x.astype(str)
    texts[:5] = "4,5"
    unread = reports.assign(x=texts, flag=reports.flag.astype(str))
    unread.to_csv(path, index=False) if suffix == "csv" else unread.to_parquet(path)
    with pytest.raises(cf.ReportsError, match="'x' holds no number from 0 to 10 in 5 of 400"):
        cf.DisguisedRegression(DESIGN, "y ~ x").fit(path, missing="drop")


def test_an_option_may_be_called_na(tmp_path):
    design = cf.Design([cf.Choice("country", ["DE", "NA"])])
    (tmp_path / "r.csv").write_text("country\n" + "DE\nNA\n" * 20, encoding="utf-8")
    assert cf.Crowd(design, tmp_path / "r.csv").proportion({"country": "NA"}).value == 0.5
