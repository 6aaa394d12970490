"""A number that a person sees does not depend on how a processor rounds its sums.

The corners are shares that are 0 or 1 in exact arithmetic: their sums end a hair above or below.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

import confide as cf
from confide.counts import Counts
from confide.crowd.weighed_share import WeighedReports, estimate_weighed_share

TRUTHS = [Fraction(truth) for truth in ("0.1", "0.3", "0.4", "0.45", "0.55", "0.6", "0.7", "0.9")]


def ask_two(truth, n, yes):
    """The crowd of n reports of two questions, so many of which say yes to the first."""
    names = ["a", "b"]
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group([name], cf.RelatedQuestion(truth)) for name in names],
    )
    people = np.arange(n)
    return cf.Crowd(design, np.stack([people < yes, people % 3 == 0], axis=1).astype(int))


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("share", [0, 1])
def test_a_share_of_nobody_or_of_everybody_is_exact(truth, share):
    """Exactly as many reports say yes as that share makes, for 30 sizes at each truth."""
    for n in range(20, 601, 20):
        crowd = ask_two(truth, n, int(n * (truth if share else 1 - truth)))
        found = crowd.proportion({"a": "yes"})
        assert found.value == share
        assert found.possible
        assert crowd.proportion({"a": "no"}).value == 1 - share


@pytest.mark.parametrize("truth", TRUTHS)
def test_people_of_whom_there_is_nobody_are_refused_whatever_the_rounding(truth):
    for n in range(20, 201, 20):
        crowd = ask_two(truth, n, int(n * (1 - truth)))
        with pytest.raises(cf.QueryError, match="nobody"):
            crowd.given({"a": "yes"}).proportion({"b": "yes"})
        with pytest.raises(cf.QueryError, match="does not vary"):
            crowd.correlation("a", "b")


@pytest.mark.parametrize("share", [0, 1])
def test_the_error_of_a_weighed_share_does_not_depend_on_the_last_bit(share):
    """The weights nudged by one bit either way, as another processor would have made them."""
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("0.4"))])
    counts = Counts.of(design, np.repeat([1, 0], [32, 48] if share else [48, 32])[:, None])
    weights = np.where(np.ravel(counts.patterns) == 1, -2.0, 3.0)
    found = [
        estimate_weighed_share([WeighedReports(counts, np.nextafter(weights, side), np.ones(2))])
        for side in (-np.inf, np.inf)
    ]
    assert found[0].value == found[1].value == share
    assert found[0].standard_error == pytest.approx(found[1].standard_error, rel=1e-9)
    assert found[0].interval() == pytest.approx(found[1].interval(), abs=1e-9)
