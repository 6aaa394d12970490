"""What is said of a number that may be missing is said of the people who gave it.

The oracle is arithmetic on a small grid: every true answer with its share, every report with its
exact chance, and the estimate from reports in just these shares.
"""

import inspect

import numpy as np
import pytest
from support.missing_numbers import NUMBERS, average, draw, expect_reports, make, spread

import confide as cf
from confide.errors import QueryError

TELLS = [
    cf.RelatedQuestion("3/4"),
    cf.ForcedResponse("2/3", {"no_drinks": {"yes": 1}}),
    cf.Kuk("3/4", "1/4", draws=2),
]


@pytest.mark.parametrize("tells", TELLS)
@pytest.mark.parametrize("noise", [cf.LaplaceNoise(2), cf.UniformNoise(3), cf.GaussianNoise(2)])
def test_means_are_those_of_the_people_who_gave_it(noise, tells):
    truths = spread()
    crowd = cf.Crowd(make(noise, tells), expect_reports(make(noise, tells), truths))
    found = crowd.mean("drinks")
    assert found.value == pytest.approx(average(truths), abs=1e-6)
    assert found.n / found.total == pytest.approx(0.75, abs=1e-6)
    for smokes, word in enumerate(("no", "yes")):
        among = crowd.mean("drinks", given={"smokes": word})
        assert among.value == pytest.approx(average(truths, [smokes]), abs=1e-6)
    assert crowd.given({"no_drinks": "no"}).mean("drinks").value == found.value
    # the mutant that counts what stands in for missing numbers is far off
    everybody = sum(key[0] * share for key, share in truths.items())
    assert abs(everybody - average(truths)) > 0.3


@pytest.mark.slow
def test_a_histogram_behind_noise_is_that_of_the_people_who_gave_it():
    design, rows = make(cf.LaplaceNoise(1)), draw(20_000, 6, share=0.5)
    found = cf.Crowd(design, design.disguise(rows, seed=6)).distribution("drinks")
    truth = np.bincount(rows[rows[:, 1] == 0, 0].astype(int), minlength=9)
    assert found.n / found.total == pytest.approx((rows[:, 1] == 0).mean(), abs=0.05)
    assert np.abs(found.shares - truth / truth.sum()).max() < 0.04
    counted = np.bincount(np.where(rows[:, 1] == 1, 4, rows[:, 0]).astype(int), minlength=9)
    assert np.abs(found.shares - counted / counted.sum()).max() > 0.3  # a mutant is far off


def test_shares_ranges_cuts_and_totals_in_the_clear_are_those_of_the_people_who_gave_it():
    design, truths = make(clear=True), spread()
    counts = expect_reports(design, truths)
    crowd = cf.Crowd(design, counts)
    given = {d: sum(truths[d, 0, s] for s in (0, 1)) / 0.75 for d in NUMBERS}
    few = sum(given[d] for d in (0, 1, 2))
    near = pytest.approx
    assert crowd.proportion({"drinks": 4}).value == near(given[4], abs=1e-6)
    assert crowd.proportion({"drinks": (0, 3)}).value == near(few, abs=1e-6)
    assert crowd.table([cf.cut("drinks", [3])]).values.tolist() == near([few, 1 - few], abs=1e-6)
    assert crowd.table(["drinks"]).values.tolist() == near(list(given.values()), abs=1e-6)
    smokes = sum(truths[d, 0, 1] for d in (0, 1, 2)) / (0.75 * few)
    among = crowd.given({"drinks": (0, 3)})
    assert among.proportion({"smokes": "yes"}).value == near(smokes, abs=1e-6)
    assert crowd.distribution("drinks").quantile(0.5).value < 4
    rows = np.repeat([[1, 0, 0], [np.nan, 1, 1], [7, 0, 1]], 40, axis=0)
    some = cf.Crowd(design, design.disguise(rows), population=3000)
    assert some.total({"drinks": 1}).value == near(1000)
    assert some.total({"no_drinks": "yes"}).value == near(1000)


