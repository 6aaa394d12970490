"""Differences and ratios of estimates, and the covariances that they stand on."""

from __future__ import annotations

import pickle
from math import inf

import numpy as np
import pyarrow as pa
import pytest

import confide as cf
from confide.crowd.comparison import adjust_p_values

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.YesNo("b"), cf.Choice("c", ["x", "y"])],
    [cf.Group(["a", "b"], cf.RelatedQuestion("3/4"))],
)
YES = {"a": "yes"}


def draw(n, generator):
    """Reports of a crowd in which 40 % of x and 20 % of y have a."""
    c = generator.random(n) < 0.5
    a = generator.random(n) < np.where(c, 0.2, 0.4)
    b = generator.random(n) < np.where(a, 0.5, 0.25)
    turned = generator.random(n) < 0.25
    return cf.Counts.gather(DESIGN, [(a ^ turned).astype(int), (b ^ turned).astype(int), c * 1])


def one(n=800, seed=1):
    return cf.Crowd(DESIGN, draw(n, np.random.default_rng(seed)))


def resampled_tables(crowd, surveys=1_000):
    """Tables of surveys drawn from the reports themselves: what covariances mean."""
    (counts,) = crowd.counts
    generator = np.random.default_rng(5)
    for drawn in generator.multinomial(counts.n, counts.reports / counts.n, surveys):
        yield cf.Crowd(DESIGN, counts.subset(drawn)).table(["a", "c"]).values.ravel()


def test_covariances_are_those_of_surveys_drawn_again():
    crowd = one()
    table = crowd.table(["a", "c"])
    found = table.covariance
    np.testing.assert_allclose(np.sqrt(found.diagonal()), table.standard_errors.ravel(), rtol=1e-9)
    assert np.abs(found.sum(axis=0)).max() < 1e-12  # the shares add up to 1
    expected = np.cov(np.array(list(resampled_tables(crowd))).T)
    np.testing.assert_allclose(found, expected, atol=0.15 * found.diagonal().max())
    with pytest.raises(AssertionError):  # independent cells would not do
        np.testing.assert_allclose(
            np.diag(found.diagonal()), expected, atol=0.15 * found.diagonal().max()
        )


def test_a_difference_of_one_crowd_counts_that_both_move_together():
    table = one().table(["a", "c"])
    x, y = table[{"a": "yes", "c": "x"}], table[{"a": "yes", "c": "y"}]
    cells = table.covariance
    expected = cells[2, 2] + cells[3, 3] - 2 * cells[2, 3]
    assert (x - y).standard_error == pytest.approx(expected**0.5)
    assert (x - y).value == pytest.approx(x.value - y.value)
    assert (x - x).standard_error == pytest.approx(0, abs=1e-9)
    low, high = (x - x).interval()
    assert max(-low, high) < 0.01  # but for the lopsidedness of the interval of x itself


def test_estimates_of_two_crowds_are_independent():
    first, second = one(seed=1).proportion(YES), one(seed=2).proportion(YES)
    difference = first - second
    expected = np.hypot(first.standard_error, second.standard_error)
    assert difference.standard_error == pytest.approx(expected)
    assert difference.n == 1_600


def test_differences_and_ratios_are_found_again():
    crowd = one(40_000)
    x, y = {"c": "x"}, {"c": "y"}
    assert crowd.difference(YES, x, y).value == pytest.approx(0.2, abs=0.05)
    assert crowd.risk_ratio(YES, x, y).value == pytest.approx(2, abs=0.35)
    ratio = crowd.odds_ratio("a", "b")
    low, high = ratio.interval()
    assert low < 3 < high
    assert pickle.loads(pickle.dumps(ratio)).interval() == (low, high)


def test_a_ratio_to_nearly_nobody_has_no_upper_end():
    crowd = one(60)
    some, nobody = crowd.proportion(YES), crowd.proportion({"a": "yes", "b": "yes", "c": "y"})
    low, high = (some / nobody).interval()
    assert low >= 0
    assert high == inf
    assert ", ∞] (95 %" in repr(some / nobody)


def test_a_p_value_is_the_level_at_which_the_interval_ends():
    share = one().proportion(YES)
    low, high = share.interval(0.9)
    assert share.p_value(low) == pytest.approx(0.1, abs=1e-3)
    assert share.p_value(high) == pytest.approx(0.1, abs=1e-3)
    assert share.p_value(0.9) < 1e-6


def test_several_p_values_are_corrected_by_holm():
    assert adjust_p_values([0.01, 0.5, 0.02]) == [0.03, 0.5, 0.04]


def test_an_estimate_of_unknown_source_is_not_compared():
    with pytest.raises(cf.QueryError, match="method='inverse'"):
        cf.Estimate(0.5, 0.1, 10) - cf.Estimate(0.4, 0.1, 10)


@pytest.mark.slow
@pytest.mark.statistical
def test_the_interval_of_a_difference_covers():
    """200 surveys of 100; 95 % covers within 90.4 to 99.6 % (3 errors), half the width does not."""
    generator = np.random.default_rng(3)
    covered = narrow = 0
    for _ in range(200):
        found = cf.Crowd(DESIGN, draw(100, generator)).difference(YES, {"c": "x"}, {"c": "y"})
        low, high = found.interval()
        covered += low <= 0.2 <= high
        middle, half = (low + high) / 2, (high - low) / 4
        narrow += middle - half <= 0.2 <= middle + half
    assert 0.904 <= covered / 200 <= 0.996
    assert narrow / 200 < 0.85


@pytest.mark.statistical
def test_reports_that_leave_two_shares_open_leave_their_difference_open():
    """Two shares of which either may be anything: their correlation does not tell them apart."""
    groups = [cf.Group([name], cf.RelatedQuestion("3/5")) for name in ("a", "b")]
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b")], groups)
    generator = np.random.default_rng(5)
    opened = 0
    for _ in range(40):
        reports = generator.integers(0, 2, (2, 30))
        crowd = cf.Crowd(design, cf.Counts.gather(design, list(reports)))
        try:
            parts = [crowd.given({"b": b}).proportion(YES) for b in ("yes", "no")]
        except cf.QueryError:  # as far as the reports tell, nobody has this b
            continue
        if all(part.interval() == (0.0, 1.0) for part in parts):
            opened += 1
            low, high = (parts[0] - parts[1]).interval()
            assert low < 0 < high
            low, high = (parts[0] / parts[1]).interval()
            assert low < 1 < high
    assert opened > 10


def test_an_odds_ratio_of_a_question_with_itself_is_refused():
    with pytest.raises(cf.QueryError, match="two questions"):
        one().odds_ratio("a", "a")


def test_a_group_that_nobody_is_in_is_left_out():
    design = cf.Design([cf.YesNo("a"), cf.Choice("c", ["x", "y", "z"])])
    shown = {"a": ["yes", "no", "no", "yes"] * 10, "c": ["x", "y"] * 20}
    assert cf.Crowd(design, pa.table(shown)).compare(YES, "c").pairs == (("x", "y"),)
    same = cf.Crowd(design, pa.table(shown | {"c": ["x"] * 40}))
    with pytest.raises(cf.QueryError, match="all people are in one group of c"):
        same.compare(YES, "c")
