"""A design read off a table of answers."""

from __future__ import annotations

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import confide as cf

PEOPLE = {
    "truth": [True, False, None, True],
    "code": [0, 1, 1, 0],
    "said": ["yes", "No", "yes", "no"],
    "sex": ["m", "f", "f", None],
    "age": [19, 24, 31, 20],
    "whole": [1.0, 5.0, 2.0, 3.0],
    "hours": [0.5, 3.25, 2.0, 1.0],
}
KINDS = {"truth": cf.YesNo, "code": cf.YesNo, "said": cf.YesNo, "sex": cf.Choice, "age": cf.Number}


@pytest.mark.parametrize("hold", [pa.table, pd.DataFrame, pl.DataFrame])
def test_columns_become_the_questions_that_they_answer(hold):
    design = cf.Design.like(hold(PEOPLE), title="People")
    assert design.names == tuple(PEOPLE) and design.title == "People"
    for name, kind in KINDS.items():
        assert isinstance(design.question(name), kind)
    assert design.question("sex").options == ("f", "m")
    age, whole, hours = (design.question(name) for name in ("age", "whole", "hours"))
    assert (age.low, age.high, age.step) == (19, 31, 1)
    assert (whole.low, whole.high, whole.step) == (1, 5, 1)
    assert (hours.low, hours.high, hours.step) == (0.5, 3.25, None)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series(pd.Categorical(["mid", "lo"] * 5, ["lo", "mid", "hi"], ordered=True)),
        pl.Series(["mid", "lo"] * 5, dtype=pl.Enum(["lo", "mid", "hi"])),
    ],
    ids=["pandas", "polars"],
)
def test_a_column_with_ordered_options_keeps_them_and_their_order(column):
    frame = (pl if isinstance(column, pl.Series) else pd).DataFrame({"rung": column})
    (rung,) = (design := cf.Design.like(frame)).questions
    assert rung.options == ("lo", "mid", "hi") and rung.ordered
    assert cf.Crowd(design, frame).table(["rung"]).values.tolist() == [0.5, 0.5, 0]


def test_answers_go_through_the_design_that_was_read_off_them():
    generator = np.random.default_rng(1)
    people = pa.table({"a": generator.random(500) < 0.3, "sex": generator.choice(["f", "m"], 500)})
    design = cf.Design.like(people, [cf.Group(["a"], cf.RelatedQuestion("4/5"))])
    share = cf.Crowd(design, design.disguise(people, seed=1)).proportion({"a": "yes"})
    assert abs(share.value - 0.3) < 4 * share.standard_error
    assert cf.Design.like(people, questions=["sex"]).names == ("sex",)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"x": [None, None]}, "is empty"),
        ({"x": [3, 3]}, "holds one number"),
        ({"x": [date(2026, 1, 1), date(2026, 1, 2)]}, "holds dates or times"),
        ({"x": [f"text {i}" for i in range(40)]}, "40 different texts"),
        ({"x": [[1, 2], [3]]}, "several values for each person"),
    ],
)
def test_a_column_that_tells_no_question_is_refused(columns, said):
    with pytest.raises(cf.DesignError, match=said):
        cf.Design.like(pa.table(columns))


def test_what_is_no_table_and_a_column_that_is_not_there_are_refused():
    with pytest.raises(cf.DesignError, match="Got list"):
        cf.Design.like([1, 2])
    with pytest.raises(cf.DesignError, match="two columns of the table"):
        cf.Design.like(pd.DataFrame([[1, 2]], columns=["x", "x"]))
    with pytest.raises(cf.DesignError, match="column 0 has none"):
        cf.Design.like(pd.DataFrame({0: [1, 0]}))
    with pytest.raises(cf.DesignError, match="no column 'y'"):
        cf.Design.like(pa.table({"x": [1, 2]}), questions=["y"])
