"""Sandwiches where few people answer yes and a report tells little, in simulations."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf

DESIGN = cf.Design([cf.YesNo("y")], [cf.Group(["y"], cf.RelatedQuestion("3/4"))])


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("options", [{"cov_type": "robust"}, {"weights": "w"}])
def test_the_interval_of_a_rare_outcome_covers_and_that_by_what_was_told_does_not(options):
    """400 surveys of 3,000, of whom 3 % say yes: .95 has the error .011, and 92 to 98 % pass.

    The twin, made with what the reports happened to tell, has 90 %.
    """
    chance = np.random.default_rng(2)
    held, observed = [], []
    for _ in range(400):
        x = chance.normal(size=3000).round(1)
        yes = chance.random(3000) < 1 / (1 + np.exp(3.476 - 0.5 * x))
        people = pd.DataFrame({"y": yes, "x": x, "w": chance.exponential(size=3000) + 0.2})
        reports = DESIGN.disguise(people, seed=chance, keep=["x", "w"])
        result = cf.DisguisedRegression(DESIGN, "y ~ x").fit(reports, **options)
        if np.isnan(result.bse["x"]):
            continue
        low, high = result.conf_int().loc["x"]
        held.append(low <= 0.5 <= high)
        peak = result.objective.evaluate(result.peak.params)
        bread = np.linalg.inv(-peak.hessian)
        error = np.sqrt((bread @ peak.outer_product @ bread)[1, 1])
        observed.append(abs(result.params["x"] - 0.5) < 1.96 * error)
    assert len(held) >= 385
    assert 0.92 <= np.mean(held) <= 0.98
    if "weights" not in options:  # whose squares the twin does not know
        assert np.mean(observed) < 0.92
