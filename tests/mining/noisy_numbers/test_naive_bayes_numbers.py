"""Naive Bayes on numbers with noise, against the paper's equation 3 in plain loops."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2

import confide as cf
from confide.mining.noisy_numbers.screening import MOST_QUESTIONS
from confide.papers.agrawal_srikant_2000 import synthetic, tree_experiments

N = 1000  # a hundred reports for each of the fewest intervals, ten
INTERVALS, HALF_WIDTH = 10, 2
POINT = 0.01


def survey(target_mechanism=None):
    """Two numbers from 0 to 10 with noise, a yes-no question in the clear, and a class."""
    noise = cf.UniformNoise(HALF_WIDTH)
    groups = [cf.Group(["x"], noise), cf.Group(["y"], noise)]
    if target_mechanism is not None:
        groups.append(cf.Group(["ill"], target_mechanism))
    return cf.Design(
        [
            cf.Number("x", 0, 10),
            cf.Number("y", 0, 10),
            cf.YesNo("insured"),
            cf.YesNo("ill"),
        ],
        groups,
    )


def answers(n=N):
    generator = np.random.default_rng(1)
    ill = generator.random(n) < 0.3
    x = np.where(ill, generator.triangular(0, 8, 10, n), generator.uniform(0, 10, n))
    y = generator.triangular(0, 2, 10, n)
    insured = generator.random(n) < np.where(ill, 0.6, 0.3)
    return np.stack([x, y, insured, ill], axis=1)


def chance_of_report(report, truth):
    """P(report within [report, report + 1] | number uniform within [truth, truth + 1])."""

    def given(number):
        low, high = max(report, number - HALF_WIDTH), min(report + 1, number + HALF_WIDTH)
        return max(0.0, high - low) / (2 * HALF_WIDTH)

    return (given(truth) + given(truth + 1)) / 2  # linear in between


def most_likely_shares(numbers, labels, mistaken):
    """Equation 3 on class × interval, until two steps differ by 1 % of the χ² threshold."""
    places = range(-HALF_WIDTH, INTERVALS + HALF_WIDTH)
    counted = {(v, r): 0.0 for v in (0, 1) for r in places}
    for number, label in zip(numbers, labels, strict=True):
        counted[int(label), int(np.floor(number))] += 1 / len(numbers)
    cells = [(v, a) for v in (0, 1) for a in range(INTERVALS)]
    channel = {
        (w, r, v, a): (1 - mistaken if w == v else mistaken) * chance_of_report(r, a)
        for (w, r) in counted
        for (v, a) in cells
    }
    p = dict.fromkeys(cells, 1 / len(cells))
    while True:
        expected = {o: sum(channel[(*o, *c)] * p[c] for c in cells) for o in counted}
        after = {
            c: p[c] * sum(counted[o] * channel[(*o, *c)] / expected[o] for o in counted)
            for c in cells
        }
        change = sum((after[c] - p[c]) ** 2 / p[c] for c in cells)
        p = after
        if len(numbers) * change <= 0.01 * chi2.ppf(0.95, len(cells) - 1):
            return np.array([[p[v, a] for a in range(INTERVALS)] for v in (0, 1)])


@pytest.mark.parametrize("truth", [None, 0.9])
def test_chances_are_those_of_the_papers_procedure_for_each_question_alone(truth):
    """With the target in the clear, and with the target disguised too."""
    mistaken = 0 if truth is None else 1 - truth
    design = survey(None if truth is None else cf.RelatedQuestion(truth))
    reports = np.asarray(design.disguise(answers(), seed=2))
    model = cf.DisguisedNaiveBayes(design, "ill", smoothing=0).fit(reports)
    x, y, insured, ill = reports.T
    unmixed = np.linalg.inv([[1 - mistaken, mistaken], [mistaken, 1 - mistaken]])
    prior = unmixed @ [1 - ill.mean(), ill.mean()]
    insurances = unmixed @ [[np.mean((ill == v) & (insured == t)) for t in (0, 1)] for v in (0, 1)]
    tables = [
        most_likely_shares(x, ill, mistaken),
        most_likely_shares(y, ill, mistaken),
        insurances,
    ]
    given = [table / table.sum(axis=1, keepdims=True) for table in tables]
    generator = np.random.default_rng(3)
    rows = np.stack([*generator.uniform(0, 10, (2, 20)), generator.integers(0, 2, 20)], axis=1)
    found = model.predict_proba(rows)
    for (a, b, t), chances in zip(rows, found, strict=True):
        scores = prior * given[0][:, int(a)] * given[1][:, int(b)] * given[2][:, int(t)]
        np.testing.assert_allclose(chances, scores / scores.sum(), atol=1e-6)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(("function", "noise"), [(1, "uniform"), (4, "uniform"), (4, "gaussian")])
def test_noise_costs_naive_bayes_few_points_and_uncorrected_noise_more(function, noise):
    """20,000 people at full privacy: within 3 points of clear data; reports as answers are not."""
    people = synthetic.generate(function, 20_000, seed=1)
    test = synthetic.generate(function, 5000, seed=2)
    design = synthetic.build_design(1.0, noise)
    clear = cf.Design(design.questions)
    reports = design.disguise(people, seed=3)

    def accuracy(design, rows):
        model = cf.DisguisedNaiveBayes(design, "group").fit(rows)
        return (model.predict(test.drop(columns="group")) == test["group"]).mean()

    original, corrected, uncorrected = (
        accuracy(*each)
        for each in (
            (clear, people),
            (design, reports),
            (clear, tree_experiments.clip_to_range(clear, reports)),
        )
    )
    assert corrected >= original - 3 * POINT
    assert uncorrected < corrected - POINT


def test_a_number_that_tells_nothing_moves_nothing():
    """However unequal the classes are."""
    generator = np.random.default_rng(5)
    n = 20_000
    noise = cf.GaussianNoise(3)
    design = cf.Design(
        [cf.Number("x", 0, 10), cf.Number("y", 0, 10), cf.YesNo("rare")],
        [cf.Group(["x"], noise), cf.Group(["y"], noise)],
    )
    rare = generator.random(n) < 0.1
    x = np.where(rare, generator.uniform(5, 10, n), generator.uniform(0, 7, n))
    reports = design.disguise(np.stack([x, generator.uniform(0, 10, n), rare], axis=1), seed=6)
    model = cf.DisguisedNaiveBayes(design, "rare").fit(reports)
    ys = np.linspace(0.5, 9.5, 10)
    low, high = (model.predict_proba(np.stack([np.full(10, x), ys], 1))[:, 1] for x in (2.0, 9.0))
    assert low.max() < 0.1
    assert high.min() > 0.7


def test_a_model_of_noisy_numbers_predicts_the_same_from_a_file(tmp_path):
    design = survey()
    model = cf.DisguisedNaiveBayes(design, "ill").fit(design.disguise(answers(), seed=2))
    model.save(tmp_path / "model.json")
    rows = answers(50)[:, :3]
    again = cf.load_model(tmp_path / "model.json")
    np.testing.assert_allclose(again.predict_proba(rows), model.predict_proba(rows))


def test_inversion_is_refused_where_noise_has_none():
    design = survey()
    reports = design.disguise(answers(), seed=2)
    for learner in (cf.DisguisedNaiveBayes, cf.DisguisedTreeClassifier):
        with pytest.raises(cf.ModelError, match=r'the disguise of x has no inverse.*use "auto"'):
            learner(design, "ill", method="literal").fit(reports)


def test_the_methods_of_trees_are_refused():
    design = survey()
    with pytest.raises(cf.ModelError, match='must be "auto" or "literal"'):
        cf.DisguisedNaiveBayes(design, "ill", method="local").fit(answers())


def test_a_refusal_advises_only_what_the_learner_has():
    names = [f"n{i}" for i in range(MOST_QUESTIONS + 1)]
    design = cf.Design(
        [*(cf.Number(name, 0, 10, step=1) for name in names), cf.YesNo("y")],
        [cf.Group([name], cf.UniformNoise(2)) for name in names],
    )
    answers = np.random.default_rng(1).integers(0, 2, (300, len(names) + 1))
    reports = design.disguise(answers, seed=1)
    model = cf.DisguisedNaiveBayes(design, "y").fit(reports)
    with pytest.raises(cf.ModelError, match="survey of fewer questions, or a tree") as refused:
        model.score_disguised(reports)
    assert "method=" not in str(refused.value)


def test_a_skewed_number_in_the_clear_is_scored_where_most_people_are():
    """The first of even intervals holds nearly all: a model right for 65 % was scored 49 %.

    Counts hold a number by such intervals; reports at hand are told apart where people are.
    """
    design = cf.Design(
        [
            cf.YesNo("poor"),
            cf.Number("wealth", 0, 1),
            cf.Number("age", 0, 1),
            cf.Number("hours", 0, 1),
            cf.Choice("faculty", list("abcde")),
        ],
        [cf.Group(["poor"], cf.RelatedQuestion("9/10")), cf.Group(["age"], cf.UniformNoise(0.1))],
    )
    chance, n = np.random.default_rng(1), 4_000
    wealth = np.minimum(np.exp(chance.normal(-5, 2.5, 2 * n)), 1)
    poor = (wealth < np.median(wealth)) ^ (chance.random(2 * n) < 0.04)
    people = np.column_stack(
        [poor, wealth, chance.random((2 * n, 2)), chance.integers(0, 5, 2 * n)]
    )
    frame = pd.DataFrame(people, columns=design.names)
    frame["faculty"] = np.array(list("abcde"))[frame["faculty"].astype(int)]
    reports = design.disguise(frame, seed=2)
    model = cf.DisguisedNaiveBayes(design, "poor").fit(cf.Counts.of(design, reports[:n]))
    true = float((model.predict(frame[n:].drop(columns="poor")) == frame["poor"][n:]).mean())
    found = model.score_disguised(cf.Counts.of(design, reports[n:]))
    assert true > 0.6
    assert abs(found.value - true) < 4 * found.standard_error
