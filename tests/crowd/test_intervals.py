"""The interval of a share holds the shares that a score test does not reject."""

from __future__ import annotations

from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import binom

import confide as cf
from confide.crowd import _subpopulation as part
from confide.estimators.table_channel import TableChannel
from confide.estimators.weight_moments import MadeUpMoments

Z = 1.959963984540054
NAMES = ("a", "b", "c")
DESIGN = cf.Design(
    [cf.YesNo("a"), cf.YesNo("b"), cf.Choice("c", ["x", "y", "z"])],
    [
        cf.Group(["a", "b"], cf.RelatedQuestion("3/4")),
        cf.Group(["c"], cf.UnrelatedQuestion("0.6", {"c": {"x": 0.2, "y": 0.3, "z": 0.5}})),
    ],
)
ONE = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])


def survey(n, seed=3):
    generator = np.random.default_rng(seed)
    codes = np.stack([generator.integers(0, k, n) for k in (2, 2, 3)], axis=1)
    return cf.Crowd(DESIGN, cf.Counts.gather(DESIGN, list(codes.T)))


def whole_matrix(design, names):
    """The channel as one matrix, column by column."""
    channel = TableChannel(design, names)
    columns = np.eye(int(np.prod(channel.shape)))
    return np.stack([channel.apply(c.reshape(channel.shape)).ravel() for c in columns], axis=1)


def naive_tail(skew, z):
    """How far above its mean a skewed sum may lie, in standard deviations."""
    return np.maximum(2 / skew * (np.maximum(1 + skew * z / 6 - skew**2 / 36, 0) ** 3 - 1), z)


def naive_reach(skew, bound, level):
    """The last quantile at which the tail on the other side begins before the bound."""
    both, one = (NormalDist().inv_cdf(each) for each in ((1 + level) / 2, level))
    least = both - max(0, 1 - 0.7 * abs(skew)) * (both - one)
    quantiles = np.linspace(least, both, 300)
    return quantiles[naive_tail(-skew, quantiles) <= bound + 1e-6].max(initial=least)


def naive_interval(crowd, event, within, level=0.95):
    """The first and last share on a fine grid that the test accepts, all by whole matrices."""
    (counts,) = crowd.counts
    n, names = counts.n, [*within, *(name for name in event if name not in within)]
    matrix = whole_matrix(DESIGN, names)
    labels = list(product(*(DESIGN.question(name).labels for name in names)))
    truths = [dict(zip(names, each, strict=True)) for each in labels]
    inside = np.array([within.items() <= truth.items() for truth in truths])
    wanted = inside & [event.items() <= truth.items() for truth in truths]
    inverse = np.linalg.inv(matrix)
    a, b = inverse[wanted].sum(axis=0), inverse[inside].sum(axis=0)
    shares = counts.table(names).ravel() / n
    people = matrix @ (wanted / wanted.sum() + ~wanted / (~wanted).sum()) / 2
    smoothed = (n * shares + 5 * people) / (n + 5)
    accepted = []
    for share in np.linspace(0, 1, 1_251):
        d = a - share * b
        m = [smoothed @ d**k for k in range(5)]
        tilt = m[1] / (m[2] - m[1] ** 2)
        tilted = smoothed * (1 - tilt * (d - m[1]))
        second, third = max(tilted @ d**2, 0.05 * m[2]), tilted @ d**3
        skew = third / second**1.5 / np.sqrt(n) or 1e-9
        total, error = shares @ b, np.sqrt(second / n)
        score = (np.clip(shares @ a, 0, total) - share * total) / error
        up = naive_reach(skew, share * total / error, level)
        down = naive_reach(-skew, (1 - share) * total / error, level)
        if -naive_tail(-skew, down) <= score <= naive_tail(skew, up):
            accepted.append(share)
    return accepted[0], accepted[-1]


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 30, 500])
@pytest.mark.parametrize(
    ("event", "within"),
    [
        ({"a": "yes"}, {}),
        ({"a": "yes", "c": "x"}, {}),
        ({"a": "no", "b": "yes", "c": "z"}, {}),
        ({"b": "yes"}, {"a": "no"}),
        ({"c": "y"}, {"a": "no"}),
        ({"c": "y", "b": "no"}, {"a": "no"}),
    ],
)
def test_the_interval_is_the_set_of_shares_that_a_naive_test_accepts(n, event, within):
    crowd = survey(n)
    people = crowd.given(within) if within else crowd
    try:
        found = people.proportion(event).interval()
    except cf.ConfideError:
        assert n == 1  # nobody, as far as one report tells
        return
    np.testing.assert_allclose(found, naive_interval(crowd, event, within), atol=1e-3)
    if n == 1:  # nearly everything is possible, whatever the level
        return
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(found, naive_interval(crowd, event, within, 0.68), atol=1e-3)


