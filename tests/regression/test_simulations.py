"""The coefficients are unbiased and their 95 % intervals cover, for every way to be disguised.

120 simulated surveys of 1,500 people a case. The mean of an estimate must be within 4.5 standard
errors of the truth, plus the bias that a logit has by itself at this n (under 3 % of a
coefficient); the coverage, whose standard error is 2 points, at least 89 %. The twins show
that a truth which is wrong by a twentieth is caught, and so is a disguise that is ignored.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import confide as cf

pytestmark = [pytest.mark.statistical, pytest.mark.slow]
SURVEYS = 120
PEOPLE = 1_500
TRUE = {"Intercept": -0.6, "z": 0.7, "d": 1.0}
PERSONAL = {"y": {"yes": "1/4", "no": "3/4"}}


def groups(truth="0.85"):
    related = cf.RelatedQuestion(truth)
    return {
        "outcome": [cf.Group(["y"], related)],
        "predictor": [cf.Group(["d"], related)],
        "one group": [cf.Group(["y", "d"], related)],
        "two groups": [cf.Group(["y"], related), cf.Group(["d"], related)],
        "unrelated": [cf.Group(["y"], cf.UnrelatedQuestion(truth, PERSONAL))],
        "forced": [
            cf.Group(["y", "d"], cf.ForcedResponse(truth, {"y": PERSONAL["y"], "d": {"yes": 1}}))
        ],
    }


def design_of(case, truth="0.85"):
    asked = [cf.YesNo("y"), cf.YesNo("d"), cf.Choice("z", [0, 1, 2])]
    return cf.Design(asked, groups(truth)[case])


def people(draw):
    z = draw.integers(0, 3, PEOPLE)
    d = draw.random(PEOPLE) < 1 / (1 + np.exp(0.8 - 0.6 * z))
    eta = TRUE["Intercept"] + TRUE["z"] * z + TRUE["d"] * d
    y = draw.random(PEOPLE) < 1 / (1 + np.exp(-eta))
    return pd.DataFrame({"y": y.astype(int), "d": d.astype(int), "z": z})


def simulate(made, analysed, surveys=SURVEYS):
    """Estimates and standard errors of Intercept, z and d in so many surveys."""
    draw = np.random.default_rng(11)
    model = cf.DisguisedRegression(analysed, "y ~ z + d")
    found = []
    for _ in range(surveys):
        result = model.fit(made.disguise(people(draw), seed=draw))
        found.append((result.params[:3].to_numpy(), result.bse[:3].to_numpy()))
    return np.array(found).transpose(1, 0, 2)


def check(estimates, errors):
    true = np.array(list(TRUE.values()))
    bias = estimates.mean(axis=0) - true
    noise = estimates.std(axis=0) / np.sqrt(len(estimates))
    assert (np.abs(bias) < 4.5 * noise + 0.03 * np.abs(true)).all(), bias
    covered = (np.abs(estimates - true) < 1.96 * errors).mean(axis=0)
    assert (covered > 0.89).all(), covered


@pytest.mark.parametrize("case", groups())
def test_coefficients_are_unbiased_and_their_intervals_cover(case):
    design = design_of(case)
    check(*simulate(design, design))


@pytest.mark.parametrize("case", ["outcome", "one group"])
def test_a_wrong_truth_is_caught(case):
    with pytest.raises(AssertionError):
        check(*simulate(design_of(case), design_of(case, "0.8")))


def test_ignoring_a_predictors_disguise_is_caught():
    clear = cf.Design(design_of("predictor").questions)
    with pytest.raises(AssertionError):
        check(*simulate(design_of("predictor"), clear, surveys=100))
