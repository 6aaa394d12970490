"""The joint that learners work on by default, against brute force and on populations we made."""

from __future__ import annotations

import numpy as np
import pytest
from designs import designs, labelled, random_codes, whole_matrix
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from confide.mining.joint import Joint, choose_joint, reported
from confide.mining.joint.latent import LatentClasses
from confide.mining.joint.pairs import AllPairs, SeenPairs
from confide.mining.joint.reported import Reported

SEEDS = st.integers(0, 2**31)


def random_model(design, members, components, seed):
    generator = np.random.default_rng(seed)
    weights = generator.dirichlet(np.ones(components), members)
    tables = [
        generator.dirichlet(np.ones(question.size), members * components)
        for question in design.questions
    ]
    return LatentClasses(weights, tables)


def explained(batch, model, learnt):
    """A step of expectation, by pattern."""
    laid = batch.pairs.laid(learnt)
    logs, sizes, expected = batch.explained(model.weights, model.tables, laid)
    return batch.pairs.by_pattern(logs), sizes, expected


def logs_of(batch, model):
    return batch.pairs.by_pattern(batch.likelihood(model.weights, model.tables))


def written_out(design, weights, tables, order):
    """P(component, cell) over all combinations of answers, the questions in the given order."""
    cells = weights[:, None]
    for name in order:
        table = tables[design.position(name)]
        cells = (cells[:, :, None] * table[:, None, :]).reshape(len(weights), -1)
    return cells


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
    batch = Reported(counts)
    left, right = batch.left, batch.right
    batch.pairs = layout(left.place, right.place, (left.size, right.size))
    logs, sizes, expected = explained(batch, model, learnt)
    for member in range(2):
        rows = slice(3 * member, 3 * member + 3)
        tables = [table[rows] for table in model.tables]
        found = naive_step(design, counts, model.weights[member], tables, learnt[member])
        np.testing.assert_allclose(logs[member], found[0], atol=1e-4)
        np.testing.assert_allclose(sizes[member], found[1], rtol=1e-3, atol=1e-3)
        for position, table in found[2].items():
            np.testing.assert_allclose(expected[position][rows], table, rtol=1e-3, atol=1e-3)


@settings(max_examples=30, deadline=None)
@given(designs(), SEEDS)
def test_no_step_makes_the_reports_less_likely(design, seed):
    """Counting the people that the prior adds, as the steps do."""
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 200, seed)))
    batch = Reported(counts)
    learnt = batch.pairs.laid(counts.reports[None])
    model, before = random_model(design, 1, 4, seed), -np.inf
    for _ in range(15):
        added = np.log(model.weights).sum()
        added += sum((np.log(t) / t.shape[1]).sum() for t in model.tables)
        model, (logs,) = model.improved([batch], [learnt])
        likelihood = float((logs * learnt).sum()) + added
        assert likelihood > before - 1e-2  # single precision on two hundred reports
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
        one = Reported(cf.Counts(design, patterns, counts.reports))
        total = total + np.exp(logs_of(one, model))
    rest = logs_of(Reported(counts, without=place), model)
    np.testing.assert_allclose(np.exp(rest), total, rtol=1e-3)


def test_a_large_group_is_cut_and_gives_the_same(monkeypatch):
    design = cf.Design(
        [cf.YesNo(f"q{i}") for i in range(7)],
        [cf.Group([f"q{i}" for i in (3, 0, 5, 1, 2, 6)], cf.RelatedQuestion(0.7))],
    )
    counts = cf.Counts.of(design, labelled(design, random_codes(design, 300, 1)))
    model = random_model(design, 2, 3, 1)
    learnt = np.stack([counts.reports, counts.reports])
    cut = Reported(counts)
    assert any(piece.part.cut for piece in cut.left.pieces)
    monkeypatch.setattr(reported, "_MOST_BRANCHES", 1)
    whole = Reported(counts)
    assert not any(piece.part.cut for piece in whole.left.pieces)
    found, expected = (explained(batch, model, learnt) for batch in (cut, whole))
    np.testing.assert_allclose(found[0], expected[0], atol=1e-4)
    np.testing.assert_allclose(found[1], expected[1], rtol=1e-4)
    for position, table in expected[2].items():
        np.testing.assert_allclose(found[2][position], table, rtol=1e-3, atol=1e-3)


def chosen(answers, groups, truth, seed=1, target="c"):
    names = [f"q{i}" for i in range(answers.shape[1] - 1)] + [target]
    parts = [[names[i] for i in part] for part in groups]
    design = cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part, cf.RelatedQuestion(truth)) for part in parts],
    )
    return choose_joint(cf.Crowd(design, design.disguise(answers, seed=seed)), target)


def score(joint, name):
    return next(c.score for c in joint.candidates if c.name == name)


def test_independent_answers_choose_the_independent_table():
    generator = np.random.default_rng(2)
    answers = (generator.random((3000, 6)) < [0.2, 0.4, 0.7, 0.6, 0.3, 0.25]).astype(int)
    joint = chosen(answers, [[0, 1, 2], [3, 4, 5]], "7/10")
    assert score(joint, "independent") > score(joint, "12 latent classes")