@pytest.mark.parametrize("n", [30, 500, 20_000])
@pytest.mark.parametrize("level", [0.68, 0.9, 0.95, 0.99])
def test_a_higher_level_never_makes_an_interval_shorter(n, level):
    """Also near 0 and 1, where one tail takes the whole error."""
    answers = np.random.default_rng(n).random((n, 1)) < np.array([0.03])
    found = cf.Crowd(ONE, ONE.disguise(answers, seed=1)).proportion({"a": "yes"})
    (low, high), (lower, higher) = found.interval(level), found.interval(level + 0.005)
    assert lower <= low <= high <= higher


def test_at_a_bound_one_tail_takes_the_whole_error():
    """Far from it both do: with 40,000 reports the ends are 1.645 or 1.96 deviations away."""
    error = np.sqrt(0.75 * 0.25 / 40_000) / 0.5  # of a share of 0
    for away, reach in ((1.0, None), (1.8, 1.645), (2.5, 1.645), (3.0, 1.645), (6.0, 1.96)):
        yes = round(40_000 * (0.25 + 0.5 * away * error))
        reports = np.repeat([1, 0], [yes, 40_000 - yes])
        low, high = cf.Crowd(ONE, reports).proportion({"a": "yes"}).interval()
        assert (high - away * error) / error == pytest.approx(1.96, abs=0.05)
        assert low == 0 if reach is None else away - low / error == pytest.approx(reach, abs=0.05)


@pytest.mark.parametrize("n", [30, 300])
def test_a_share_near_one_is_covered_as_one_near_zero(n):
    """In the clear, exactly: every number of yes, by its chance. It covered 90 % near 1."""
    crowds = [
        cf.Crowd(cf.Design([cf.YesNo("q")]), np.repeat([1, 0], [yes, n - yes]))
        for yes in range(n - 12, n + 1)
    ]
    ends = np.array([crowd.proportion({"q": "yes"}).interval() for crowd in crowds])
    mirrored = np.array([crowd.proportion({"q": "no"}).interval() for crowd in crowds])
    np.testing.assert_allclose(ends, 1 - mirrored[:, ::-1], atol=1e-9)
    for share in 1 - np.geomspace(1e-4, 3, 60) / n:
        chances = binom.pmf(np.arange(n - 12, n + 1), n, share)
        assert chances @ ((ends[:, 0] <= share) & (share <= ends[:, 1])) > 0.93


def test_made_up_people_have_the_moments_of_whole_matrices():
    within, names = {"b": 1}, ["c", "a"]
    found = MadeUpMoments(DESIGN, {}, within, names)
    matrix = whole_matrix(DESIGN, ["b", "c", "a"])
    inverse, cells = np.linalg.inv(matrix), np.arange(12).reshape(2, 3, 2)
    b = inverse[cells[1].ravel()].sum(axis=0)
    anybody = matrix.mean(axis=1)
    for i, j in [(1, 0), (2, 0), (1, 1), (2, 2), (4, 0), (1, 3), (0, 2), (3, 1)]:
        expected = np.zeros((3, 2))
        for c, a in np.ndindex(3, 2):
            weights = inverse[cells[1, c, a]] ** i * b**j
            having = matrix[:, cells[1, c, a]]
            expected[c, a] = weights @ (having + (12 * anybody - having) / 11) / 2
        moment = np.broadcast_to(found.moment(i, j), (3, 2))
        np.testing.assert_allclose(moment, expected, rtol=1e-9, err_msg=f"{i}, {j}")


