"""Latent classes: a step against the enumeration of everything hidden."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support.designs import designs, labelled, random_codes, whole_matrix
from support.mixtures import random_model, written_out

import confide as cf
from confide.estimators.latent_classes import HalvedReports, reported
from confide.estimators.latent_classes.pairs import AllPairs, SeenPairs

SEEDS = st.integers(0, 2**31)


def explained(batch, model, learnt):
    """A step of expectation, by pattern."""
    laid = batch.pairs.laid(learnt)
    logs, sizes, expected = batch.explained(model.weights, model.tables, laid)
    return batch.pairs.by_pattern(logs), sizes, expected


def logs_of(batch, model):
    return batch.pairs.by_pattern(batch.likelihood(model.weights, model.tables))


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


@settings(max_examples=60, deadline=None)
@given(designs(), SEEDS, st.sampled_from([AllPairs, SeenPairs]))
def test_a_step_equals_the_enumeration_of_every_truth(design, seed, layout):
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 60, seed)))
    model = random_model(design, members=2, components=3, seed=seed)
    generator = np.random.default_rng(seed)
    learnt = generator.integers(1, 9, (2, len(counts.reports)))
    batch = HalvedReports(counts)
    left, right = batch.left, batch.right
    batch.pairs = layout(left.place, right.place, (left.size, right.size))
    logs, sizes, expected = explained(batch, model, learnt)
    for member in range(2):
        rows = slice(3 * member, 3 * member + 3)
        tables = [table[rows] for table in model.tables]
        found = naive_step(design, counts, model.weights[member], tables, learnt[member])
        np.testing.assert_allclose(logs[member], found[0], atol=1e-9)
        np.testing.assert_allclose(sizes[member], found[1], rtol=1e-9, atol=1e-9)
        for position, table in found[2].items():
            np.testing.assert_allclose(expected[position][rows], table, rtol=1e-9, atol=1e-9)


@settings(max_examples=30, deadline=None)
@given(designs(), SEEDS)
def test_no_step_makes_the_reports_less_likely(design, seed):
    """Counting the people that the prior adds, as the steps do."""
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 200, seed)))
    batch = HalvedReports(counts)
    learnt = batch.pairs.laid(counts.reports[None])
    model, before = random_model(design, 1, 4, seed), -np.inf
    for _ in range(15):
        added = np.log(model.weights).sum()
        added += sum((np.log(t) / t.shape[1]).sum() for t in model.tables)
        model, (logs,) = model.improved([batch], [learnt])
        likelihood = float((logs * learnt).sum()) + added
        assert likelihood > before - 1e-9
        before = likelihood


@settings(max_examples=40, deadline=None)
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
        total = total + np.exp(logs_of(one, model))
    rest = logs_of(HalvedReports(counts, without=place), model)
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
    assert any(piece.part.cut for piece in cut.left.pieces)
    monkeypatch.setattr(reported, "_MOST_BRANCHES", 1)
    whole = HalvedReports(counts)
    assert not any(piece.part.cut for piece in whole.left.pieces)
    found, expected = (explained(batch, model, learnt) for batch in (cut, whole))
    np.testing.assert_allclose(found[0], expected[0], atol=1e-9)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-9)
    for position, table in expected[2].items():
        np.testing.assert_allclose(found[2][position], table, rtol=1e-9, atol=1e-9)
