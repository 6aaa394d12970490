"""Means and variances of numbers from their moments, against sums over the rows."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.estimators.number_moments import interval_moments, weigh_reports

NOISES = [cf.UniformNoise(20), cf.GaussianNoise(12), cf.LaplaceNoise(9)]


def ask(noise, step=1):
    groups = [cf.Group(["a"], cf.RelatedQuestion("3/4"))]
    groups += [cf.Group(["x"], noise)] if noise else []
    return cf.Design([cf.YesNo("a"), cf.Number("x", 16, 80, step=step)], groups)


def draw(design, n, generator, step=1):
    """Of those with a the numbers are higher: 45 against 35 on average."""
    a = generator.random(n) < 0.4
    x = 16 + 64 * generator.beta(np.where(a, 4, 3), np.where(a, 4.8276, 7.1053))
    x = x.round() if step else x
    reports = design.disguise(np.stack([a, x], axis=1).astype(float), seed=generator)
    return a, x, cf.Crowd(design, reports), reports


@pytest.mark.parametrize("step", [None, 1])
@pytest.mark.parametrize("noise", NOISES)
def test_a_report_stands_for_the_number_whatever_the_number_is(noise, step):
    block = ask(noise, step).block("x")
    matrix = block.channel_on([0]).matrix()
    for power in (1, 2):
        numbers, wanted = weigh_reports(block, power), interval_moments(block.number, power)
        off = np.abs(matrix.T @ numbers - wanted).max()
        deviation = np.sqrt(matrix.T @ numbers**2 - wanted**2).min()
        assert off < 1e-3 * deviation  # of the error of one report: 1 % of that of 100


def test_reports_that_only_name_an_interval_stand_for_no_number():
    design = cf.Design([cf.Number("x", 0, 100)], [cf.Group(["x"], cf.Intervals([0, 30, 100]))])
    assert weigh_reports(design.block("x"), 1) is None
    crowd = cf.Crowd(design, np.repeat([15.0, 65.0], [60, 40]))
    with pytest.raises(cf.QueryError, match=r"distribution\('x'\).mean"):
        crowd.mean("x")
    assert repr(crowd.distribution("x").mean).startswith("35.000, standard error")


def test_the_moments_of_a_number_in_the_clear_are_those_of_its_rows():
    design = ask(None)
    _, x, crowd, reports = draw(design, 500, np.random.default_rng(1))
    mean, found = crowd.mean("x"), crowd.distribution("x")
    assert mean.value == pytest.approx(x.mean())
    assert mean.standard_error == pytest.approx(x.std() / 500**0.5)
    assert found.mean == mean
    assert found.variance.value == pytest.approx(x.var())
    assert found.variance.standard_error == pytest.approx(((x - x.mean()) ** 2).std() / 500**0.5)
    weights = np.where(reports[:, 0] > 0, 1.5, -0.5)
    given = crowd.mean("x", given={"a": "yes"})
    assert given.value == pytest.approx(weights @ x / weights.sum())
    error = (weights * (x - given.value)).std() / weights.mean() / 500**0.5
    assert given.standard_error == pytest.approx(error)
    assert crowd.given({"a": "yes"}).mean("x") == given
    assert given.total == 500 and given.n == round(500 * weights.mean())


@pytest.mark.parametrize("noise", NOISES)
def test_under_noise_the_mean_is_that_of_the_weighted_reports(noise):
    """Reports in whole steps are their own numbers, but for the few at the ends."""
    design = ask(noise)
    _, _, crowd, reports = draw(design, 2_000, np.random.default_rng(2))
    assert crowd.mean("x").value == pytest.approx(reports[:, 1].mean(), abs=0.05)
    weights = np.where(reports[:, 0] > 0, 1.5, -0.5)
    naive = weights @ reports[:, 1] / weights.sum()
    assert crowd.mean("x", given={"a": "yes"}).value == pytest.approx(naive, abs=0.1)


def test_means_of_one_crowd_are_compared_by_how_they_move_together():
    _, _, crowd, reports = draw(ask(None), 3_000, np.random.default_rng(3))
    yes, no = (crowd.mean("x", given={"a": answer}) for answer in ("yes", "no"))
    x, a = reports[:, 1], np.where(reports[:, 0] > 0, 1.5, -0.5)
    moved = a * (x - yes.value) / a.mean() - (1 - a) * (x - no.value) / (1 - a).mean()
    assert (yes - no).standard_error == pytest.approx(moved.std() / 3_000**0.5)
    low, high = (yes - no).interval()
    assert low < 10 < high


def test_a_mean_never_has_an_interval_beyond_the_range():
    design = ask(cf.LaplaceNoise(40))
    reports = np.stack([np.repeat([0.0, 1.0], [40, 10]), np.full(50, 16.0)], axis=1)
    reports[::2, 1] = -60
    low, high = cf.Crowd(design, reports).mean("x").interval()
    assert 16 == low < high <= 80


def test_one_report_has_no_mean_and_too_much_noise_is_refused():
    design = ask(None)
    with pytest.raises(cf.QueryError, match="one report"):
        cf.Crowd(design, np.array([[1.0, 20.0]])).mean("x")
    with pytest.raises(cf.QueryError, match="is no number"):
        cf.Crowd(design, np.array([[1.0, 20.0]])).mean("a")
    wide = ask(cf.LaplaceNoise(1_000))
    crowd = cf.Crowd(wide, wide.disguise(np.tile([1.0, 20.0], (300, 1)), seed=1))
    with pytest.raises(cf.QueryError, match="too wide"):
        crowd.mean("x")


@pytest.mark.parametrize("by", ["size", "precision"])
def test_a_pool_of_clear_and_noisy_numbers_has_one_mean(by):
    generator = np.random.default_rng(4)
    crowds = [draw(ask(noise), 1_000, generator)[2] for noise in (None, cf.GaussianNoise(30))]
    means = [crowd.mean("x") for crowd in crowds]
    weights = np.array([each.standard_error**-2 for each in means]) if by == "precision" else [1, 1]
    pooled = cf.Crowd.pool(crowds, by).mean("x")
    expected = np.average([each.value for each in means], weights=weights)
    assert pooled.value == pytest.approx(expected, abs=0.05)
    assert pooled.n == 2_000
    if by == "precision":
        assert pooled.standard_error < means[0].standard_error


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("noise", "n", "given"),
    [
        (None, 30, None),
        (None, 200, {"a": "yes"}),
        (cf.GaussianNoise(12), 50, None),
        (cf.LaplaceNoise(9), 200, {"a": "yes"}),
        (cf.UniformNoise(20), 2_000, {"a": "yes"}),
    ],
)
def test_the_interval_of_a_mean_covers(noise, n, given):
    """400 surveys: 95 % covers within 91.7 to 98.3 % (3 errors); half of it does not."""
    design, generator = ask(noise), np.random.default_rng(5)
    people = draw(ask(None), 400_000, generator)
    truth = people[1][people[0]].mean() if given else people[1].mean()
    covered = narrow = 0
    for _ in range(400):
        low, high = draw(design, n, generator)[2].mean("x", given=given).interval()
        covered += low <= truth <= high
        middle, half = (low + high) / 2, (high - low) / 4
        narrow += middle - half <= truth <= middle + half
    assert 0.917 <= covered / 400 <= 0.99
    assert narrow / 400 < 0.9
