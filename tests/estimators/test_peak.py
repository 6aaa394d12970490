"""Peaks of the likelihood of latent classes: that the climb arrives, from anywhere."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes
from support.mixtures import random_model
from support.numbers_shown import flips, kinds
from support.properties import examples

import confide as cf
from confide.estimators.latent_classes import (
    LatentClassStarts,
    ProductMixtures,
    TrainingReports,
    climb_to_peak,
    evaluate_fit,
    peak,
    take_em_step,
)
from confide.estimators.latent_classes.peak import distributions
from confide.estimators.product_mixture import ProductMixture


def moved(mixture, array, row, column, by):
    """The same classes, but for one log odds against the first answer."""
    arrays = [each.copy() for each in distributions(mixture)]
    arrays[array][row, column] *= np.exp(by)
    arrays[array] /= arrays[array].sum(axis=1, keepdims=True)
    return ProductMixture(arrays[0][0], tuple(arrays[1:]))


def random_mixture(design, components, seed):
    return random_model(design, 1, components, seed).member(0)


@examples(30)
@given(designs(), st.integers(0, 2**31))
def test_the_gradient_is_how_fast_the_log_posterior_changes(design, seed):
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 200, seed)))
    reports, mixture = TrainingReports.of([counts]), random_mixture(design, 3, seed)
    places = [
        (array, row, column)
        for array, each in enumerate(distributions(mixture))
        for row in range(len(each))
        for column in range(1, each.shape[1])
    ]
    up, down = (
        [evaluate_fit(reports, moved(mixture, *place, by)).log_posterior for place in places]
        for by in (1e-4, -1e-4)
    )
    measured = np.subtract(up, down) / 2e-4
    np.testing.assert_allclose(evaluate_fit(reports, mixture).gradient, measured, atol=1e-3)


@pytest.mark.slow
@examples(15)
@given(designs(), st.sampled_from([1, 30, 500]), st.integers(0, 2**31))
def test_at_the_peak_no_step_moves_a_share(design, people, seed):
    counts = cf.Counts.of(design, labelled(design, random_codes(design, people, seed)))
    reports = TrainingReports.of([counts])
    start = evaluate_fit(reports, random_mixture(design, 4, seed))
    found = climb_to_peak(reports, start.mixture)
    stepped, _ = take_em_step(ProductMixtures.stack([found.mixture]), reports)
    assert found.log_posterior >= start.log_posterior
    pairs = zip(distributions(found.mixture), distributions(stepped.member(0)), strict=True)
    for before, after in pairs:
        np.testing.assert_allclose(after, before, rtol=0, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize(("truth", "groups", "classes"), [(0.55, 4, 4), (0.6, 1, 4)])
def test_the_climb_arrives_on_a_ridge_too(truth, groups, classes):
    """Where coins hide much, 3,000 accelerated steps of expectation–maximisation did not."""
    design = flips(truth, 12, groups)
    counts = cf.Counts.of(design, design.disguise(kinds(10_000, 12, 3), seed=2))
    reports = TrainingReports.of([counts])
    found = climb_to_peak(reports, random_mixture(design, classes, 1))
    assert np.abs(found.gradient).max() < 1e-8


def test_a_climb_ends_early_where_the_wanted_score_is_out_of_reach():
    design = flips(0.6, 12, 1)
    counts = cf.Counts.of(design, design.disguise(kinds(2_000, 12, 3), seed=2))
    reports, start = TrainingReports.of([counts]), random_mixture(design, 2, 1)
    found = climb_to_peak(reports, start)
    assert climb_to_peak(reports, start, found.score - 0.1).score == found.score
    assert climb_to_peak(reports, start, found.score + 1e6).score < found.score


@pytest.mark.parametrize("groups", [3, 30])
def test_choices_take_as_few_steps_to_the_peak_as_yes_no_questions(groups, monkeypatch):
    """With log odds each in its own unit it took five to ten times as many."""
    names = [f"q{place:02}" for place in range(30)]
    design = cf.Design(
        [cf.Choice(name, [*"abcd"]) for name in names],
        [cf.Group(names[group::groups], cf.RelatedQuestion(0.8)) for group in range(groups)],
    )
    generator = np.random.default_rng(3)
    reached = generator.dirichlet(np.ones(4), (3, 30)).cumsum(axis=2)[:, :, :-1]
    classes = generator.choice(3, 2_000, p=[0.5, 0.3, 0.2])
    codes = (generator.random((2_000, 30, 1)) > reached[classes]).sum(axis=2)
    answers = pd.DataFrame(np.array([*"abcd"])[codes], columns=names)
    counts = cf.Counts.of(design, design.disguise(answers, seed=1))
    reports, step, steps = TrainingReports.of([counts]), peak.take_em_step, []
    monkeypatch.setattr(peak, "take_em_step", lambda *given: steps.append(1) or step(*given))
    found = climb_to_peak(reports, LatentClassStarts([counts]).start(3, 0.5, generator))
    assert np.abs(found.gradient).max() < 1e-8
    assert len(steps) < 200
