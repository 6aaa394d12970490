"""A share against a value at the end of what is possible: the test says what the interval says."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

DESIGN = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])


@pytest.mark.parametrize("end", [0, 1])
@pytest.mark.parametrize("yes", [10, 15, 17, 20, 25, 28])
def test_a_share_is_told_from_0_and_from_1_where_its_interval_says_so(yes, end):
    """Of 60 reports 15 are expected from nobody; the p-value was 0.000 from 15 on."""
    reports = np.repeat([1, 0] if end == 0 else [0, 1], [yes, 60 - yes])
    share = cf.Crowd(DESIGN, reports).proportion({"a": "yes"})
    p = share.p_value(end)
    for level in (0.5, 0.8, 0.9, 0.95, 0.99):
        low, high = share.interval(level)
        assert (p > 1 - level) == (low <= end <= high)
    assert share.p_value(2) < 1e-12


def test_a_share_of_0_is_rejected_as_often_as_it_should_be():
    """All that 100 people may report, by its chance: at most 5 % and a little are rejected."""
    counts = np.arange(101)
    logs = np.log(np.arange(1, 101)).cumsum()
    choose = np.r_[0, logs][100] - np.r_[0, logs][counts] - np.r_[0, logs][100 - counts]
    chance = np.exp(choose + counts * np.log(0.25) + (100 - counts) * np.log(0.75))
    rejected = [
        cf.Crowd(DESIGN, np.repeat([1, 0], [k, 100 - k])).proportion({"a": "yes"}).p_value(0) < 0.05
        for k in range(60)
    ]
    assert 0.01 < chance[:60][rejected].sum() < 0.06
