"""Every row of the page for people who come from R is run, or says no and why."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import confide as cf
from confide import compliance, planning

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "r-packages.md"
ROWS = re.findall(r"^\| (?!in R|-)(.+?) \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.M)
HALF = {"q": {"yes": "1/2", "no": "1/2"}}
DRAW = np.random.default_rng(1)
ANSWERS = pd.DataFrame(
    {
        "q": (DRAW.random(4000) < 0.3).astype(int),
        "other": DRAW.integers(0, 2, 4000),
        "school": DRAW.integers(0, 12, 4000),
        "region": DRAW.integers(0, 3, 4000),
        "w": DRAW.uniform(1, 3, 4000),
        "age": DRAW.uniform(18, 60, 4000),
    }
)
KEEP = ["school", "region", "w"]
QUESTIONS = [cf.YesNo("q"), cf.YesNo("other"), cf.Number("age", 18, 60)]


def design_of(*mechanisms):
    groups = [cf.Group([name], m) for name, m in zip(("q", "other"), mechanisms, strict=False)]
    return cf.Design(QUESTIONS, groups)


WARNER = design_of(cf.RelatedQuestion("0.8"))
REPORTS = WARNER.disguise(ANSWERS, seed=2, keep=KEEP)
PLAN = {"weights": "w", "strata": "region", "clusters": "school"}


def finds_the_share(*mechanisms):
    """A share within 4 standard errors of the truth, through each of some mechanisms."""
    for mechanism in mechanisms:
        design = design_of(mechanism)
        found = cf.Crowd(design, design.disguise(ANSWERS[["q", "other", "age"]], seed=3))
        share = found.proportion({"q": "yes"})
        assert abs(share.value - ANSWERS["q"].mean()) < 4 * share.standard_error


def finds_the_mean(*mechanisms):
    for mechanism in mechanisms:
        design = cf.Design([QUESTIONS[2]], [cf.Group(["age"], mechanism)])
        found = cf.Crowd(design, design.disguise(ANSWERS[["age"]], seed=3)).mean("age")
        assert abs(found.value - ANSWERS["age"].mean()) < 4 * found.standard_error


def finds_who_refuses(model, mechanisms, **how):
    designs = [cf.Design([QUESTIONS[0]], [cf.Group(["q"], m)]) for m in mechanisms]
    crowds = [
        cf.Crowd(d, cf.simulate(d, ANSWERS[["q"]], seed=i, **how)) for i, d in enumerate(designs)
    ]
    found = model(crowds, "q")
    assert found.share is not None and 0 <= found.share.value <= 1


def fit(formula="q ~ other", family="logit", design=WARNER, **options):
    return cf.DisguisedRegression(design, formula, family).fit(REPORTS, **options)


def anchors():
    groups = [cf.Group([name], cf.Crosswise("1/5")) for name in ("q", "other")]
    design = cf.Design(QUESTIONS[:2], groups)
    answers = ANSWERS[["q", "other", "w", "school"]].assign(other=0)
    reports = cf.simulate(design, answers, inattentive=0.2, seed=4, keep=["w", "school"])
    crowd = cf.Crowd(design, reports, weights="w", clusters="school")
    found = compliance.anchor_question(crowd, "q", "other")
    assert abs(found.kinds["inattentive"].value - 0.2) < 0.1
    assert len(crowd.sensitivity("q")) == 7


def pools():
    other = design_of(cf.ForcedResponse("2/3", HALF))
    more = other.disguise(ANSWERS[["q", "other", "age"]], seed=5)
    pool = cf.Crowd.pool([cf.Crowd(WARNER, REPORTS), cf.Crowd(other, more)])
    assert pool.n == fit(pool=[(other, more)]).nobs == 8000


def plans():
    forced = cf.Design([QUESTIONS[0]], [cf.Group(["q"], cf.ForcedResponse("2/3", HALF))])
    found = planning.expect_share(forced, {"q": "yes"}, {"q": 0.2}, null=0.0)
    power = found.power(200, two_sided=False, level=0.99)
    assert power == pytest.approx(0.9868872, abs=1e-7)


TWO = (cf.ForcedResponse("1/4", {"q": {"yes": 1}}), cf.ForcedResponse("3/4", {"q": {"yes": 1}}))
LIES = (cf.RelatedQuestion("1/4"), cf.RelatedQuestion("9/10"))
CROWD = cf.Crowd(WARNER, REPORTS)
RUN = {
    "Warner": lambda: finds_the_share(cf.RelatedQuestion("0.8")),
    "forced response": lambda: finds_the_share(cf.ForcedResponse("2/3", HALF)),
    '"disguised"': lambda: finds_the_share(cf.RelatedQuestion("0.7")),
    "unrelated question, known": lambda: finds_the_share(cf.UnrelatedQuestion("0.6", HALF)),
    "unrelated question, unknown": lambda: finds_who_refuses(
        compliance.two_sample_unrelated,
        [cf.UnrelatedQuestion(t, HALF) for t in ("3/10", "8/10")],
    ),
    "crosswise": lambda: finds_the_share(cf.Crosswise("1/4"), cf.Triangular("1/4")),
    "Mangat": lambda: finds_the_share(cf.Mangat("0.6")),
    "Kuk": lambda: finds_the_share(cf.Kuk("0.8", "0.3"), cf.Kuk("0.8", "0.3", draws=4)),
    "cheating detection": lambda: [
        finds_who_refuses(compliance.cheating_detection, TWO, refusing=0.2),
        finds_who_refuses(compliance.stochastic_lie_detector, LIES, refusing=0.1),
    ],
    "any other matrix": lambda: finds_the_share(cf.ChannelMatrix([[0.9, 0.2], [0.1, 0.8]])),
    "Christofides": lambda: finds_the_share(
        cf.ChannelMatrix([[0.6, 0.1], [0.3, 0.3], [0.1, 0.6]]),
        cf.ChannelMatrix([[0.7, 0], [0.3, 1]]),
    ),
    "a number plus noise": lambda: finds_the_mean(
        cf.UniformNoise(5), cf.GaussianNoise(4), cf.LaplaceNoise(3)
    ),
    "a share with": lambda: CROWD.table(["q", "other"])[{"q": "yes", "other": "no"}],
    "its interval": lambda: CROWD.proportion({"q": "yes"}, method="likelihood").interval(),
    "correlation": lambda: [CROWD.correlation("q", "age"), CROWD.test_independence("q", "other")],
    "total, mean": lambda: [
        cf.Crowd(WARNER, REPORTS, population=9_000, **PLAN).total({"q": "yes"}),
        cf.Crowd(WARNER, REPORTS, **PLAN).mean("age"),
    ],
    "jackknife": lambda: [
        cf.Crowd(WARNER, REPORTS, **PLAN).replicate(
            lambda c: c.proportion({"q": "yes"}), by, seed=1
        )
        for by in ("jackknife", "bootstrap")
    ],
    "several designs": pools,
    "respondents who do not read": anchors,
    "logit with": lambda: [fit(), fit(family="probit"), fit("age ~ q", "linear")],
    "disguised predictors": lambda: fit(
        "q ~ other", design=design_of(cf.RelatedQuestion("0.8"), cf.RelatedQuestion("0.9"))
    ),
    "random intercepts": lambda: fit(random_intercept="region").conf_int(),
    "predictions": lambda: fit().predict(ANSWERS.head(3)),
    "robust": lambda: [fit(cov_type="opg"), fit(cov_type="robust"), fit(clusters="school")],
    "weights in a regression": lambda: fit(population=9_000, **PLAN),
    "Bayesian fits": lambda: fit().log_likelihood([0.0, 0.0]),
    "power for a share": plans,
    "power plots": lambda: cf.plan(cf.Design([QUESTIONS[0]], WARNER.groups), 200).plot(),
    "the design for": lambda: cf.RelatedQuestion.for_epsilon(1.0),
    "simulated data": lambda: cf.simulate(WARNER, ANSWERS, refusing=0.1, keep=[], seed=1),
    "what a report": lambda: cf.privacy.of(WARNER).epsilon,
}
ELSEWHERE = ("collecting the reports", "trees, naive Bayes", "regression with people")
"""Tested by the web app's tests, by the learners', and by the page itself, whose block is run."""


@pytest.mark.parametrize("row", ROWS, ids=[left[:30] for left, _ in ROWS])
def test_the_row_is_there_or_says_no_and_why(row):
    left, right = row
    if right.startswith("no: "):
        assert len(right) > 40
        return
    if left.startswith(ELSEWHERE):
        return
    (check,) = (run for start, run in RUN.items() if left.startswith(start))
    check()


def test_no_check_is_without_its_row():
    lefts = [left for left, _ in ROWS]
    assert len(ROWS) > 30
    for start in (*RUN, *ELSEWHERE):
        assert any(left.startswith(start) for left in lefts), start
