"""Correlations through disguise and noise, against numpy on the rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import confide as cf


def ask(noise=None, truth="4/5", together=False):
    coin = cf.RelatedQuestion(truth)
    groups = [cf.Group(["a", "b"], coin)]
    if not together:
        groups = [cf.Group(["a"], coin), cf.Group(["b"], coin)]
    if noise:
        groups.append(cf.Group(["x"], noise))
    return cf.Design([cf.YesNo("a"), cf.YesNo("b"), cf.Number("x", 0, 40, step=1)], groups)


def draw(n, generator):
    a = generator.random(n) < 0.4
    b = generator.random(n) < np.where(a, 0.7, 0.2)
    x = generator.binomial(40, np.where(a, 0.55, 0.45))
    return np.stack([a, b, x], axis=1).astype(float)


def find_truth():
    """P(a) = .4, P(b) = .4, P(ab) = .28; x has 40·p(1−p) + (4·…)² around 18 + 4a."""
    ab = (0.28 - 0.16) / 0.24
    variance = 0.4 * 40 * 0.55 * 0.45 + 0.6 * 40 * 0.45 * 0.55 + 16 * 0.24
    return ab, 4 * 0.24 / np.sqrt(0.24 * variance)


def test_in_the_clear_it_is_pearsons():
    answers = draw(300, np.random.default_rng(1))
    crowd = cf.Crowd(cf.Design(ask().questions), answers)
    expected = np.corrcoef(answers.T)
    for i, first in enumerate("abx"):
        for j, second in enumerate("abx"):
            if i != j:
                found = crowd.correlation(first, second)
                assert found.value == pytest.approx(expected[i, j])
                assert 0 < found.standard_error < 0.1
    assert crowd.correlation("a", "a").value == pytest.approx(1)


@pytest.mark.slow
@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("noise", [None, cf.UniformNoise(10), cf.LaplaceNoise(4)])
def test_disguise_and_noise_are_taken_out(noise, together):
    design, generator = ask(noise, together=together), np.random.default_rng(2)
    reports = design.disguise(draw(20_000, generator), seed=generator)
    crowd = cf.Crowd(design, reports)
    seen = np.corrcoef(reports.T)
    both = zip(("ab", "ax"), find_truth(), seen[0, 1:], strict=True)
    for pair, truth, reported in both:
        found = crowd.correlation(*pair)
        assert abs(found.value - truth) < 4 * found.standard_error
        if not together:
            assert abs(reported - truth) > 4 * found.standard_error  # that of the reports
    drawn = [
        cf.Crowd(design, cf.Counts.of(design, reports).subset(counts)).correlation("a", "x").value
        for counts in generator.multinomial(
            20_000, cf.Counts.of(design, reports).reports / 20_000, 60
        )
    ]
    assert crowd.correlation("a", "x").standard_error == pytest.approx(np.std(drawn), rel=0.3)


def test_within_a_sub_population_it_is_that_of_the_weighted_rows():
    answers = draw(2_000, np.random.default_rng(3))
    design = cf.Design(ask().questions, [cf.Group(["a"], cf.RelatedQuestion("4/5"))])
    told = answers[:, 0] != (np.random.default_rng(4).random(2_000) < 0.2)
    reports = np.c_[told, answers[:, 1:]]
    found = cf.Crowd(design, reports).given({"a": "yes"}).correlation("b", "x")
    weights = np.where(told, 4 / 3, -1 / 3)
    table = np.zeros((2, 2))
    means = weights @ answers[:, 1:] / weights.sum()
    for i in range(2):
        for j in range(2):
            rows = (answers[:, 1 + i] - means[i]) * (answers[:, 1 + j] - means[j])
            table[i, j] = weights @ rows / weights.sum()
    assert found.value == pytest.approx(table[0, 1] / np.sqrt(table[0, 0] * table[1, 1]))
    assert found.n == round(weights.sum()) and found.total == 2_000


def test_an_answer_that_does_not_vary_and_a_choice_of_three_are_refused():
    design = cf.Design([cf.YesNo("a"), cf.YesNo("b"), cf.Choice("c", ["x", "y", "z"])])
    crowd = cf.Crowd(
        design, cf.Counts.gather(design, [np.zeros(12, int), np.arange(12) % 2, np.arange(12) % 3])
    )
    with pytest.raises(cf.QueryError, match="a does not vary"):
        crowd.correlation("a", "b")
    with pytest.raises(cf.QueryError, match="Use test_independence"):
        crowd.correlation("b", "c")


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("noise", "n", "pair"),
    [
        (None, 100, "ab"),
        (None, 1_000, "ab"),
        (cf.UniformNoise(10), 400, "ax"),
        (cf.LaplaceNoise(4), 2_000, "ax"),
    ],
)
def test_its_interval_covers(noise, n, pair):
    """400 surveys: 95 % covers at least 91.7 % (3 errors), and half of its width does not."""
    design, generator = ask(noise), np.random.default_rng(5)
    truth = find_truth()["bx".index(pair[1])]
    covered = narrow = asked = 0
    for _ in range(400):
        try:
            low, high = (
                cf.Crowd(design, design.disguise(draw(n, generator), seed=generator))
                .correlation(*pair)
                .interval()
            )
        except cf.QueryError:
            continue
        asked += 1
        covered += low <= truth <= high
        narrow += abs(truth - (low + high) / 2) <= (high - low) / 4
    assert asked > 390
    assert covered / asked >= 0.917
    assert narrow / asked < 0.9


def test_an_answer_goes_with_itself():
    crowd = cf.Crowd(*_clear_numbers([16, 20, 40, 70] * 5))
    assert crowd.correlation("age", "age").value == pytest.approx(1)
    assert crowd.correlation("a", "a").value == pytest.approx(1)


def test_nothing_goes_with_a_number_that_is_the_same_for_all():
    with pytest.raises(cf.QueryError, match="age does not vary"):
        cf.Crowd(*_clear_numbers([40] * 20)).correlation("a", "age")


def _clear_numbers(ages):
    design = cf.Design([cf.YesNo("a"), cf.Number("age", 16, 80)])
    return design, pa.table({"a": [0, 1] * (len(ages) // 2), "age": ages})
