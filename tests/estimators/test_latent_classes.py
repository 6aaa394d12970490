"""Latent classes: a step against the enumeration of everything hidden."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes, whole_matrix
from support.mixtures import random_model, written_out
from support.properties import examples

import confide as cf
from confide.estimators.latent_classes import (
    HalvedReports,
    ProductMixtures,
    TrainingReports,
    group_slices,
    run_accelerated_em,
    run_em,
    take_em_step,
)
from confide.estimators.latent_classes.layouts import DenseLayout, SparseLayout
from confide.estimators.latent_classes.workspace import Workspace
from confide.estimators.product_mixture import ProductMixture

SEEDS = st.integers(0, 2**31)


def expect(batch, model, learnt):
    """A step of expectation, by pattern."""
    return batch.e_step(model, learnt, Workspace())


def naive_step(design, counts, weights, tables, learnt):
    """Enumerate every component and every truth behind every report."""
    matrix, order = whole_matrix(design)
    sizes = [design.question(name).size for name in order]
    prior = written_out(design, weights, tables, order)
    cells = np.ravel_multi_index([counts.patterns[:, design.position(n)] for n in order], sizes)
    logs, expected = [], np.zeros_like(prior)
    for cell, reports in zip(cells, learnt, strict=True):
        posterior = matrix[cell] * prior
        logs.append(np.log(posterior.sum()))
        expected += reports * posterior / posterior.sum()
    per_question = {}
    for axis, name in enumerate(order):
        table = expected.reshape(len(weights), *sizes)
        others = tuple(i + 1 for i in range(len(sizes)) if i != axis)
        per_question[design.position(name)] = table.sum(axis=others)
    return np.array(logs), expected.sum(axis=1), per_question


@examples(60)
@given(designs(), SEEDS, st.sampled_from([DenseLayout, SparseLayout]))
def test_a_step_equals_the_enumeration_of_every_truth(design, seed, layout):
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 60, seed)))
    model = random_model(design, members=2, components=3, seed=seed)
    generator = np.random.default_rng(seed)
    learnt = generator.integers(1, 9, (2, len(counts.reports)))
    batch = HalvedReports(counts)
    left, right = batch.left, batch.right
    batch.layout = layout(left.place, right.place, (left.size, right.size))
    logs, sizes, expected = expect(batch, model, learnt)
    for member in range(2):
        rows = slice(3 * member, 3 * member + 3)
        tables = [table[rows] for table in model.tables]
        found = naive_step(design, counts, model.weights[member], tables, learnt[member])
        np.testing.assert_allclose(logs[member], found[0], atol=1e-9)
        np.testing.assert_allclose(sizes[member], found[1], rtol=1e-9, atol=1e-9)
        for position, table in found[2].items():
            np.testing.assert_allclose(expected[position][rows], table, rtol=1e-9, atol=1e-9)


@examples(30)
@given(designs(), SEEDS)
def test_no_step_makes_the_reports_less_likely(design, seed):
    """Counting the people that the prior adds, as the steps do."""
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 200, seed)))
    reports = TrainingReports.of([counts])
    model, before = random_model(design, 1, 4, seed), -np.inf
    for _ in range(15):
        added = np.log(model.weights).sum()
        added += sum((np.log(t) / t.shape[1]).sum() for t in model.tables)
        model, logs = take_em_step(model, reports)
        likelihood = float(reports.log_likelihood(logs)[0]) + added
        assert likelihood > before - 1e-9
        before = likelihood


@examples(40)
@given(designs(), SEEDS)
def test_without_a_question_a_report_is_as_likely_as_all_its_reports_together(design, seed):
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 60, seed)))
    model = random_model(design, members=2, components=3, seed=seed)
    place = seed % len(design.names)
    question = design.questions[place]
    total = 0.0
    for code in range(question.size):
        patterns = counts.patterns.copy()
        patterns[:, place] = code
        one = HalvedReports(cf.Counts(design, patterns, counts.reports))
        total = total + np.exp(one.log_chances(model))
    rest = HalvedReports(counts, without=place).log_chances(model)
    np.testing.assert_allclose(np.exp(rest), total, rtol=1e-9)


def test_a_large_group_is_cut_and_gives_the_same(monkeypatch):
    design = cf.Design(
        [cf.YesNo(f"q{i}") for i in range(7)],
        [cf.Group([f"q{i}" for i in (3, 0, 5, 1, 2, 6)], cf.RelatedQuestion(0.7))],
    )
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 300, 1)))
    model = random_model(design, 2, 3, 1)
    learnt = np.stack([counts.reports, counts.reports])
    cut = HalvedReports(counts)
    assert any(each.group.cut for each in cut.left.slices)
    monkeypatch.setattr(group_slices, "_MOST_BRANCHES", 1)
    whole = HalvedReports(counts)
    assert not any(each.group.cut for each in whole.left.slices)
    found, expected = (expect(batch, model, learnt) for batch in (cut, whole))
    np.testing.assert_allclose(found[0], expected[0], atol=1e-9)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-9)
    for position, table in expected[2].items():
        np.testing.assert_allclose(found[2][position], table, rtol=1e-9, atol=1e-9)


def reports_of_two_kinds(seed):
    names = ["a", "b", "c", "d"]
    group = cf.Group(names, cf.RelatedQuestion(0.7))
    design = cf.Design([cf.YesNo(name) for name in names], [group])
    kind = np.random.default_rng(seed).integers(0, 2, (2_000, 1))
    answers = (np.random.default_rng(seed + 1).random((2_000, 4)) < 0.2 + 0.5 * kind).astype(int)
    return design, TrainingReports.of([cf.Counts.of(design, design.disguise(answers, seed=seed))])


def test_members_fitted_side_by_side_are_those_fitted_alone():
    design, reports = reports_of_two_kinds(1)
    model = random_model(design, members=3, components=2, seed=1)
    for run in (run_em, run_accelerated_em):
        together = run(model, reports, range(20))
        for place, member in enumerate(model.members):
            found, expected = together.member(place), run_alone(run, member, reports)
            np.testing.assert_allclose(found.weights, expected.weights, atol=1e-9)
            for ours, theirs in zip(found.tables, expected.tables, strict=True):
                np.testing.assert_allclose(ours, theirs, atol=1e-9)


def run_alone(run, member, reports):
    return run(ProductMixtures.stack([member]), reports, range(20)).member(0)


def test_leaps_save_steps():
    """Twenty leaps take sixty steps, and lead further than two hundred."""
    design, reports = reports_of_two_kinds(2)
    model = random_model(design, members=4, components=2, seed=2)

    def reach(fitted):
        return reports.log_likelihood(take_em_step(fitted, reports)[1])

    leapt = reach(run_accelerated_em(model, reports, range(20)))
    assert (leapt > reach(run_em(model, reports, range(60)))).all()
    assert (leapt > reach(run_em(model, reports, range(200))) - 0.01).all()


@examples(20)
@given(designs(), SEEDS)
def test_no_leap_makes_the_reports_less_likely(design, seed):
    """Counting the people that the prior adds, as the steps do."""
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 200, seed)))
    sizes, generator = (
        [design.question(name).size for name in design.names],
        np.random.default_rng(seed),
    )
    margins = [generator.dirichlet(np.ones(k)) for k in sizes]
    reports, seen = TrainingReports.of([counts], margins), []

    def take_note(model, logs):
        added = np.log(model.weights).sum()
        added += sum((m * np.log(t)).sum() for m, t in zip(margins, model.tables, strict=True))
        seen.append(float(reports.log_likelihood(logs)[0]) + added)
        return False

    run_accelerated_em(random_model(design, 1, 4, seed), reports, range(6), (), take_note)
    assert (np.diff(seen) > -1e-9).all()


def test_a_watcher_ends_the_leaps():
    design, reports = reports_of_two_kinds(5)
    model = random_model(design, members=2, components=2, seed=5)
    seen = []

    def stop_at_third(members, _logs):
        seen.append(members)
        return len(seen) == 3

    ended = run_accelerated_em(model, reports, range(100), is_over=stop_at_third)
    assert len(seen) == 3
    np.testing.assert_array_equal(ended.weights, seen[-1].weights)
    np.testing.assert_array_equal(
        ended.weights, run_accelerated_em(model, reports, range(2)).weights
    )


def test_people_who_are_added_answer_as_people_at_large():
    """Without a report they are all there is; evenly they answer only where nothing is said."""
    design, reports = reports_of_two_kinds(3)
    nobody = replace(reports, counts=[np.zeros_like(each) for each in reports.counts])
    sizes = [design.question(name).size for name in design.names]
    even = [np.full(size, 1 / size) for size in sizes]
    uneven = [np.linspace(1, 2, size) / np.linspace(1, 2, size).sum() for size in sizes]
    model = random_model(design, members=1, components=3, seed=3)
    for margins, expected in ((uneven, uneven), (None, even)):
        stepped, _ = take_em_step(model, replace(nobody, margins=margins))
        for table, margin in zip(stepped.tables, expected, strict=True):
            np.testing.assert_allclose(table, np.tile(margin, (3, 1)))


def test_fixed_tables_stay_as_they_are():
    design, reports = reports_of_two_kinds(3)
    model = random_model(design, members=2, components=2, seed=3)
    for run in (run_em, run_accelerated_em):
        found = run(model, reports, range(5), fixed=(1,))
        np.testing.assert_array_equal(found.tables[1], model.tables[1])
        assert not np.allclose(found.tables[0], model.tables[0])


def test_a_mixture_of_mixtures_has_the_mixed_table():
    design, _ = reports_of_two_kinds(4)
    first, second = random_model(design, members=2, components=3, seed=4).members
    mixed = ProductMixture.mix([0.25, 0.75], [first, second])
    expected = 0.25 * first.write_out() + 0.75 * second.write_out()
    np.testing.assert_allclose(mixed.write_out(), expected, atol=1e-15)
    np.testing.assert_allclose(mixed.margin(0), expected.reshape(2, -1).sum(axis=1), atol=1e-15)