def test_answers_that_the_class_explains_choose_naive_bayes():
    generator = np.random.default_rng(3)
    label = generator.random(4000) < 0.35
    odds = np.where(label[:, None], [0.9, 0.2, 0.8, 0.7, 0.1], [0.3, 0.6, 0.2, 0.1, 0.5])
    answers = np.column_stack([generator.random((4000, 5)) < odds, label]).astype(int)
    joint = chosen(answers, [[0, 1, 5], [2, 3, 4]], "8/10")
    assert joint.candidates[0].name == "naive Bayes"


def test_hidden_classes_choose_latent_classes():
    generator = np.random.default_rng(4)
    chances = generator.choice([0.1, 0.9], (5, 9))
    answers = (generator.random((4000, 9)) < chances[generator.integers(5, size=4000)]).astype(int)
    joint = chosen(answers, [[0, 1, 2, 3], [4, 5, 6, 7, 8]], "8/10")
    assert "latent" in joint.candidates[0].name
    assert score(joint, "naive Bayes") > score(joint, "independent")


@pytest.mark.parametrize("groups", [[range(13)], [range(6), range(6, 13)]])
def test_an_interaction_without_any_pairwise_trace_survives(groups):
    generator = np.random.default_rng(5)
    columns = generator.integers(0, 2, (20_000, 12))
    answers = np.column_stack([columns, columns[:, 1] ^ columns[:, 8]])
    joint = chosen(answers, groups, "7/10")
    fresh = generator.integers(0, 2, (1000, 13))
    guessed = joint.proba("c", fresh).argmax(axis=1)
    assert (guessed == fresh[:, 1] ^ fresh[:, 8]).mean() > 0.98


def test_the_same_seed_gives_the_same_joint():
    answers = np.random.default_rng(6).integers(0, 2, (500, 4))
    first, second = (chosen(answers, [[0, 1, 3]], "7/10") for _ in range(2))
    np.testing.assert_array_equal(first.weights, second.weights)


def test_choices_numbers_and_pools_have_a_joint_too():
    generator = np.random.default_rng(7)
    questions = [cf.Choice("a", ["x", "y", "z"]), cf.Number("b", 0, 10, step=1), cf.YesNo("c")]
    noisy = cf.Design(
        questions,
        [
            cf.Group(["a", "c"], cf.UnrelatedQuestion("7/10", _even())),
            cf.Group(["b"], cf.UniformNoise(2)),
        ],
    )
    clear = cf.Design(questions)
    kind = generator.integers(0, 3, 1500)
    answers = {
        "a": np.array(["x", "y", "z"])[kind],
        "b": kind * 4 + generator.integers(0, 2, 1500),
        "c": (kind == 2).astype(int),
    }
    import pandas as pd

    frame = pd.DataFrame(answers)
    pool = cf.Crowd.pool(
        [cf.Crowd(noisy, noisy.disguise(frame, seed=1)), cf.Crowd(clear, frame[:100])]
    )
    joint = choose_joint(pool, "c")
    codes = np.array([[0, 0, 0], [1, 4, 0], [2, 8, 0]])
    np.testing.assert_array_equal(joint.proba("c", codes).argmax(axis=1), [0, 0, 1])


def _even():
    return {
        "a": {"x": "1/3", "y": "1/3", "z": "1/3"},
        "c": {"yes": "1/2", "no": "1/2"},
    }


@settings(max_examples=40, deadline=None)
@given(designs(), SEEDS)
def test_a_joint_answers_as_its_written_out_table(design, seed):
    model = random_model(design, 1, 4, seed)
    joint = Joint(design, 100, model.weights[0], tuple(model.tables))
    cells = written_out(design, model.weights[0], model.tables, design.names).sum(axis=0)
    table = cells.reshape([q.size for q in design.questions])
    codes, shares = joint.cells()
    np.testing.assert_allclose(table[tuple(codes.T)], shares, atol=1e-12)
    assert abs(shares.sum() - 1) < 1e-12
    target, rest = design.names[-1], list(design.names[:-1])
    if rest:
        given_classes = table / table.sum(axis=-1, keepdims=True)
        np.testing.assert_allclose(
            joint.proba(target, codes), given_classes[tuple(codes[:, :-1].T)], atol=1e-9
        )
        part = joint.given({rest[0]: design.question(rest[0]).labels[1]})
        assert abs(part.share - table[1].sum()) < 1e-12
        for name, crossed in part.cross(target, rest).items():
            np.testing.assert_allclose(crossed.sum(), table[1].sum(), atol=1e-12)
            if name != rest[0]:
                axes = tuple(
                    i - 1 for i, n in enumerate(design.names) if n not in (rest[0], name, target)
                )
                np.testing.assert_allclose(crossed, table[1].sum(axis=axes).T, atol=1e-12)
        assert part.given({rest[0]: design.question(rest[0]).labels[0]}).share == 0
        _, inside = part.cells()
        assert abs(inside.sum() - part.share) < 1e-12
