"""What is wrong is said in the options that people type, not in Python's arguments."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import confide as cf

DESIGN = cf.Design(
    [
        cf.YesNo("cheated"),
        cf.Choice("faculty", ["arts", "law", "science"]),
        cf.Number("age", 16, 80),
        cf.Number("hours", 0, 100, step=1),
    ],
    [
        cf.Group(["cheated"], cf.RelatedQuestion("3/4")),
        cf.Group(["hours"], cf.UniformNoise(20)),
    ],
)
ARGUMENT = re.compile(r"\b[a-z_]+=(?!\w)")


@pytest.fixture
def reports(tmp_path):
    """Reports of 200 people, as r.csv, with an empty answer as gaps.csv, and as counts.parquet."""
    chance = np.random.default_rng(1)
    answers = pd.DataFrame(
        {
            "cheated": chance.integers(0, 2, 200),
            "faculty": chance.choice(["arts", "law", "science"], 200),
            "age": chance.uniform(16, 80, 200),
            "hours": chance.integers(0, 101, 200),
            "w": chance.uniform(0.5, 2, 200),
            "id": np.arange(200),
        }
    )
    DESIGN.save(tmp_path / "s.toml")
    found = DESIGN.disguise(answers, seed=1, keep=["w", "id"])
    found.to_csv(tmp_path / "r.csv", index=False)
    found.assign(age=found.age.where(found.id != 3)).to_csv(tmp_path / "gaps.csv", index=False)
    cf.Counts.of(DESIGN, found).save(tmp_path / "counts.parquet")
    return found


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("estimate r.csv hours cheated --method inverse", "Use --method likelihood."),
        ("estimate gaps.csv age", "that are empty with --missing-at-random."),
        ("estimate counts.parquet cheated --weights w", "crowd.rake(…) in Python."),
        ("regress r.csv faculty~age", "Use --family multinomial."),
        (
            "regress r.csv cheated~age --errors linearised",
            "--errors linearised needs --weights, --strata or --population.",
        ),
        ("regress r.csv cheated~age --errors cluster", "--errors cluster and --clusters go"),
        ("regress r.csv cheated~age --errors opg --weights w", "leave --errors out."),
        ("regress r.csv cheated~age --random-intercept id", "--random-intercept needs groups"),
        ("regress gaps.csv cheated~age", "leave those rows out with --missing drop."),
        ("tree r.csv --target cheated --method global", "use --method auto."),
        ("tree r.csv --target cheated --in-place", "only --method literal learns."),
        ("tree gaps.csv --target cheated", 'with missing="at random" in Python.'),
        ("rules r.csv --min-support 50", "--min-support must be above 0"),
        ("clusters r.csv --clusters 500", "--clusters must be at most 26"),
    ],
)
def test_an_error_names_options(confide, reports, typed, said):  # noqa: ARG001
    command, *rest = typed.split()
    ran = confide(command, "s.toml", *rest)
    assert ran.code == 2
    assert said in ran.err
    assert not ARGUMENT.search(ran.err.replace('missing="at random" in Python', ""))


@pytest.mark.parametrize("by", ["strata", "clusters"])
def test_counts_are_drawn_by_a_question_that_is_not_asked_for(confide, reports, by):
    ran = confide("estimate", "s.toml", "counts.parquet", "cheated", f"--{by}", "faculty")
    assert ran.code == 0
    share = cf.Crowd(DESIGN, reports, **{by: "faculty"}).proportion({"cheated": "yes"})
    assert share.format_margin() in ran.out


def test_digits_that_are_no_number_are_not_missing(confide, reports, tmp_path):
    commas = reports.assign(age=[f"{age:.1f}".replace(".", ",") for age in reports.age])
    commas.to_csv(tmp_path / "commas.csv", index=False, sep=";")
    for more in ([], ["--missing-at-random"]):
        ran = confide("estimate", "s.toml", "commas.csv", "age", *more)
        assert ran.err.endswith("holds no number from 16 to 80 in 200 of 200 reports.\n")
