"""Makes the pictures of the README: python docs/pictures.py (or: make pictures)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import altair as alt
import pandas as pd

FOLDER = Path(__file__).parent / "pictures"


def demo() -> alt.LayerChart:
    """What `confide demo` prints, as a picture."""
    command = [sys.executable, "-c", "from confide.cli import main; main()"]
    arguments = ["demo", "--respondents", "2000", "--json"]
    ran = subprocess.run([*command, *arguments], capture_output=True, text=True, check=True)
    frame = pd.DataFrame(json.loads(ran.stdout))
    frame = frame[frame.question != "faculty"].assign(label=lambda d: d.question + ": " + d.answer)
    rows = alt.Y("label:N", sort=None, title=None)
    scale = alt.Scale(domain=[0, 1])
    base = alt.Chart(frame)
    reported = base.mark_bar(color="#d0d4da", height=16).encode(
        alt.X("reported:Q", scale=scale, title="share of people", axis=alt.Axis(format="%")), rows
    )
    interval = base.mark_rule(color="#1f5fa8", strokeWidth=3).encode(
        alt.X("low:Q"), rows, alt.X2("high:Q")
    )
    estimate = base.mark_point(color="#1f5fa8", filled=True, size=90, opacity=1).encode(
        alt.X("share:Q"), rows
    )
    truth = base.mark_tick(color="#c2410c", thickness=3, height=22).encode(alt.X("truth:Q"), rows)
    title = alt.Title(
        "What the collector sees, and what comes back",
        subtitle="grey: reported · blue: estimate with its 95 % interval · orange: the truth",
    )
    return alt.layer(reported, interval, estimate, truth).properties(
        width=520, height=230, title=title
    )


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    demo().save(FOLDER / "demo.svg")
