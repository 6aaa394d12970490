"""Many questions: fits begin on some of the reports and end on all of them."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.mining.joint import choose_joint, wide_surveys

NAMES = [f"q{i}" for i in range(12)]


def hidden_classes(rows, generator):
    """Two hidden classes, which the last answer tells nine times in ten."""
    kind = generator.integers(0, 2, rows)
    chances = np.where(kind[:, None], np.linspace(0.2, 0.8, 11), np.linspace(0.8, 0.2, 11))
    label = kind ^ (generator.random(rows) < 0.1)
    return np.column_stack([generator.random((rows, 11)) < chances, label]).astype(int)


def crowd_of(rows, seed=1):
    design = cf.Design(
        [cf.YesNo(name) for name in NAMES],
        [cf.Group([name], cf.RelatedQuestion("4/5")) for name in NAMES],
    )
    answers = hidden_classes(rows, np.random.default_rng(seed))
    return cf.Crowd(design, design.disguise(answers, seed=seed))


def test_few_answers_are_all_begun_with():
    crowd = crowd_of(500)
    assert wide_surveys.draw_some(crowd, np.random.default_rng(1)) is crowd


def test_some_reports_are_drawn_in_proportion_from_every_batch(monkeypatch):
    monkeypatch.setattr(wide_surveys, "_BEGUN", 6_000)
    pool = cf.Crowd.pool([crowd_of(1_000), crowd_of(500, seed=2)])
    some = wide_surveys.draw_some(pool, np.random.default_rng(1))
    first, second = some.counts
    assert abs(first.n - 2 * second.n) <= 2
    assert abs(some.n * len(NAMES) - 6_000) < 0.5 * 6_000
    for part, batch in zip(some.counts, pool.counts, strict=True):
        held = {tuple(row): n for row, n in zip(batch.patterns, batch.reports, strict=True)}
        assert all(n <= held[tuple(r)] for r, n in zip(part.patterns, part.reports, strict=True))


def test_the_more_answers_the_fewer_fits_are_begun(monkeypatch):
    crowd = crowd_of(500)
    answers = crowd.counts[0].patterns.size
    for work, members in ((1, 5), (7, 7), (50, 10)):
        monkeypatch.setattr(wide_surveys, "_WORK", work * answers)
        assert wide_surveys.count_members(crowd) == members


@pytest.mark.slow
def test_reports_are_handled_in_parts_that_add_up(monkeypatch):
    """The same joint, but for rounding, whether a step takes all reports at once or a few."""
    monkeypatch.setattr(wide_surveys, "_BEGUN", 3_000)
    crowd, joints = crowd_of(1_000), []
    for at_a_time in (100, 10_000):
        monkeypatch.setattr(wide_surveys, "_AT_A_TIME", at_a_time)
        joints.append(choose_joint(crowd, NAMES[-1]).cross(NAMES[-1], NAMES[:-1]))
    for name in NAMES[:-1]:
        np.testing.assert_allclose(joints[0][name], joints[1][name], rtol=1e-10)


@pytest.mark.slow
@pytest.mark.statistical
def test_fits_that_end_on_all_reports_tell_more_than_those_on_some(monkeypatch):
    """The tables' squared errors, over five populations, against those of the beginning alone."""
    ended, begun = [], []
    for seed in range(5):
        crowd = crowd_of(4_000, seed)
        monkeypatch.setattr(wide_surveys, "_BEGUN", 6_000)
        monkeypatch.setattr(wide_surveys, "_STEPS", 2)
        ended.append(measure_error(choose_joint(crowd, NAMES[-1])))
        monkeypatch.setattr(wide_surveys, "_STEPS", 0)
        begun.append(measure_error(choose_joint(crowd, NAMES[-1])))
    assert np.mean(ended) < 0.7 * np.mean(begun)


def measure_error(joint):
    """The squared error of the shares of class × answer, whose truth is known."""
    high, low = np.linspace(0.2, 0.8, 11), np.linspace(0.8, 0.2, 11)
    truth = 0.5 * np.stack([0.9 * low + 0.1 * high, 0.1 * low + 0.9 * high])
    found = joint.cross(NAMES[-1], NAMES[:-1])
    return np.mean([(found[name][:, 1] - truth[:, i]) ** 2 for i, name in enumerate(NAMES[:-1])])
