"""Makes the pictures of README and of a how-to page: python docs/pictures.py (make pictures)."""

from __future__ import annotations

import contextlib
import doctest
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import altair as alt
import pandas as pd

FOLDER = Path(__file__).resolve().parent / "pictures"


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


def save_structure() -> None:
    """Run the page on clusters and networks, which saves their pictures where it runs."""
    page = (FOLDER.parent / "howto" / "find-structure.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    parser, names = doctest.DocTestParser(), {}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in blocks:
            typed = parser.get_examples(block)
            exec("".join(each.source for each in typed) if typed else block, names)
        for name in ("clusters.svg", "network.svg"):
            shutil.copy(name, FOLDER / name)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    save_structure()
    demo(LIGHT).save(FOLDER / "demo.svg")
    demo(DARK).save(FOLDER / "demo-dark.svg")