def test_a_correlation_is_that_of_the_people_who_gave_it():
    design, truths = make(), spread()
    gave = {(d, s): share for (d, missing, s), share in truths.items() if not missing}
    keys, weights = np.array(list(gave)), np.array(list(gave.values()))
    expected = np.cov(keys.T, aweights=weights, ddof=0)
    counts = expect_reports(design, truths)
    found = cf.Crowd(design, counts).correlation("drinks", "smokes").value
    assert found == pytest.approx(expected[0, 1] / np.sqrt(np.prod(np.diag(expected))), abs=1e-4)


@pytest.mark.slow
def test_a_drawn_population_has_no_number_where_it_is_missing():
    design = make()
    people = cf.Crowd(design, expect_reports(design, spread())).sample(4000, seed=1).to_pandas()
    assert (people["drinks"].isna() == (people["no_drinks"] == "yes")).all()
    assert people["drinks"].mean() == pytest.approx(average(spread()), abs=0.15)
    assert cf.Crowd(design, design.disguise(people, seed=1)).n == 4000


QUERIES = {
    "mean": lambda crowd: crowd.mean("drinks"),
    "distribution": lambda crowd: crowd.distribution("drinks"),
    "proportion": lambda crowd: crowd.proportion({"drinks": 4}),
    "table": lambda crowd: crowd.table(["drinks", "smokes"]),
    "given": lambda crowd: crowd.given({"drinks": 4}).proportion({"smokes": "yes"}),
    "given_codes": lambda crowd: crowd.given_codes({"drinks": 4}).proportion({"smokes": "yes"}),
    "correlation": lambda crowd: crowd.correlation("drinks", "smokes"),
    "test_independence": lambda crowd: crowd.test_independence("drinks", "smokes"),
    "test_homogeneity": lambda crowd: crowd.test_homogeneity(
        [crowd.given({"smokes": smokes}) for smokes in ("yes", "no")], "drinks"
    ),
    "compare": lambda crowd: crowd.compare({"smokes": "yes"}, cf.cut("drinks", [2])),
    "difference": lambda crowd: crowd.difference(
        {"drinks": (0, 3)}, {"smokes": "yes"}, {"smokes": "no"}
    ),
    "risk_ratio": lambda crowd: crowd.risk_ratio(
        {"drinks": (0, 3)}, {"smokes": "yes"}, {"smokes": "no"}
    ),
    "total": lambda crowd: crowd.total({"drinks": (0, 3)}),
    "replicate": lambda crowd: crowd.replicate(lambda each: each.mean("drinks")),
    "to_arrow": lambda crowd: crowd.to_pandas().query("question == 'drinks'").round(9).to_dict(),
}
"""What is asked about a number: the answer must not change with what stands in for missing ones."""

REFUSED = {
    "weighted": lambda crowd: crowd.weighted("smokes"),
    "cells": lambda crowd: crowd.cells(),
    "cross": lambda crowd: crowd.cross("smokes", ["drinks"]),
    "cross_nodes": lambda crowd: crowd.cross_nodes([{}], "smokes", ["drinks"]),
}
OTHERS = {
    *("batches", "counts", "design", "effective_n", "n", "share", "within"),  # no estimates
    *("odds_ratio", "sensitivity", "rake"),  # of questions with options
    *(
        "pool",
        "sample",
        "tell_apart",
        "to_pandas",
        "to_polars",
    ),  # tried elsewhere, or from to_arrow
}


def test_every_query_of_a_crowd_is_tried_here():
    public = {name for name, _ in inspect.getmembers(cf.Crowd) if not name.startswith("_")}
    assert public == QUERIES.keys() | REFUSED.keys() | OTHERS


