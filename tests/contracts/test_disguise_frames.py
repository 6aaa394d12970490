"""One contract: every dataframe of answers comes back as reports of its own kind."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.engines import ELSEWHERE, IN_MEMORY, named
from support.properties import examples

import confide as cf

DESIGN = cf.Design(
    [
        cf.YesNo("word"),
        cf.YesNo("truth"),
        cf.YesNo("whole"),
        cf.YesNo("real"),
        cf.Choice("faculty", ["arts", "law", "science"]),
        cf.Choice("siblings", [3, 1, 2]),
        cf.Number("age", 16, 80, step=1),
        cf.Number("income", 0, 100),
        cf.Number("weight", 0, 100),
    ],
    [
        cf.Group(["word", "faculty"], cf.RelatedQuestion("3/4")),
        cf.Group(["truth"], cf.RelatedQuestion("2/3")),
        cf.Group(["whole"], cf.ForcedResponse("1/2", {"whole": {"yes": "1/2", "no": "1/2"}})),
        cf.Group(["real"], cf.RelatedQuestion("1/3")),
        cf.Group(["siblings"], cf.RandomizedChoice("2/3")),
        cf.Group(["income"], cf.GaussianNoise(3)),
        cf.Group(["weight"], cf.Intervals([0, 50, 100])),
    ],
)
ANSWERS = pa.table(
    {
        "name": ["Ann", "Bob", "Cat"] * 40,
        "word": ["yes", "no", "no"] * 40,
        "truth": [True, False, True] * 40,
        "whole": pa.array([1, 0, 1] * 40, pa.int8()),
        "real": [1.0, 0.0, 0.0] * 40,
        "faculty": ["arts", "science", "law"] * 40,
        "siblings": [1, 2, 3] * 40,
        "age": [16, 80, 33] * 40,
        "income": [0.5, 99.5, 50.0] * 40,
        "weight": [1.5, 49.5, 80.0] * 40,
    }
)
ALLOWED = {
    "word": {"yes", "no"},
    "truth": {True, False},
    "whole": {0, 1},
    "real": {0.0, 1.0},
    "faculty": {"arts", "law", "science"},
    "siblings": {1, 2, 3},
    "age": {16, 80, 33},
    "weight": {25.0, 75.0},
}


@pytest.mark.parametrize("engine", IN_MEMORY, ids=named)
def test_reports_come_back_in_the_kind_the_answers_came_in(engine, tmp_path):
    answers = engine(ANSWERS, tmp_path)
    reports = DESIGN.disguise(answers, seed=1, keep=[])
    assert type(reports) is type(answers)
    before, after = nw.from_native(answers), nw.from_native(reports)
    assert tuple(after.columns) == DESIGN.names
    assert len(after) == len(before)
    for name in DESIGN.names:
        assert family(after[name].dtype) == family(nw.from_native(ANSWERS)[name].dtype), name
        if name in ALLOWED:
            assert set(after[name].to_list()) == ALLOWED[name]
    assert cf.Counts.of(DESIGN, reports).n == 120


def family(kind):
    """Texts, truth values, whole numbers or real ones."""
    if kind.is_numeric():
        return "whole" if kind.is_integer() else "real"
    return "truth" if kind == nw.Boolean else "text"


def test_every_kind_of_frame_gets_the_same_reports_from_the_same_seed(tmp_path):
    expected = nw.from_native(DESIGN.disguise(ANSWERS, seed=5, keep=[])).rows()
    for engine in IN_MEMORY:
        reports = DESIGN.disguise(engine(ANSWERS, tmp_path), seed=5, keep=[])
        assert nw.from_native(reports).rows() == expected, named(engine)


@pytest.mark.parametrize("kind", ["?", "i1", "u1", "i8", "f4", "f8", "U3", "O"])
def test_an_array_comes_back_in_its_own_kind_and_shape(kind):
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])
    answers = np.array([[1, 0], [0, 1], [1, 1]] * 20)
    answers = np.where(answers, "yes", "no") if kind == "U3" else answers.astype(kind)
    reports = design.disguise(answers, seed=3)
    assert reports.shape == answers.shape
    assert reports.dtype.kind == answers.dtype.kind
    np.testing.assert_array_equal(reports[:, 1], answers[:, 1])
    assert set(reports[:, 0]) == set(answers[:, 0])
    column = cf.Design([cf.YesNo("b")]).disguise(answers[:, 1])
    assert column.shape == (60,) and column.dtype.kind == answers.dtype.kind


@pytest.mark.slow
def test_an_option_that_a_narrow_column_cannot_hold_widens_it():
    design = cf.Design([cf.Choice("a", range(200))], [cf.Group(["a"], cf.RandomizedChoice("1/2"))])
    reports = design.disguise(np.full(1000, 7, np.int8), seed=1)
    assert reports.min() >= 0 and reports.max() > 127
    design = cf.Design([cf.Choice("a", [-1, 0, 1])], [cf.Group(["a"], cf.RandomizedChoice("1/2"))])
    assert set(design.disguise(np.ones(100, np.uint8), seed=1)) == {-1, 0, 1}


@pytest.mark.parametrize("engine", IN_MEMORY, ids=named)
def test_missing_answers_are_refused_or_become_an_option_in_words(engine, tmp_path):
    answers = engine(
        pa.table({"word": ["yes", None, "no"] * 30, "whole": [1, None, 0] * 30}), tmp_path
    )
    asked = [cf.YesNo("word"), cf.YesNo("whole")]
    design = cf.Design(asked, [cf.Group(["whole"], cf.RelatedQuestion("3/4"))])
    with pytest.raises(cf.AnswersError, match="'word' is empty in 30 of 90 answers"):
        design.disguise(answers)
    reports = nw.from_native(design.disguise(answers, missing="option", seed=1))
    assert reports["word"].to_list() == ["yes", "prefer not to say", "no"] * 30
    assert set(reports["whole"].to_list()) == {"yes", "prefer not to say", "no"}


@pytest.mark.parametrize("engine", [e for e in ELSEWHERE if named(e) != "spark_frame"], ids=named)
def test_answers_that_are_not_in_memory_are_refused(engine, tmp_path):
    table = pa.table({"a": ["yes", "no"]})
    with pytest.raises(cf.AnswersError, match="in memory"):
        cf.Design([cf.YesNo("a")]).disguise(engine(table, tmp_path))


SENTINELS = [
    "Sentinel",
    777_666,
    777_666.5,
    -777_666,
    b"Sentinel",
    b"\xff Sentinel",
    ["Sentinel"],
    {"a": "Sentinel"},
    date(7776, 6, 6),
    Decimal("777666.5"),
    777_666**9,
    object(),
    777_666 + 0j,
    float("nan"),
    float("inf"),
    None,
    True,
]
TELLTALES = ["Sentinel", "777", "666"]


def held(values, kind):
    """Some values in a dataframe or array, if it can hold them at all."""
    objects = np.empty(len(values), dtype=object)
    objects[:] = values
    if kind == "numpy objects":
        return objects[:, None]
    if kind == "numpy":
        return np.array(values)[:, None]
    if kind == "pandas objects":
        return pd.DataFrame({"a": pd.Series(objects, dtype=object)})
    if kind == "pandas":
        return pd.DataFrame({"a": values})
    if kind == "pandas categories":
        return pd.DataFrame({"a": pd.Series(values).astype("category")})
    if kind == "polars":
        return pl.DataFrame({"a": values})
    if kind == "polars objects":
        return pl.DataFrame({"a": pl.Series(values, dtype=pl.Object)})
    return pa.table({"a": values})


@pytest.mark.slow
@examples(400)
@given(
    st.sampled_from(
        [cf.YesNo("a"), cf.Choice("a", ["x", "y"]), cf.Choice("a", [1, 5]), cf.Number("a", 0, 9)]
    ),
    st.sampled_from(
        [
            "numpy",
            "numpy objects",
            "pandas",
            "pandas objects",
            "pandas categories",
            "polars",
            "polars objects",
            "pyarrow",
        ]
    ),
    st.lists(st.sampled_from([*SENTINELS, "yes", "x", 1, 1.0, False]), min_size=1, max_size=4),
    st.booleans(),
)
def test_no_error_ever_contains_an_answer(question, kind, values, counting):
    try:
        table = held(values, kind)
    except Exception:
        return
    design = cf.Design([question])
    try:
        cf.Counts.of(design, table) if counting else design.disguise(table)
    except cf.ConfideError as error:
        assert not [mark for mark in TELLTALES if mark in str(error)]
        assert "\n" not in str(error)


YES_NO = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])


def test_a_column_named_by_a_number_can_be_kept():
    reports = YES_NO.disguise(pd.DataFrame({"a": [0, 1, 1], 5: [7, 8, 9]}), seed=1, keep=[5])
    assert reports[5].tolist() == [7, 8, 9]


@pytest.mark.parametrize("kind", ["boolean", "Int64", "int64[pyarrow]", "bool[pyarrow]"])
def test_a_pandas_column_keeps_its_kind(kind):
    answers = pd.DataFrame({"a": pd.Series([0, 1, 1, 0], dtype="int64").astype(kind)})
    assert YES_NO.disguise(answers, seed=1)["a"].dtype == answers["a"].dtype


@pytest.mark.parametrize("kind", ["Int64", "int64"])
def test_noise_on_whole_numbers_need_not_be_whole(kind):
    design = cf.Design([cf.Number("x", 0, 10)], [cf.Group(["x"], cf.GaussianNoise(1))])
    reports = design.disguise(pd.DataFrame({"x": pd.Series([1, 2, 3], dtype=kind)}), seed=1)
    assert (reports["x"] % 1 != 0).all()
