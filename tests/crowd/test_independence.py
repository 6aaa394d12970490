"""Tests of independence and homogeneity: Pearson's in the clear, and the right size in disguise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2_contingency

import confide as cf


def ask(truth=None, together=False):
    coin = cf.RelatedQuestion(truth) if truth else None
    groups = [] if coin is None else [cf.Group(["a"], coin), cf.Group(["b"], coin)]
    if together:
        groups = [cf.Group(["a", "b"], coin)]
    return cf.Design([cf.YesNo("a"), cf.Choice("b", ["x", "y", "z"]), cf.YesNo("c")], groups)


def draw(n, generator, link=0.0):
    a = generator.random(n) < 0.3
    ends = np.cumsum(np.array([0.5, 0.3, 0.2]) + link * np.outer(a, [-1, 0, 1]), axis=1)
    b = (generator.random(n)[:, None] > ends).sum(axis=1).clip(max=2)
    return [a.astype(int), b, generator.integers(0, 2, n)]


def disguise(design, codes, generator):
    values = np.stack([codes[0], np.array(["x", "y", "z"], object)[codes[1]], codes[2]], axis=1)
    return cf.Crowd(design, design.disguise(values, seed=generator))


def test_in_the_clear_they_are_pearsons():
    codes = draw(250, np.random.default_rng(1), link=0.15)
    crowd = cf.Crowd(ask(), cf.Counts.gather(ask(), codes))
    table = np.zeros((2, 3))
    np.add.at(table, (codes[0], codes[1]), 1)
    expected = chi2_contingency(table, correction=False)
    found = crowd.test_independence("a", "b")
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.freedom == expected.dof
    assert found.p_value == pytest.approx(expected.pvalue)
    inside = codes[2] == 1
    part = np.zeros((2, 3))
    np.add.at(part, (codes[0][inside], codes[1][inside]), 1)
    given = crowd.given({"c": "yes"}).test_independence("a", "b")
    assert given.statistic == pytest.approx(chi2_contingency(part, correction=False).statistic)
    groups = [
        cf.Crowd(ask(), cf.Counts.gather(ask(), [c[codes[0] == k] for c in codes])) for k in (0, 1)
    ]
    alike = cf.Crowd.test_homogeneity(groups, "b")
    assert alike.statistic == pytest.approx(expected.statistic)
    assert alike.freedom == 2
    answered = [crowd.given({"c": answer}) for answer in ("yes", "no")]
    assert cf.Crowd.test_homogeneity(answered, "b").freedom == 2


def test_a_number_is_cut_for_a_test():
    design = cf.Design([cf.YesNo("a"), cf.Number("x", 0, 9, step=1)])
    generator = np.random.default_rng(2)
    codes = [generator.integers(0, 2, 200), generator.integers(0, 10, 200)]
    table = np.zeros((2, 3))
    np.add.at(table, (codes[0], np.digitize(codes[1], [3, 7])), 1)
    found = cf.Crowd(design, cf.Counts.gather(design, codes)).test_independence(
        "a", cf.cut("x", [3, 7])
    )
    assert found.statistic == pytest.approx(chi2_contingency(table, correction=False).statistic)


@pytest.mark.statistical
@pytest.mark.slow
@pytest.mark.parametrize(
    ("truth", "n", "together"), [("4/5", 300, False), ("2/3", 1_000, False), ("3/4", 300, True)]
)
def test_the_size_of_the_test_is_5_percent_and_it_finds_what_there_is(truth, n, together):
    """300 surveys: within 1.2 to 8.8 % (3 errors). The χ² of reports under one coin is far off."""
    design, generator = ask(truth, together), np.random.default_rng(3)
    rejected = naive = 0
    for _ in range(300):
        crowd = disguise(design, draw(n, generator), generator)
        rejected += crowd.test_independence("a", "b").p_value < 0.05
        reported = crowd.counts[0].table(["a", "b"])
        naive += chi2_contingency(reported, correction=False).pvalue < 0.05
    assert 0.012 <= rejected / 300 <= 0.088
    assert not together or naive / 300 > 0.15
    found = sum(
        disguise(design, draw(4 * n, generator, 0.4), generator).test_independence("a", "b").p_value
        < 0.05
        for _ in range(20)
    )
    assert found >= 14


@pytest.mark.statistical
@pytest.mark.slow
def test_crowds_under_two_designs_are_told_apart_only_if_they_differ():
    """300 pairs: within 1.2 to 8.8 % (3 errors) where both answer alike."""
    designs, generator = (ask("3/4"), ask("9/10")), np.random.default_rng(4)

    def judge(link):
        crowds = [
            disguise(designs[0], draw(600, generator), generator),
            disguise(designs[1], draw(200, generator, link), generator),
        ]
        return cf.Crowd.test_homogeneity(crowds, "b").p_value < 0.05

    assert 0.012 <= sum(judge(0) for _ in range(300)) / 300 <= 0.088
    generator = np.random.default_rng(5)
    assert (
        cf.Crowd.test_homogeneity(
            [
                disguise(designs[0], draw(9_000, generator), generator),
                disguise(
                    designs[1],
                    [*(draw(5_000, generator)[:1]), np.full(5_000, 2), np.zeros(5_000, int)],
                    generator,
                ),
            ],
            "b",
        ).p_value
        < 1e-6
    )


def test_what_cannot_be_tested_is_refused():
    noisy = cf.Design(
        [cf.YesNo("a"), cf.Number("x", 0, 9, step=1)], [cf.Group(["x"], cf.UniformNoise(3))]
    )
    crowd = cf.Crowd(noisy, noisy.disguise(np.tile([1.0, 4.0], (50, 1)), seed=1))
    with pytest.raises(cf.QueryError, match="without noise"):
        crowd.test_independence("a", "x")
    with pytest.raises(cf.QueryError, match="at least two crowds"):
        cf.Crowd.test_homogeneity([crowd], "a")
    with pytest.raises(cf.QueryError, match="each once"):
        crowd.test_independence("a", "a")
