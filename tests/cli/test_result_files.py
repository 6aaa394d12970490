"""What `-o` writes is what the file's ending says."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest


@pytest.fixture
def reports(confide, survey):
    confide("disguise", survey, "answers.csv", "-o", "reports.parquet", "--seed", "1")
    return "reports.parquet"


def read(name):
    """The rows of a table in a file, by its ending."""
    if name.endswith(".csv"):
        return pa.csv.read_csv(name).to_pylist()
    return pa.parquet.read_table(name).to_pylist()


def test_an_estimate_has_the_same_rows_in_every_format(confide, survey, reports):
    asked = ("estimate", survey, reports, "cheated", "faculty", "--where", "drugs=yes")
    for name in ("found.csv", "found.parquet", "found.json"):
        assert confide(*asked, "--level", "0.8", "-o", name).code == 0
    table, typed = read("found.csv"), read("found.parquet")
    (whole,) = json.loads(Path("found.json").read_text(encoding="utf-8"))["estimates"]
    assert len(table) == len(typed) == len(whole["cells"])
    for row, same, cell in zip(table, typed, whole["cells"], strict=True):
        assert row == pytest.approx(same)
        assert {name: row[name] for name in cell} == pytest.approx(cell)
        assert row["n"] < row["total"] == 2_000


def test_questions_that_stand_alone_are_one_table(confide, survey, reports):
    assert confide("estimate", survey, reports, "-o", "ALL.CSV").code == 0
    rows = pa.csv.read_csv("ALL.CSV").to_pylist()
    assert {"cheated", "faculty", "age"} <= {row["question"] for row in rows}
    assert {"yes", "no"} == {row["answer"] for row in rows if row["question"] == "cheated"}
    assert confide("estimate", survey, reports, "age", "-o", "age.parquet").code == 0
    shares = [row["share"] for row in rows if row["question"] == "age"]
    assert shares == pytest.approx([row["share"] for row in read("age.parquet")])


def test_regressions_rules_and_scores_are_tables_too(confide, survey, reports):
    assert confide("regress", survey, reports, "cheated ~ age", "-o", "fit.csv").code == 0
    assert [row["name"] for row in read("fit.csv")] == ["Intercept", "age"]
    asked = ("rules", survey, reports, "--min-support", "0.1", "--min-confidence", "0.4")
    assert confide(*asked, "--target", "cheated", "-o", "rules.csv").code == 0
    rules = read("rules.csv")
    assert rules and all("cheated" in row["consequent"] for row in rules)
    assert confide(*asked, "--target", "cheated", "-o", "rules.json").code == 0
    assert len(json.loads(Path("rules.json").read_text("utf-8"))["rules"]) == len(rules)
    asked = ("rules", survey, reports, "--min-support", "0.9")
    assert confide(*asked, "-o", "none.csv").code == 0 and read("none.csv") == []
    confide("bayes", survey, reports, "--target", "cheated", "-o", "bayes.json")
    assert confide("score", survey, "bayes.json", reports, "-o", "score.parquet").code == 0
    assert read("score.parquet")[0]["measure"] == "accuracy"


@pytest.mark.parametrize("name", ["found.xlsx", "found", "found.csv.gz"])
def test_another_ending_is_refused_before_anything_is_read(confide, survey, name):
    ran = confide("estimate", survey, "nowhere.parquet", "-o", name)
    assert ran.code == 2 and ran.err.count("\n") == 1
    assert f"a result is written to .csv, .parquet or .json. Got '{name}'." in ran.err
    assert not Path(name).exists()
