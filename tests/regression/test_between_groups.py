"""Beside a random intercept, what only differs between groups is told by the groups alone."""

from __future__ import annotations

from math import inf

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm, t

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("y"), cf.YesNo("p"), cf.Number("x", -4, 4)],
    [cf.Group(["y"], cf.RelatedQuestion("0.85")), cf.Group(["p"], cf.RelatedQuestion("0.8"))],
)
TRUE = np.array([-0.4, 0.8, 0.5])


def draw(groups, people, seed):
    """Groups whose intercepts differ by 0.7, and by half of what is written on them."""
    chance = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), people)
    x, written = chance.normal(size=len(group)).clip(-4, 4), chance.normal(size=groups)[group]
    eta = TRUE[0] + TRUE[1] * x + TRUE[2] * written + 0.7 * chance.normal(size=groups)[group]
    y = chance.random(len(group)) < 1 / (1 + np.exp(-eta))
    p = chance.random(len(group)) < 0.4
    answers = pd.DataFrame({"y": y, "p": p, "x": x, "group": group, "written": written})
    return DESIGN.disguise(answers, seed=chance, keep=["group", "written"])


def test_degrees_of_freedom_are_the_groups_less_what_is_fitted_to_them():
    reports = draw(10, 20, 1)
    model = cf.DisguisedRegression(DESIGN, "y ~ x + written + p")
    found = model.fit(reports, random_intercept="group")
    freedoms = dict(zip(found.names, found.freedoms.tolist(), strict=True))
    assert freedoms["Intercept"] == freedoms["written"] == 8
    assert freedoms["x"] == freedoms["p"] == inf
    reach = (found.conf_int()[1] - found.params) / found.bse
    assert reach["written"] == pytest.approx(t.ppf(0.975, 8))
    assert reach["x"] == pytest.approx(norm.ppf(0.975))
    assert found.pvalues["written"] == pytest.approx(2 * t.cdf(-abs(found.tvalues["written"]), 8))
    effects = found.marginal_effects()
    above = (effects["0.975"] - effects["dy/dx"]) / effects["std err"]
    assert above.to_numpy() == pytest.approx(t.ppf(0.975, 8))


def test_without_a_random_intercept_quantiles_are_normal():
    found = cf.DisguisedRegression(DESIGN, "y ~ x + written").fit(draw(10, 20, 1))
    assert (found.freedoms == inf).all()


@pytest.mark.slow
@pytest.mark.statistical
def test_ten_groups_cover_what_is_written_on_them():
    # of 200 surveys 96 % by Student's quantiles, 91.5 % by normal ones; 2.5 standard errors of 60
    inside = {"student": 0, "normal": 0}
    for seed in range(60):
        model = cf.DisguisedRegression(DESIGN, "y ~ x + written")
        found = model.fit(draw(10, 30, seed), random_intercept="group")
        away = abs(found.tvalues["written"] - TRUE[2] / found.bse["written"])
        freedom = found.freedoms[found.names.index("written")]
        inside["student"] += away <= t.ppf(0.975, freedom)
        inside["normal"] += away <= norm.ppf(0.975)
    assert inside["student"] >= 60 * (0.95 - 2.5 * 0.028)
    assert inside["student"] > inside["normal"]
