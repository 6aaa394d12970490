"""The adversary's latent classes, on crowds that are known."""

from __future__ import annotations

import numpy as np
import pytest
from support.designs import random_codes
from support.mixtures import known_crowd
from support.numbers_shown import flips

import confide as cf
from confide.privacy import latent_crowd
from confide.privacy.exposure import measure_exposure


def two_kinds(design, rows, seed):
    """People of two kinds, and what a perfect adversary knows about them."""
    generator = np.random.default_rng(seed)
    shares = np.stack([generator.uniform(0.05, 0.5, 12), generator.uniform(0.2, 0.95, 12)])
    weights = np.array([0.6, 0.4])
    kind = generator.choice(2, rows, p=weights)
    answers = (generator.random((rows, 12)) < shares[kind]).astype(int)
    known = {
        name: np.stack([1 - shares[:, i], shares[:, i]], axis=1)
        for i, name in enumerate(design.names)
    }
    return answers, known_crowd(weights, known, "the truth")


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("groups", [1, 3])
def test_fitted_classes_know_the_coins_as_well_as_the_truth_does(groups):
    """From 4,000 reports at θ = 0.7: within 0.035 of an adversary who knows the crowd exactly."""
    design = flips(0.7, 12, groups)
    answers, perfect = two_kinds(design, 4_000, 1)
    crowd = cf.Crowd(design, design.disguise(answers, seed=2))
    found = cf.privacy.of(design, crowd=crowd).exposure
    known = measure_exposure(design, perfect)
    for a, b in zip(found.coins, known.coins, strict=True):
        assert a.mean == pytest.approx(b.mean, abs=0.035)
    assert found.all_coins.mean == pytest.approx(known.all_coins.mean, abs=0.035)
    for name in design.names:
        assert found.answers[name].mean == pytest.approx(known.answers[name].mean, abs=0.035)
        assert found.population.margin(name)[1] == pytest.approx(
            perfect.margin(name)[1], abs=margin_tolerance(4_000)
        )


def margin_tolerance(n):
    """Four standard errors of an inverse estimate at θ = 0.7, at most 1/2/(2θ − 1)/√n each."""
    return 4 * 0.5 / 0.4 / np.sqrt(n)


@pytest.mark.slow
@pytest.mark.statistical
def test_classes_fitted_under_a_wrong_truth_are_caught():
    """The same reports read as if θ were 0.9: the margins are off by more than the tolerance."""
    right, wrong = flips(0.7, 12, 12), flips(0.9, 12, 12)
    answers, perfect = two_kinds(right, 4_000, 1)
    crowd = cf.Crowd(wrong, right.disguise(answers, seed=2))
    found = cf.privacy.of(wrong, crowd=crowd).population
    errors = [abs(found.margin(n)[1] - perfect.margin(n)[1]) for n in wrong.names]
    assert max(errors) > margin_tolerance(4_000)


@pytest.mark.slow
@pytest.mark.statistical
def test_classes_are_as_sure_as_they_are_right():
    """Calibrated: what they expect to get right and what they get right, on reports whose coins
    are known, differ by less than 0.025 (four standard errors of 4,000 coins, nine in ten right).
    """
    design = flips(0.6, 12, 1)
    answers, _ = two_kinds(design, 4_000, 1)
    reports = design.disguise(answers, seed=2)
    found = cf.privacy.of(design, crowd=cf.Crowd(design, reports)).exposure
    coin = (reports == answers).all(axis=1)
    told = 0.6 * likelihood(found.population, reports) >= 0.4 * likelihood(
        found.population, 1 - reports
    )
    assert found.coins[0].mean == pytest.approx((told == coin).mean(), abs=0.025)
    assert found.coins[0].mean > 0.6 + 0.025  # what θ alone would say is caught


def likelihood(population, answers):
    total = 0.0
    for k, weight in enumerate(population.mixture.weights):
        terms = [each[k][answers[:, i]] for i, each in enumerate(population.shares.values())]
        total = total + weight * np.prod(terms, axis=0)
    return total


def test_a_small_table_with_many_reports_is_used_as_it_is():
    design = flips(0.75, 3, 1)
    crowd = cf.Crowd(design, design.disguise(random_codes(design, 2_000, 1), seed=1))
    population = cf.privacy.of(design, crowd=crowd).population
    assert population.settled
    table = crowd.table(list(design.names), method="likelihood").values
    np.testing.assert_allclose(population.mixture.weights, table[table > 0])


@pytest.mark.slow
def test_reports_under_several_designs_are_fitted_together():
    truth, disguised = cf.Design(flips(0.6, 12, 1).questions), flips(0.6, 12, 1)
    answers, perfect = two_kinds(disguised, 4_000, 1)
    pool = cf.Crowd.pool(
        [
            cf.Crowd(truth, answers[:2_000]),
            cf.Crowd(disguised, disguised.disguise(answers[2_000:], seed=1)),
        ]
    )
    population = cf.privacy.of(disguised, crowd=pool).population
    for name in disguised.names:
        assert population.margin(name)[1] == pytest.approx(
            perfect.margin(name)[1], abs=4 * 0.5 / np.sqrt(2_000)
        )


@pytest.mark.slow
def test_a_crowd_larger_than_the_sample_gives_nearly_the_same_classes(monkeypatch):
    design = flips(0.75, 12, 2)
    answers, _ = two_kinds(design, 6_000, 1)
    crowd = cf.Crowd(design, design.disguise(answers, seed=2))
    whole = cf.privacy.of(design, crowd=crowd).exposure.all_coins.mean
    monkeypatch.setattr(latent_crowd, "_LARGEST_SAMPLE", 3_000)
    part = cf.privacy.of(design, crowd=crowd).exposure.all_coins.mean
    assert part == pytest.approx(whole, abs=0.035)


@pytest.mark.slow
def test_the_same_reports_give_the_same_numbers():
    design = flips(0.6, 12, 2)
    crowd = cf.Crowd(design, design.disguise(two_kinds(design, 1_000, 1)[0], seed=2))
    first, second = (cf.privacy.of(design, crowd=crowd).exposure for _ in range(2))
    assert first.all_coins.mean == second.all_coins.mean
