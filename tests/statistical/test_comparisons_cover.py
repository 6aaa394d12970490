"""Comparisons hold what they say: intervals cover, and what does not differ is seldom told apart.

60 simulated surveys of 250 reports: a coverage of .95 has a standard error of .028, of which three
are allowed. The twin, an interval of 60 %, is caught.
"""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.estimators.table_channel import TableChannel

pytestmark = [pytest.mark.slow, pytest.mark.statistical]

NAMES = ["a", "b", "faculty"]
SURVEYS, TOLERANCE = 60, 0.085
TRUTH = np.array(
    [[[0.20, 0.20, 0.16], [0.04, 0.04, 0.06]], [[0.08, 0.08, 0.05], [0.03, 0.03, 0.03]]]
)
"""Shares of a × b × faculty; within faculties 0 and 1 everything is alike."""


def design_of(theta):
    questions = [cf.YesNo("a"), cf.YesNo("b"), cf.Choice("faculty", ["x", "y", "z"])]
    groups = [cf.Group([name], cf.RelatedQuestion(theta)) for name in ("a", "b")]
    return cf.Design(questions, groups)


def draw_crowds(theta, n=250, seed=1):
    design = design_of(theta)
    reported = TableChannel(design, NAMES).apply(TRUTH).ravel()
    patterns = np.argwhere(np.ones(TRUTH.shape)).astype(np.int16)
    for counts in np.random.default_rng(seed).multinomial(n, reported, SURVEYS):
        kept = counts > 0
        yield cf.Crowd(design, cf.Counts(design, patterns[kept], counts[kept]))


def coverage(ends, value):
    low, high = np.array(ends).T
    return np.mean((low <= value + 1e-12) & (value - 1e-12 <= high))


def share(**answers):
    index = tuple(answers.get(name, slice(None)) for name in NAMES)
    return TRUTH[index].sum()


@pytest.fixture(scope="module")
def crowds():
    return list(draw_crowds("9/10"))


def test_a_risk_ratio_covers_and_its_twin_does_not(crowds):
    value = share(a=1, faculty=2) / share(faculty=2) / (share(a=1, faculty=0) / share(faculty=0))
    found, twin = [], []
    for crowd in crowds:
        ratio = crowd.risk_ratio({"a": "yes"}, {"faculty": "z"}, {"faculty": "x"})
        found.append(ratio.interval())
        twin.append(ratio.interval(0.6))
    assert coverage(found, value) >= 0.95 - TOLERANCE
    assert coverage(twin, value) < 0.95 - TOLERANCE


def test_an_odds_ratio_of_two_disguised_answers_covers(crowds):
    value = share(a=1, b=1) * share(a=0, b=0) / (share(a=1, b=0) * share(a=0, b=1))
    assert coverage([c.odds_ratio("a", "b").interval() for c in crowds], value) >= 0.95 - TOLERANCE


def test_lift_covers(crowds):
    value = share(a=1, b=1) / (share(a=1) * share(b=1))
    among = [
        c.given({"a": "yes"}).proportion({"b": "yes"}) / c.proportion({"b": "yes"}) for c in crowds
    ]
    assert coverage([each.interval() for each in among], value) >= 0.95 - TOLERANCE


def test_a_difference_of_two_crowds_under_two_designs_covers(crowds):
    others = draw_crowds("3/4", seed=2)
    ends = [
        (one.proportion({"a": "yes"}) - other.proportion({"a": "yes"})).interval()
        for one, other in zip(crowds, others, strict=True)
    ]
    assert coverage(ends, 0.0) >= 0.95 - TOLERANCE


def test_a_share_is_told_from_its_true_value_in_five_of_a_hundred_surveys(crowds):
    """A p-value is below .05 where the interval at .95 leaves the value out."""

    def told_apart(value, level):
        return np.mean([not crowd.table(["a"]).accepts(value, level)[1] for crowd in crowds])

    assert told_apart(share(a=1), 0.95) <= 0.05 + TOLERANCE
    assert told_apart(share(a=1), 0.5) == pytest.approx(0.5, abs=0.2)
    assert told_apart(share(a=1) + 0.15, 0.95) > 0.9
    p_value = crowds[0].proportion({"a": "yes"}).p_value(share(a=1))
    assert (p_value < 0.05) == (not crowds[0].table(["a"]).accepts(share(a=1), 0.95)[1])


def test_several_comparisons_at_once_are_seldom_wrong_together(crowds):
    """Holm's smallest p-value is below .05 where an interval at 1 − .05/3 leaves out the truth."""
    wrong = []
    for crowd in crowds:
        pairs = crowd.compare({"a": "yes"}, "faculty")
        truths = [share(a=1, faculty="xyz".index(g)) / share(faculty="xyz".index(g)) for g in "xyz"]
        apart = [truths["xyz".index(f)] - truths["xyz".index(s)] for f, s in pairs.pairs]
        ends = [each.interval(1 - 0.05 / 3) for each in pairs.differences]
        wrong.append(any(not low <= v <= high for (low, high), v in zip(ends, apart, strict=True)))
    assert np.mean(wrong) <= 0.05 + TOLERANCE