@pytest.mark.parametrize("name", QUERIES)
def test_no_query_counts_what_stands_in_for_missing_numbers(name):
    """In the clear: the same people with another number in that place give the same answer."""
    design, rows = make(clear=True), draw(400, 1)
    if name == "replicate":
        rows = rows[:60]
    missing = rows[:, 1] == 1
    assert missing.sum() > 10
    answers = []
    for stand_in in (4, 0):
        reports = rows.copy()
        reports[missing, 0] = stand_in
        answers.append(str(QUERIES[name](cf.Crowd(design, reports, population=9000))))
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_a_query_that_forgets_it_would_be_caught(monkeypatch):
    from confide.crowd._subpopulation import Subpopulation

    monkeypatch.setattr(Subpopulation, "who_gave", lambda self, _: self)
    for name in QUERIES:
        with pytest.raises(AssertionError):
            test_no_query_counts_what_stands_in_for_missing_numbers(name)


@pytest.mark.parametrize("name", REFUSED)
def test_what_takes_everybody_is_refused(name):
    design = make(clear=True)
    crowd = cf.Crowd(design, design.disguise(draw(200, 2)))
    with pytest.raises(QueryError, match="some people did not give drinks"):
        REFUSED[name](crowd)


def test_weights_for_other_learners_are_those_of_the_people_who_gave_it():
    design = make(clear=True)
    crowd = cf.Crowd(design, design.disguise(rows := draw(300, 3)))
    X, _, weight = crowd.given({"no_drinks": "no"}).weighted("smokes")
    assert weight.sum() == pytest.approx((rows[:, 1] == 0).sum())
    assert X.shape[1] == 1


@pytest.mark.parametrize(
    "ask",
    [
        lambda crowd: crowd.table(["drinks", "no_drinks"]),
        lambda crowd: crowd.correlation("drinks", "no_drinks"),
        lambda crowd: crowd.proportion({"drinks": 4, "no_drinks": "no"}),
        lambda crowd: crowd.given({"no_drinks": "yes"}).mean("drinks"),
        lambda crowd: crowd.given({"no_drinks": "yes", "drinks": 4}),
        lambda crowd: crowd.given({"drinks": 4}).proportion({"no_drinks": "yes"}),
    ],
)
def test_nothing_is_said_of_a_number_that_was_not_given(ask):
    design = make(clear=True)
    crowd = cf.Crowd(design, design.disguise(draw(200, 2)))
    with pytest.raises(QueryError) as caught:
        ask(crowd)
    assert "\n" not in str(caught.value)


def test_crowds_are_pooled_if_a_number_may_be_missing_in_all_of_them():
    design, clear = make(), make(clear=True)
    rows = draw(2000, 4)
    pooled = cf.Crowd.pool(
        [cf.Crowd(design, design.disguise(rows, seed=1)), cf.Crowd(clear, clear.disguise(rows))]
    )
    truth = np.nanmean(rows[:, 0])
    assert abs(pooled.mean("drinks").value - truth) < 4 * pooled.mean("drinks").standard_error
    other = cf.Design([cf.Number("drinks", 0, 8, step=1), *clear.questions[1:]])
    with pytest.raises(QueryError, match="pooled only over the same questions"):
        cf.Crowd.pool([cf.Crowd(clear, clear.disguise(rows)), cf.Crowd(other, np.zeros((9, 3)))])


@pytest.mark.slow
def test_intervals_of_a_mean_cover_the_mean_of_the_people_who_gave_it():
    """In 600 surveys; 95 % has a standard error of 0.9 points. A mutant covers hardly ever."""
    design, truth = make(), np.nanmean(draw(400_000, 0)[:, 0])
    covered = counted = 0
    for seed in range(600):
        reports = design.disguise(draw(400, seed), seed=seed)
        low, high = cf.Crowd(design, reports).mean("drinks").interval()
        covered += low <= truth <= high
        everybody = reports[:, 0].astype(float)  # with what stands in for missing numbers
        reach = 1.96 * everybody.std() / np.sqrt(len(everybody))
        counted += abs(everybody.mean() - truth) <= reach
    assert 0.93 <= covered / 600 <= 0.98
    assert counted / 600 < 0.1
