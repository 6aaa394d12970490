"""A range of a number: from one number to below another."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.Number("age", 16, 80, step=1)],
    [cf.Group(["a"], cf.RelatedQuestion("3/4"))],
)
AGES = np.random.default_rng(1).integers(16, 81, 900)
REPORTED = np.random.default_rng(2).random(900) < 0.4
CROWD = cf.Crowd(DESIGN, cf.Counts.gather(DESIGN, [REPORTED.astype(int), AGES - 16]))


@pytest.mark.parametrize("ends", [(18, 25), (16, 17), (40, 81), (0, 200)])
def test_a_range_holds_the_numbers_from_its_first_to_below_its_second(ends):
    inside = (ends[0] <= AGES) & (ends[1] > AGES)
    assert CROWD.proportion({"age": ends}).value == pytest.approx(inside.mean())
    weights = np.where(REPORTED, 1.5, -0.5) * inside
    found = CROWD.proportion({"age": ends, "a": "yes"})
    assert found.value == pytest.approx(weights.mean())
    assert found.standard_error == pytest.approx(weights.std() / 30)
    low, high = found.interval()
    assert low <= found.value <= high


def test_a_range_within_a_sub_population_is_a_share_of_it():
    weights = np.where(REPORTED, 1.5, -0.5)
    found = CROWD.given({"a": "yes"}).proportion({"age": (18, 40)})
    assert found.value == pytest.approx(weights @ ((AGES >= 18) & (AGES < 40)) / weights.sum())


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ((25, 18), "the lower first"),
        ((18,), "two numbers"),
        (("18", "25"), "two numbers"),
        ((18.25, 25), "cuts"),
        ((90, 95), "lies between"),
    ],
)
def test_a_range_that_is_none_is_refused(ends, said):
    with pytest.raises(cf.QueryError, match=said):
        CROWD.proportion({"age": ends})


def test_a_range_of_a_question_that_is_no_number_is_refused():
    with pytest.raises(cf.QueryError, match="no number"):
        CROWD.proportion({"a": (0, 1)})
