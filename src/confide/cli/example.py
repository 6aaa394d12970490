"""The example survey, and made-up students who answer it."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pyarrow as pa


def read_example_survey() -> str:
    """Read the commented example survey: the text that ``confide init`` writes."""
    return files("confide.cli").joinpath("campus.toml").read_text(encoding="utf-8")


def simulate_students(respondents: int, seed: int) -> pa.Table:
    """Make up a student body in which the sensitive answers go together: one row per student."""
    generator = np.random.default_rng(seed)
    faculty = generator.choice(["arts", "law", "science"], respondents, p=[0.4, 0.25, 0.35])
    wild = generator.random(respondents)
    cheated = wild + 0.1 * (faculty == "law") > 0.75
    drugs = (wild > 0.8) | (generator.random(respondents) < 0.08)
    harassed = generator.choice(
        ["never", "once", "more than once"], respondents, p=[0.72, 0.18, 0.10]
    )
    age = np.clip(18 + generator.gamma(2.0, 2.5, respondents).round(), 16, 80)
    words = np.array(["no", "yes"])
    return pa.table(
        {
            "cheated": words[cheated.astype(int)],
            "drugs": words[drugs.astype(int)],
            "harassed": harassed,
            "faculty": faculty,
            "age": age,
        }
    )
