"""`confide clusters` and `confide network`, run as a person would."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import confide as cf


@pytest.fixture
def reports(confide, survey):
    disguised = confide("disguise", survey, "answers.parquet", "-o", "reports.parquet", "--seed", 1)
    assert disguised.code == 0
    return survey


FILES = ("survey.toml", "reports.parquet")


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_clusters_are_printed_saved_and_drawn(confide):
    ran = confide("clusters", *FILES, "--clusters", 2, "--picture", "c.svg", "-o", "c.json")
    assert ran.code == 0, ran.err
    assert "2 clusters, 2,000 reports" in ran.out and "Stability of B" in ran.out
    assert Path("c.svg").read_text().startswith("<svg")
    saved = cf.load_model("c.json")
    assert [cluster.name for cluster in saved.clusters_] == ["A", "B"]
    again = confide("clusters", *FILES, "--clusters", 2, "--json").out
    assert json.loads(again) == json.loads(Path("c.json").read_text())
    ran = confide("score", "survey.toml", "c.json", "reports.parquet")
    assert ran.code == 2 and "predicts no target" in ran.err


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
def test_a_network_is_printed_saved_and_drawn(confide):
    few = ("--surveys", 3, "--picture", "n.svg", "-o", "n.json")
    ran = confide("network", *FILES, *few)
    assert ran.code == 0, ran.err
    assert "1 edge, 2,000 reports" in ran.out and "cheated   —   drugs" in ran.out
    assert Path("n.svg").read_text().startswith("<svg")
    saved = cf.load_model("n.json")
    assert saved.query("cheated", {"drugs": "yes"})["yes"].value > 0.5
    found = json.loads(confide("network", *FILES, "--surveys", 3, "--json").out)
    assert found == json.loads(Path("n.json").read_text())
    tree = confide(
        "network",
        *FILES,
        "--method",
        "tree",
        "--question",
        "cheated",
        "--question",
        "drugs",
        "--surveys",
        0,
    )
    assert tree.code == 0 and "1 edge" in tree.out


@pytest.mark.parametrize("verb", ["clusters", "network"])
def test_help_shows_an_example_and_mistakes_are_one_line(confide, survey, verb):
    ran = confide(verb, "--help")
    assert ran.code == 0 and f"confide {verb} survey.toml" in ran.out
    ran = confide(verb, survey, "reports.parquet", "--picture", "picture.pdf")
    assert ran.code == 2 and "a picture must end in" in ran.err


@pytest.mark.slow
@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize("command", [("clusters", "--clusters", 2), ("network", "--surveys", 0)])
def test_weights_are_a_column_beside_the_reports(confide, command):
    table = pq.read_table("reports.parquet")
    weights = 1 + np.arange(len(table)) % 3
    pq.write_table(table.append_column("w", pa.array(weights)), "weighed.parquet")
    name, *rest = command
    ran = confide(name, "survey.toml", "weighed.parquet", *rest, "--weights", "w", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["n"] == len(table)
    plain = confide(name, "survey.toml", "reports.parquet", *rest, "--json")
    assert json.loads(plain.out)["learned"] != json.loads(ran.out)["learned"]
    ran = confide(name, "survey.toml", "weighed.parquet", *rest, "--weights", "v")
    assert ran.code == 2 and "no column 'v'" in ran.err
