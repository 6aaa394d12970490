"""What a dataframe of answers has besides them, its reports have too."""

from __future__ import annotations

import warnings

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.engines import IN_MEMORY, named

import confide as cf

FACULTIES = ["arts", "law", "science"]
DESIGN = cf.Design(
    [cf.YesNo("cheated"), cf.Choice("faculty", FACULTIES)],
    [cf.Group(["cheated", "faculty"], cf.RelatedQuestion("2/5"))],
)
ANSWERS = pa.table(
    {
        "id": ["007", "008", "009", "010"] * 10,
        "cheated": ["yes", "no", "no", "no"] * 10,
        "weight": [1.5, 0.5, 2.0, 1.0] * 10,
        "faculty": ["law", "arts", "arts", "science"] * 10,
    }
)


@pytest.mark.parametrize("engine", IN_MEMORY, ids=named)
def test_kept_columns_come_back_unchanged_after_the_questions(engine, tmp_path):
    answers = engine(ANSWERS, tmp_path)
    reports = DESIGN.disguise(answers, seed=1, keep=["weight", "id"])
    before, after = nw.from_native(answers), nw.from_native(reports)
    assert after.columns == ["cheated", "faculty", "weight", "id"]
    for name in ("weight", "id"):
        assert after[name].to_list() == before[name].to_list()
        assert after.schema[name] == before.schema[name]
    alone = nw.from_native(DESIGN.disguise(answers, seed=1, keep=[]))
    assert after.select("cheated", "faculty").rows() == alone.rows()
    assert cf.Counts.of(DESIGN, reports).n == 40


def test_the_columns_that_are_dropped_are_said_where_the_user_is():
    with pytest.warns(UserWarning, match="columns 'id', 'weight' .* left out") as caught:
        DESIGN.disguise(ANSWERS)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        DESIGN.disguise(ANSWERS, keep=[])
        DESIGN.disguise(ANSWERS, keep=("id",))
        DESIGN.disguise(ANSWERS.select(["faculty", "cheated"]))


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        (["cheated"], "'cheated', which is a question"),
        (["wait"], "no such column. There are 'id', 'weight'"),
        ("id", 'a list such as ["id"]'),
    ],
)
def test_what_cannot_be_kept_is_said(keep, said):
    with pytest.raises(cf.AnswersError) as caught:
        DESIGN.disguise(ANSWERS, keep=keep)
    assert said in str(caught.value)
    with pytest.raises(cf.AnswersError, match="an array has not"):
        cf.Design([cf.YesNo("a")]).disguise(np.array([0, 1]), keep=["id"])


INDEXES = {
    "numbers": pd.Index(range(100, 140), name="person"),
    "texts": pd.Index([f"p{i}" for i in range(40)]),
    "not unique": pd.Index([1, 1, 2, 2] * 10),
    "several levels": pd.MultiIndex.from_product([range(4), range(10)], names=["school", "pupil"]),
    "dates": pd.date_range("2024-01-01", periods=40),
}


@pytest.mark.parametrize("index", INDEXES.values(), ids=INDEXES)
def test_a_pandas_index_stays(index):
    answers = ANSWERS.to_pandas().set_index(index)
    reports = DESIGN.disguise(answers, keep=["id"])
    pd.testing.assert_index_equal(reports.index, answers.index)
    np.testing.assert_array_equal(reports["id"], answers["id"])


def test_the_reports_of_a_filtered_frame_go_back_to_their_rows():
    clear = cf.Design([cf.YesNo("cheated")])
    answers = ANSWERS.to_pandas().sort_values("faculty")
    some = answers[answers["faculty"] != "law"]
    answers.loc[some.index, "report"] = clear.disguise(some, keep=[])["cheated"]
    assert answers["report"].isna().sum() == 10
    told = answers.dropna()
    assert (told["report"] == told["cheated"]).all()


def test_pandas_categories_stay_with_their_order():
    order = pd.CategoricalDtype(["science", "law", "arts"], ordered=True)
    more = pd.CategoricalDtype(["maybe", "no", "yes"])
    answers = ANSWERS.to_pandas().astype({"faculty": order, "cheated": more})
    reports = DESIGN.disguise(answers, seed=1, keep=[])
    assert reports["faculty"].dtype == order and reports["cheated"].dtype == more
    assert set(reports["faculty"]) == set(FACULTIES)


def test_categories_are_found_by_their_reading_and_get_what_they_lack():
    spelled = pd.CategoricalDtype(["YES", "No"])
    few = pd.CategoricalDtype(["law", "arts"], ordered=True)
    answers = ANSWERS.to_pandas().assign(
        cheated=pd.Series(["YES", "No"] * 20, dtype=spelled),
        faculty=pd.Series(["arts", "law"] * 20, dtype=few),
    )
    reports = DESIGN.disguise(answers, seed=1, keep=[])
    assert reports["cheated"].dtype == spelled
    assert reports["faculty"].cat.categories.tolist() == ["law", "arts", "science"]
    assert not reports["faculty"].cat.ordered
    assert reports.notna().all(axis=None)
    assert set(reports["faculty"]) == set(FACULTIES)


def test_categories_of_numbers_stay_numbers():
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])
    answers = pd.DataFrame({"a": pd.Series([1, 0, 0, 1] * 10, dtype="category")})
    reports = design.disguise(answers, seed=1)
    assert reports["a"].dtype == answers["a"].dtype
    assert design.disguise(answers, seed=1, missing="option")["a"].notna().all()


def test_polars_and_arrow_categories_stay():
    frame = pl.from_arrow(ANSWERS)
    enum = pl.Enum(["science", "arts", "law", "none"])
    reports = DESIGN.disguise(
        frame.cast({"faculty": enum, "cheated": pl.Categorical}), seed=1, keep=[]
    )
    assert reports.schema["faculty"] == enum
    assert reports.schema["cheated"] == pl.Categorical
    narrow = DESIGN.disguise(
        frame.head(3).cast({"faculty": pl.Enum(["law", "arts"])}), seed=1, keep=[]
    )
    assert narrow.schema["faculty"] == pl.Enum(["law", "arts", "science"])
    coded = ANSWERS.set_column(3, "faculty", ANSWERS["faculty"].dictionary_encode())
    told = DESIGN.disguise(coded, seed=1, keep=[])
    assert pa.types.is_dictionary(told.schema.field("faculty").type)
    expected = DESIGN.disguise(ANSWERS, seed=1, keep=[])
    assert told["faculty"].to_pylist() == expected["faculty"].to_pylist()
    assert reports["faculty"].to_list() == expected["faculty"].to_pylist()