def test_a_cell_an_event_and_a_pattern_have_the_same_interval(monkeypatch):
    crowd = survey(300).given({"a": "yes"})
    event = {"b": "no", "c": "z"}
    table = crowd.table(["c", "b"])
    expected = crowd.proportion(event).interval(0.9)
    np.testing.assert_allclose(table[event].interval(0.9), expected, atol=1e-9)
    low, high = table.interval(0.9)
    np.testing.assert_allclose((low[2, 0], high[2, 0]), expected, atol=1e-9)
    monkeypatch.setattr(part, "DENSE_CELLS", 8)
    np.testing.assert_allclose(crowd.table(["c", "b"])[event].interval(0.9), expected, atol=1e-9)
    monkeypatch.setattr("confide.crowd._intervals._FEW_CELLS", 1)
    np.testing.assert_allclose(crowd.table(["c", "b"])[event].interval(0.9), expected, atol=1e-9)


@pytest.mark.parametrize("method", ["inverse", "likelihood"])
@pytest.mark.parametrize("reports", [[0], [1], [0] * 30, [1] * 5_000])
def test_reports_that_are_all_alike_are_not_exact(reports, method):
    """The design hardly gives them, so the likelihood is steep; the score interval stays wide."""
    found = cf.Crowd(ONE, np.array(reports)).proportion({"a": "yes"}, method=method)
    low, high = found.interval()
    least = 0.5 / len(reports) ** 0.5 if method == "inverse" else 1 / len(reports)
    assert 0 <= low < high <= 1
    assert high - low >= least
    assert 0 < found.standard_error <= 1


def test_one_clear_question_has_an_interval_near_wilsons():
    clear = cf.Design([cf.YesNo("a")])
    crowd = cf.Crowd(clear, np.repeat([1, 0], [40, 60]))
    low, high = crowd.proportion({"a": "yes"}).interval()
    middle, half = (0.4 + Z**2 / 200) / (1 + Z**2 / 100), Z * np.sqrt(0.0024 + Z**2 / 4e4)
    wilson = middle - half / (1 + Z**2 / 100), middle + half / (1 + Z**2 / 100)
    np.testing.assert_allclose((low, high), wilson, atol=0.003)


def test_a_sub_population_that_may_be_empty_says_nothing():
    design = cf.Design(
        [cf.YesNo("a"), cf.YesNo("b")],
        [cf.Group(["a"], cf.RelatedQuestion("0.55")), cf.Group(["b"], cf.RelatedQuestion("0.55"))],
    )
    reports = np.repeat([[1, 1], [0, 1], [1, 0], [0, 0]], [8, 7, 8, 7], axis=0)
    found = cf.Crowd(design, reports).given({"a": "yes"}).proportion({"b": "yes"})
    assert found.interval() == (0, 1)


@pytest.mark.slow
@pytest.mark.parametrize("names", [["a", "b"], NAMES])
def test_an_interval_narrows_with_its_level_and_holds_a_likely_value(names):
    crowd = survey(60)
    for estimate in crowd.table(names, method="likelihood").estimates[:4]:
        wide, narrow = estimate.interval(0.99), estimate.interval(0.5)
        assert wide[0] <= narrow[0] <= estimate.value <= narrow[1] <= wide[1]
        assert 0 < estimate.standard_error <= 0.5


def test_a_sub_population_says_how_many_people_it_is_estimated_to_have():
    crowd = survey(500)
    within = crowd.given({"a": "yes"})
    share = crowd.proportion({"a": "yes"}).value
    found = within.proportion({"b": "yes"})
    assert found.n == round(500 * share)
    assert found.total == 500
    assert f"n = {found.n} of 500" in repr(found)
    assert within.table(["c"], method="likelihood").n == pytest.approx(500 * share, abs=1)
