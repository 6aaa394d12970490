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
