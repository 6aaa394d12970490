"""Results as dataframes, in notebooks and as pictures."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.Choice("<b>", ["x", "y & z"]), cf.Number("age", 0, 9, step=1)],
    [cf.Group(["a"], cf.RelatedQuestion("4/5"))],
)
GENERATOR = np.random.default_rng(1)
CODES = [GENERATOR.integers(0, size, 300) for size in (2, 2, 10)]
CROWD = cf.Crowd(DESIGN, cf.Counts.gather(DESIGN, CODES))
TABLE = CROWD.table(["<b>", "a"])


@pytest.mark.parametrize(
    "result", [TABLE, CROWD.distribution("age"), CROWD.compare({"a": "yes"}, "<b>")]
)
def test_a_result_is_the_same_in_every_library(result):
    arrow = result.to_arrow()
    assert result.to_pandas().to_dict("list") == arrow.to_pydict()
    assert result.to_polars().to_dict(as_series=False) == arrow.to_pydict()
    html = result._repr_html_()
    assert html.count("<tr>") == arrow.num_rows + 1


def test_a_notebook_shows_names_as_they_are_written():
    html = TABLE._repr_html_()
    assert "<th>&lt;b&gt;</th>" in html and "<td>y &amp; z</td>" in html
    assert f"<td>{TABLE.values[0, 0]:.3f}</td>" in html
    long = CROWD.table(["<b>", "a", "age"])._repr_html_()
    assert "<caption>" not in long
    longer = cf.Design([cf.Number("x", 0, 99, step=1)])
    many = cf.Crowd(longer, np.arange(100.0)).table(["x"])._repr_html_()
    assert many.count("<tr>") == 41 and "… 60 more rows" in many


def test_a_table_is_drawn_with_its_intervals():
    drawn = TABLE.plot().to_dict()
    rows = drawn["data"]["values"]
    assert [row["share"] for row in rows] == TABLE.values.ravel().tolist()
    assert [row["low"] for row in rows] == TABLE.interval()[0].ravel().tolist()
    alone = CROWD.table(["a"]).plot().to_dict()
    assert [layer["mark"]["type"] for layer in alone["layer"]] == ["rule", "point"]


HARDLY_TELLING = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("11/20"))])
FEW = cf.Crowd(HARDLY_TELLING, np.zeros(30, int))


@pytest.mark.parametrize("result", [FEW, FEW.table(["a"]), FEW.proportion({"a": "yes"})])
def test_a_notebook_says_in_words_what_printing_says(result):
    share = FEW.proportion({"a": "yes"})
    assert share.note == "outside 0 to 1; wide" and share.note in repr(share)
    html = result._repr_html_()
    assert "<th>note</th>" in html and f"<td>{share.note}</td>" in html


def test_a_notebook_has_no_notes_where_there_are_none():
    for result in (TABLE, CROWD, CROWD.proportion({"a": "yes"}), CROWD.mean("age")):
        assert "<th>note</th>" not in result._repr_html_()


def test_notes_are_of_the_rows_that_are_shown():
    design = cf.Design([cf.YesNo("a"), cf.Number("x", 0, 99, step=1)], HARDLY_TELLING.groups)
    numbers = np.column_stack([np.zeros(100), np.arange(100.0)])
    html = cf.Crowd(design, numbers).table(["x", "a"])._repr_html_()
    assert html.count("outside 0 to 1") > 0 and html.count("<tr>") == 41


def test_a_notebook_writes_what_is_not_known_and_what_has_no_end_as_printing_does():
    nobody = cf.Crowd(cf.Design([cf.YesNo("a"), cf.YesNo("b")]), np.array([[1, 0], [0, 1]] * 20))
    ratio = nobody.risk_ratio({"a": "yes"}, {"b": "no"}, {"b": "yes"})
    assert repr(ratio).startswith("not known") and "∞" in repr(ratio)
    html = ratio._repr_html_()
    assert "<td>not known</td>" in html and "<td>∞</td>" in html and "nan" not in html
