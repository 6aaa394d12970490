"""A choice whose options have codes in the data: either is read, and comes back as it came."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import duckdb
import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confide as cf
from confide.design.survey_file import SurveyFile
from confide.design.survey_schema import survey_schema
from confide.surveys.survey import Survey
from confide.web.respondent.survey_page import render_page

NUMBERS = cf.Choice("sex", ["female", "male"], codes=[1, 2])
LETTERS = cf.Choice("sex", ["female", "male"], codes=["f", "m"])
PEOPLE = np.random.default_rng(1).integers(0, 2, 400)


def design_of(question, mechanism=None):
    return cf.Design([question], [cf.Group(["sex"], mechanism or cf.RandomizedChoice(0.8))])


COLUMNS = {
    "numbers": (NUMBERS, np.array([1, 2])),
    "floats": (NUMBERS, np.array([1.0, 2.0])),
    "options beside numbers": (NUMBERS, np.array(["female", "male"])),
    "letters": (LETTERS, np.array(["f", "m"])),
    "options beside letters": (LETTERS, np.array(["female", "male"])),
}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("name", COLUMNS)
def test_reports_come_back_as_the_answers_came_and_are_counted_alike(frame, name):
    question, words = COLUMNS[name]
    design = design_of(question)
    reports = design.disguise(frame({"sex": words[PEOPLE]}), seed=3)
    column = np.asarray(reports["sex"])
    assert set(column.tolist()) == set(words.tolist())
    plain = cf.Design([cf.Choice("sex", ["female", "male"])], design.groups)
    same = plain.disguise(frame({"sex": np.array(["female", "male"])[PEOPLE]}), seed=3)
    share = cf.Crowd(design, reports).proportion({"sex": "male"})
    assert share == cf.Crowd(plain, same).proportion({"sex": "male"})


@pytest.mark.parametrize("name", COLUMNS)
def test_engines_and_files_count_codes_as_options(name, tmp_path):
    question, words = COLUMNS[name]
    design = design_of(question)
    reports = pd.DataFrame({"sex": words[PEOPLE]})
    expected = np.bincount(PEOPLE)
    reports.to_csv(tmp_path / "reports.csv", index=False)
    reports.to_parquet(tmp_path / "reports.parquet")
    for held in (
        duckdb.from_df(reports),
        tmp_path / "reports.csv",
        tmp_path / "reports.parquet",
        reports["sex"].to_numpy(),
        reports.astype("category"),
    ):
        assert cf.Counts.of(design, held).table(["sex"]).tolist() == expected.tolist()


def test_categories_of_codes_stay_codes():
    frame = pd.DataFrame({"sex": pd.Categorical(["f"] * 300)})
    reports = design_of(LETTERS).disguise(frame, seed=1)
    assert set(reports["sex"].cat.categories) == {"f", "m"}
    assert 0 < (reports["sex"] == "m").sum() < 300


@pytest.mark.parametrize("asked", [2, "2", "male", 2.0])
def test_a_query_may_ask_for_either(asked):
    crowd = cf.Crowd(design_of(NUMBERS), PEOPLE + 1)
    assert crowd.proportion({"sex": asked}) == crowd.proportion({"sex": "male"})
    assert crowd.table(["sex"]).to_arrow()["sex"].to_pylist() == ["female", "male"]


@pytest.mark.parametrize("question", [NUMBERS, LETTERS])
@pytest.mark.parametrize("ending", ["toml", "json"])
def test_a_survey_file_keeps_them(question, ending, tmp_path):
    path = tmp_path / f"survey.{ending}"
    design_of(question).save(path)
    assert cf.Design.load(path).questions[0] == question
    jsonschema.Draft202012Validator(survey_schema()).validate(SurveyFile.read(path).values)


def test_without_codes_nothing_is_written_and_no_fingerprint_moves():
    plain = cf.Choice("sex", ["female", "male"])
    assert plain.parameters() == {"name": "sex", "options": ["female", "male"]}
    assert cf.Design([plain]).fingerprint != cf.Design([NUMBERS]).fingerprint


def test_a_form_of_another_tool_is_refused_in_one_line(tmp_path):
    for write in (
        design_of(NUMBERS).to_surveyjs,
        lambda: design_of(NUMBERS).save(tmp_path / "x.xlsx"),
    ):
        with pytest.raises(cf.DesignError, match="has codes beside its options"):
            write()


def test_people_read_options_and_never_codes():
    page = render_page(Survey(design_of(LETTERS)), "en", is_open=True)
    assert "female" in page and ">f<" not in page


def test_a_cover_may_name_codes():
    forced = cf.ForcedResponse(0.5, {"sex": {1: 0.25, 2: 0.75}})
    assert design_of(NUMBERS, forced).groups[0].mechanism.forced == {
        "sex": {"female": 1 / 4, "male": 3 / 4}
    }


def test_missing_codes_become_prefer_not_to_say():
    question = cf.Choice("sex", ["female", "male"], codes=[1, 2], missing="option")
    counts = cf.Counts.of(cf.Design([question]), pd.DataFrame({"sex": [1.0, np.nan, 2.0, 2.0]}))
    assert counts.table(["sex"]).tolist() == [1, 2, 1]


@pytest.mark.parametrize("question", [NUMBERS, LETTERS])
def test_a_tree_in_sql_reads_either(question):
    design = cf.Design([question, cf.YesNo("smokes")])
    people = pa.table({"sex": np.array(question.codes)[PEOPLE], "smokes": PEOPLE})
    tree = cf.DisguisedTreeClassifier(design, target="smokes").fit(people)
    rows = [*question.codes, *question.options]
    with closing(sqlite3.connect(":memory:")) as store:
        store.execute("CREATE TABLE people (sex)")
        store.executemany("INSERT INTO people VALUES (?)", [(row,) for row in rows])
        found = store.execute(f"SELECT {tree.sql()} FROM people").fetchall()
    assert [label for (label,) in found] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("options", "codes", "message"),
    [
        (["a", "b"], [1], "at least two"),
        (["a", "b"], [1, 2, 3], "one for each of its options"),
        ([10, 20], [1, 2], "which must be texts"),
        (["a", "b"], ["b", "a"], "'b' is another option"),
        (["a", "b"], [1, 1], "must differ"),
        (["a", "b"], [1, "x"], "all texts or all whole numbers"),
        (["a", "b"], "ab", "must be a list"),
    ],
)
def test_codes_that_would_be_mistaken_are_refused(options, codes, message):
    with pytest.raises(cf.DesignError, match=message):
        cf.Choice("sex", options, codes=codes)
