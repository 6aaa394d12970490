"""The coefficients of a regression as a picture."""

from __future__ import annotations

import pyarrow as pa

from confide.extras import Altair, explain_missing


def draw_coefficients(table: pa.Table, title: str) -> Altair:
    """Draw the rows of a result, but for the intercept, as points with their intervals."""
    with explain_missing("confide[plot]", "a chart"):
        import altair as alt

    rows = [row for row in table.to_pylist() if row["name"] != "Intercept"]
    data = alt.Data(values=rows)  # type: ignore[no-untyped-call]
    base = alt.Chart(data, title=title)
    down = alt.Y("name:N", title=None, sort=None)
    across = alt.X("low:Q", title="coefficient")
    lines = base.mark_rule(color="#333333").encode(down, across, x2="high:Q")
    points = base.mark_point(filled=True, color="#1f4e79").encode(down, x="coefficient:Q")
    none = alt.Chart(alt.Data(values=[{}])).mark_rule(strokeDash=[2, 3], color="#666666")  # type: ignore[no-untyped-call]
    return none.encode(x=alt.datum(0)) + lines + points
