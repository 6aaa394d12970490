"""A privacy statement as a picture: how often each answer is guessed right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.extras import Altair, explain_missing

if TYPE_CHECKING:
    from confide.privacy.statement import PrivacyStatement

_COLUMNS = {
    "without a report": "guess_without_report",
    "from its report": "guess_from_its_report",
    "from the whole report": "guess_from_whole_report",
}
_COLOURS = {
    "without a report": "#9aa5b1",
    "from its report": "#0072B2",
    "from the whole report": "#D55E00",
}


def draw_guesses(statement: PrivacyStatement) -> Altair:
    """Draw for each question how often the best guess is right, with and without reports."""
    with explain_missing("confide[plot]", "a chart"):
        import altair as alt
    rows = [
        {"question": row["question"], "guessed": guessed, "right": row[column]}
        for row in statement.to_arrow().to_pylist()
        for guessed, column in _COLUMNS.items()
    ]
    colours = alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    return (
        alt.Chart(alt.Data(values=rows))  # type: ignore[no-untyped-call]
        .mark_bar()
        .encode(
            alt.Y("question:N", title=None, sort=None),
            alt.X(
                "right:Q",
                title="how often the best guess is right",
                scale=alt.Scale(domain=[0, 1]),
                axis=alt.Axis(format="%"),
            ),
            alt.Color("guessed:N", title="guessed", sort=list(_COLOURS), scale=colours),
            yOffset=alt.YOffset("guessed:N", sort=list(_COLOURS)),
        )
    )
