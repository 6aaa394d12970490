"""Plans, models and regressions where a number may be missing."""

import numpy as np
import pandas as pd
import pytest
from support.missing_numbers import draw, make

import confide as cf
from confide.errors import ModelError, QueryError


@pytest.mark.slow
def test_learners_that_take_numbers_and_regressions_refuse_it_and_others_leave_it_out():
    design, rows = make(), draw(600, 5)
    reports = pd.DataFrame(design.disguise(rows, seed=1), columns=design.names)
    for learner in (cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes):
        with pytest.raises(ModelError, match="drinks may be missing"):
            learner(design, "smokes").fit(reports)
        learner(design.only(["no_drinks", "smokes"]), "smokes").fit(reports)
    with pytest.raises(QueryError, match="'drinks' may be missing"):
        cf.DisguisedRegression(design, "smokes ~ drinks")
    with pytest.raises(QueryError, match="'drinks' may be missing"):
        cf.DisguisedRegression(design, "drinks ~ smokes", family="linear")
    cf.DisguisedRegression(design, "smokes ~ no_drinks").fit(reports)
    rules = cf.DisguisedRules(design, min_support=0.05).fit(reports)
    assert {name for itemset in rules.itemsets_ for name in itemset.items} <= {
        "no_drinks",
        "smokes",
    }


@pytest.mark.slow
def test_a_plan_foresees_the_mean_of_those_who_give_it():
    """Against the spread of 400 simulated surveys, within four of its own standard errors."""
    design, n = make(), 600
    truth = draw(200_000, 0)[:, 0]
    mean, deviation = np.nanmean(truth), np.nanstd(truth)
    share = np.isnan(truth).mean()
    expected = cf.planning.expect_mean(design, "drinks", mean, deviation, missing=share)
    found = [
        cf.Crowd(design, design.disguise(draw(n, seed), seed=seed)).mean("drinks").value
        for seed in range(400)
    ]
    assert np.std(found) == pytest.approx(expected.standard_error(n), rel=4 / np.sqrt(2 * 400))
    without = cf.planning.expect_mean(design, "drinks", mean, deviation, missing=0.0)
    assert expected.standard_error(n) > 1.2 * without.standard_error(n)  # what a mutant would say
    with pytest.raises(QueryError, match="assume a share of people who prefer not to say"):
        cf.planning.expect_mean(design, "drinks", mean, deviation)


def test_a_plan_compares_truths_and_says_nothing_too_favourable_of_declining():
    plan = cf.plan(make(), 1000, {"no_drinks": 0.3}, means={"drinks": (2, 1.5)}, truths=[0.9])
    means = [row for row in plan.prospects if row.event == "mean of drinks"]
    errors = {
        str(row.truth): row.standard_error for row in means if row.variant.grouping != "direct"
    }
    assert errors["9/10"] < errors["3/4"]
    told = [row for row in plan.prospects if "no_drinks" in row.event]
    assert told and all(row.disclosure is None for row in told)
    with pytest.raises(QueryError, match="no truths are searched"):
        cf.plan(make(), 1000, largest_posterior=0.6)
