"""Numbers that people may prefer not to say, on the command line."""

import json

import pandas as pd
import pytest
from support.missing_numbers import draw, make


@pytest.fixture
def files(tmp_path):
    """A survey and answers in CSV without a column that tells who gave no number."""
    make().save(tmp_path / "survey.toml")
    frame = pd.DataFrame(draw(600, 1), columns=["drinks", "no_drinks", "smokes"]).drop(
        columns="no_drinks"
    )
    frame["smokes"] = frame["smokes"].astype(int)
    frame.to_csv(tmp_path / "answers.csv", index=False)
    return frame


def test_empty_numbers_are_disguised_and_estimates_are_of_those_who_gave_them(confide, files):
    ran = confide("disguise", "survey.toml", "answers.csv", "-o", "reports.parquet", "--seed", "1")
    assert ran.code == 0 and "600 people" in ran.out
    told = confide("estimate", "survey.toml", "reports.parquet", "drinks")
    assert "That is of the people who gave drinks, about" in told.out
    found = json.loads(
        confide("estimate", "survey.toml", "reports.parquet", "drinks", "--json").out
    )
    mean = found["estimates"][0]["mean"]
    assert abs(mean["value"] - files["drinks"].mean()) < 4 * mean["standard_error"]
    assert mean["n"] < 600


def test_a_word_that_is_no_number_is_not_taken_for_a_missing_one(confide, files, tmp_path):
    files.astype(object).fillna("prefer not to say").to_csv(tmp_path / "said.csv", index=False)
    assert confide("disguise", "survey.toml", "said.csv", "-o", "reports.csv").code == 0
    files.astype(object).fillna("secret").to_csv(tmp_path / "wrong.csv", index=False)
    ran = confide("disguise", "survey.toml", "wrong.csv", "-o", "other.csv")
    assert ran.code != 0 and "holds no number" in ran.err and "secret" not in ran.err


@pytest.mark.slow
@pytest.mark.usefixtures("files")
def test_models_leave_it_out_and_say_so(confide):
    confide("disguise", "survey.toml", "answers.csv", "-o", "reports.parquet", "--seed", "1")
    said = "Numbers that may be missing take no part in the model: drinks."
    for command in ("tree", "bayes"):
        ran = confide(
            command, "survey.toml", "reports.parquet", "--target", "smokes", "-o", "m.json"
        )
        assert ran.code == 0 and said in ran.err
        assert confide("score", "survey.toml", "m.json", "reports.parquet").code == 0


@pytest.mark.usefixtures("files")
def test_simulated_people_have_no_number_where_they_give_none(confide, tmp_path):
    given = ("--respondents", "500", "--prevalence", "no_drinks=0.4", "-o", "people", "--seed", "1")
    assert confide("simulate", "survey.toml", *given).code == 0
    answers = pd.read_parquet(tmp_path / "people" / "answers")
    assert (answers["drinks"].isna() == (answers["no_drinks"] == "yes")).all()
    assert pd.read_parquet(tmp_path / "people" / "reports").notna().all().all()
