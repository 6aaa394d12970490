"""The likelihood is the sum over all truths, written out; its derivatives are its differences."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from scipy import integrate, stats

import confide as cf
from confide.regression.families import Linear, Multinomial, Probit
from confide.regression.regression_likelihood import Likelihood

SHARED = cf.Group(["y", "d"], cf.RelatedQuestion("0.7"))
FORCED = {"y": {"yes": "1/3", "no": "2/3"}}
PERSONAL = {"d": {"yes": "1/4", "no": "3/4"}}
DESIGNS = {
    "outcome": [cf.Group(["y"], cf.ForcedResponse("2/3", FORCED))],
    "predictor": [cf.Group(["d"], cf.UnrelatedQuestion("0.6", PERSONAL))],
    "one group": [SHARED],
    "two groups": [
        cf.Group(["y"], cf.RelatedQuestion("0.8")),
        cf.Group(["d"], cf.UnrelatedQuestion("0.6", PERSONAL)),
    ],
    "one group with a third question": [cf.Group(["y", "x", "d"], cf.RelatedQuestion("0.8"))],
}


def design_of(groups):
    asked = [cf.YesNo("y"), cf.YesNo("d"), cf.YesNo("x"), cf.Choice("f", ["a", "b", "c"])]
    return cf.Design([*asked, cf.Number("age", -5, 5)], groups)


def people(n, seed):
    draw = np.random.default_rng(seed)
    age = draw.normal(size=n).clip(-5, 5)
    d = draw.random(n) < 1 / (1 + np.exp(0.5 - 0.7 * age))
    y = draw.random(n) < 1 / (1 + np.exp(0.3 - 0.5 * age - d))
    f = np.array(["a", "b", "c"])[draw.integers(0, 3, n)]
    table = {"y": y.astype(int), "d": d.astype(int), "x": draw.integers(0, 2, n), "f": f}
    return pd.DataFrame({**table, "age": age})


def sum_over_truths(design, reports, params, family):
    """log P(report) with every truth of y and d written out, and M as whole matrices."""
    beta, gamma = params[:3], params[3:]
    whole = 0.0
    for row in reports.itertuples():
        p = 0.0
        for y, d in product([0, 1], [0, 1]):
            eta = beta @ [1, row.age, d]
            yes = 1 / (1 + np.exp(-eta)) if family == "logit" else stats.norm.cdf(eta)
            share = 1 / (1 + np.exp(-gamma @ [1, row.age]))
            truth = (yes if y else 1 - yes) * (share if d else 1 - share)
            p += truth * channel(design, {"y": y, "d": d}, {"y": row.y, "d": row.d})
        whole += np.log(p)
    return whole


def channel(design, truth, report):
    """P(report of y and d | truth), by adding up what else the group may have been and become."""
    p = 1.0
    for block in design.blocks:
        names = [q.name for q in block.questions]
        if not set(names) & set(truth):
            continue
        matrix = block.mixture.matrix()
        cells = list(product(*(range(q.size) for q in block.questions)))
        column = next(i for i, c in enumerate(cells) if fits(c, names, truth))
        p *= sum(matrix[r, column] for r, c in enumerate(cells) if fits(c, names, report))
    return p


def fits(cell, names, values):
    return all(values.get(name, code) == code for name, code in zip(names, cell, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("family", ["logit", "probit"])
@pytest.mark.parametrize("case", DESIGNS)
def test_the_likelihood_is_the_sum_over_all_truths(case, family):
    design = design_of(DESIGNS[case])
    reports = design.disguise(people(60, 1), seed=2)
    result = cf.DisguisedRegression(design, "y ~ age + d", family).fit(reports)
    draw = np.random.default_rng(3)
    hidden = case != "outcome"
    for _ in range(3):
        params = draw.normal(size=5) / 2
        if hidden:
            expected = sum_over_truths(design, reports, params, family)
            assert result.log_likelihood(params) == pytest.approx(expected, rel=1e-10)
        else:  # then the predictor's own distribution is no part of the likelihood
            gap = [
                sum_over_truths(design, reports, np.r_[beta, params[3:]], family)
                - result.log_likelihood(beta)
                for beta in (params[:3], np.zeros(3))
            ]
            assert gap[0] == pytest.approx(gap[1], rel=1e-9)


def random_likelihood(family, outcomes, cells, seed):
    draw = np.random.default_rng(seed)
    rows = 40
    return Likelihood(
        family,
        draw.random((rows, outcomes, cells)),
        np.concatenate([np.ones((cells, rows, 1)), draw.normal(size=(cells, rows, 2))], axis=2),
        np.c_[np.ones(rows), draw.normal(size=rows)],
        draw.normal(size=rows),
        draw.normal(size=rows) / 5,
        draw.integers(1, 4, rows).astype(float),
    )


@pytest.mark.parametrize("cells", [1, 2, 3])
@pytest.mark.parametrize(
    ("family", "outcomes"), [(Multinomial(2), 2), (Multinomial(3), 3), (Probit(), 2), (Linear(), 1)]
)
def test_derivatives_are_differences(family, outcomes, cells):
    model = random_likelihood(family, outcomes, cells, 1)
    params = np.random.default_rng(2).normal(size=model.size) / 2
    here = model.evaluate(params)
    step = 1e-6
    moves = step * np.eye(model.size)
    value = [(model.value(params + m) - model.value(params - m)) / (2 * step) for m in moves]
    np.testing.assert_allclose(here.gradient, value, rtol=1e-6, atol=1e-6)
    gradients = [
        (model.evaluate(params + m).gradient - model.evaluate(params - m).gradient) / (2 * step)
        for m in moves
    ]
    np.testing.assert_allclose(here.hessian, gradients, rtol=1e-5, atol=1e-5)


@pytest.mark.slow
def test_a_random_intercept_is_the_integral_over_it():
    design = design_of(DESIGNS["outcome"])
    answers = people(400, 4)
    school = np.repeat(np.arange(8), 50)
    shift = np.random.default_rng(5).normal(size=8)[school]
    yes = 1 / (1 + np.exp(-(0.5 * answers.age + shift)))
    answers["y"] = (np.random.default_rng(6).random(400) < yes).astype(int)
    reports = design.disguise(answers, seed=7).assign(school=school)
    result = cf.DisguisedRegression(design, "y ~ age").fit(reports, random_intercept="school")
    assert list(result.params.index) == ["Intercept", "age", "sd(school)"]

    schools = [part[["age", "y"]].to_numpy() for _, part in reports.groupby("school")]

    def log_likelihood(params):
        base, slope, deviation = params
        whole = 0.0
        for part in schools:

            def density(b, part=part):
                yes = 1 / (1 + np.exp(-(base + slope * part[:, 0] + deviation * b)))
                yes = 2 / 3 * yes + 1 / 9
                height = np.exp(-(b**2) / 2) / np.sqrt(2 * np.pi)
                return np.prod(np.where(part[:, 1] == 1, yes, 1 - yes)) * height

            whole += np.log(integrate.quad(density, -9, 9, epsabs=0, epsrel=1e-9, limit=200)[0])
        return whole

    peak = result.params.to_numpy()
    assert result.llf == pytest.approx(log_likelihood(peak), abs=1e-5)
    step = 1e-3
    for move in step * np.eye(3):
        slope = (log_likelihood(peak + move) - log_likelihood(peak - move)) / (2 * step)
        assert slope == pytest.approx(0, abs=2e-3)
