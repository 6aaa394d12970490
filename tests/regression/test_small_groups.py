"""Random intercepts of pairs, where the reports hardly tell the groups apart."""

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

import confide as cf

TRUTH = 0.8
DESIGN = cf.Design([cf.YesNo("y")], [cf.Group(["y"], cf.RelatedQuestion(str(TRUTH)))])


def draw(size: int, groups: int, seed: int) -> pd.DataFrame:
    """Draw reports of groups of so many people, whose intercepts deviate by 0.7."""
    chance, n = np.random.default_rng(seed), size * groups
    x, group = chance.normal(size=n).round(1), np.repeat(np.arange(groups), size)
    eta = -0.5 + 0.8 * x + 0.7 * chance.normal(size=groups)[group]
    answers = pd.DataFrame({"y": (chance.random(n) < expit(eta)).astype(int), "x": x, "g": group})
    return DESIGN.disguise(answers, seed=seed, keep=["x", "g"])


def integrate(reports: pd.DataFrame, params: np.ndarray) -> float:
    """The log-likelihood by a grid of 4,001 intercepts, the same for every group."""
    b = np.linspace(-8, 8, 4001)
    density = np.exp(-(b**2) / 2)
    eta = params[0] + params[1] * reports["x"].to_numpy()[:, None] + params[2] * b
    yes = 1 - TRUTH + (2 * TRUTH - 1) * expit(eta)
    rows = np.where(reports["y"].to_numpy()[:, None] == 1, yes, 1 - yes)
    groups = np.ones((reports["g"].max() + 1, len(b)))
    np.multiply.at(groups, reports["g"].to_numpy(), rows)
    return float(np.log(groups @ density / density.sum()).sum())


@pytest.mark.parametrize("seed", [1, 8, 13, 35])
def test_the_intercepts_of_pairs_are_fitted_at_the_peak_of_their_likelihood(seed):
    reports = draw(2, 300, seed)
    result = cf.DisguisedRegression(DESIGN, "y ~ x").fit(reports, random_intercept="g")
    peak = result.params.to_numpy()
    assert result.llf == pytest.approx(integrate(reports, peak), abs=0.01)
    for place, step in ((0, 0.1), (1, 0.1), (2, 0.3), (2, 3.0)):
        for sign in (-1, 1):
            there = peak.copy()
            there[place] += sign * step
            assert integrate(reports, there) < result.llf
    assert not [note for note in result.notes if "no finite" in note]


def test_groups_of_one_report_each_are_refused():
    with pytest.raises(cf.QueryError, match="groups of several reports"):
        cf.DisguisedRegression(DESIGN, "y ~ x").fit(draw(1, 50, 1), random_intercept="g")
