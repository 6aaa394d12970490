"""Makes the pictures of the README: python docs/pictures.py (or: make pictures)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import altair as alt
import pandas as pd

FOLDER = Path(__file__).parent / "pictures"


LIGHT = {
    "paper": "white",
    "ink": "#1f2328",
    "grey": "#c9ced6",
    "blue": "#1f5fa8",
    "orange": "#c2410c",
}
DARK = {
    "paper": "#14181e",
    "ink": "#ced6dd",
    "grey": "#485061",
    "blue": "#79b8ff",
    "orange": "#ff9d5c",
}


def demo(colours: dict[str, str]) -> alt.LayerChart:
    """What `confide demo` prints, as a picture that can be read on a phone."""
    command = [sys.executable, "-c", "from confide.cli import main; main()"]
    arguments = ["demo", "--respondents", "2000", "--json"]
    ran = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
    frame = pd.DataFrame(json.loads(ran.stdout))
    frame = frame[frame.question != "faculty"].assign(label=lambda d: d.question + ": " + d.answer)
    rows = alt.Y("label:N", sort=None, title=None, axis=alt.Axis(labelLimit=260, minExtent=225))
    scale = alt.Scale(domain=[0, 1])
    ticks = alt.Axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    base = alt.Chart(frame)
    reported = base.mark_bar(color=colours["grey"], height=20).encode(
        alt.X("reported:Q", scale=scale, title="share of people", axis=ticks), rows
    )
    interval = base.mark_rule(color=colours["blue"], strokeWidth=4).encode(
        alt.X("low:Q"), rows, alt.X2("high:Q")
    )
    estimate = base.mark_point(color=colours["blue"], filled=True, size=130, opacity=1).encode(
        alt.X("share:Q"), rows
    )
    truth = base.mark_tick(color=colours["orange"], thickness=4, height=26, opacity=1).encode(
        alt.X("truth:Q"), rows
    )
    title = alt.Title(
        "What the collector sees, and what comes back",
        subtitle="grey: reported · blue: estimate with its 95 % interval · orange: the truth",
        anchor="start",
        frame="bounds",
    )
    chart = alt.layer(reported, interval, estimate, truth)
    return _in_colours(chart.properties(width=380, height=290, title=title), colours)


def _in_colours(chart: alt.LayerChart, colours: dict[str, str]) -> alt.LayerChart:
    ink, paper = colours["ink"], colours["paper"]
    return (
        chart.configure(background=paper, padding=12)
        .configure_axis(
            labelColor=ink, titleColor=ink, labelFontSize=16, titleFontSize=16, gridColor="#8884"
        )
        .configure_title(color=ink, subtitleColor=ink, fontSize=19, subtitleFontSize=15)
        .configure_view(stroke="#8884")
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    demo(LIGHT).save(FOLDER / "demo.svg")
    demo(DARK).save(FOLDER / "demo-dark.svg")
