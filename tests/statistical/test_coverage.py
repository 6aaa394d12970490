"""The 95 % interval covers the truth in 93 to 97 % of surveys.

2,000 simulated surveys a design; the coverage's own standard error is 0.5 points, so an honest
interval leaves the band once in 15,000 runs (4 errors), and one whose standard error is a tenth too
small (coverage 92.2 %) or a fifth too large (98.1 %) is caught: the twin shows it.
"""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.estimators.table_channel import TableChannel

SURVEYS = 2_000
NAMES = ("a", "b", "c", "d")
GROUPS = {1: [NAMES], 2: [NAMES[:2], NAMES[2:]], 4: [(name,) for name in NAMES]}
THETAS = ["0.6", "0.75", "0.9"]


def population():
    """The true joint shares of four yes-no answers that go together."""
    table = np.zeros((2,) * 4)
    for cell in np.ndindex(table.shape):
        low = np.prod([0.15 if x else 0.85 for x in cell])
        high = np.prod([0.7 if x else 0.3 for x in cell])
        table[cell] = 0.6 * low + 0.4 * high
    return table


def design_of(groups, theta):
    return cf.Design(
        [cf.YesNo(name) for name in NAMES],
        [cf.Group(part, cf.RelatedQuestion(theta)) for part in GROUPS[groups]],
    )


def surveys(design, n, seed):
    """Crowds whose report counts are drawn from the exact distribution of reports."""
    truth = population()
    shares = TableChannel(design, NAMES).apply(truth)
    patterns = np.argwhere(np.ones_like(truth)).astype(np.int16)
    generator = np.random.default_rng(seed)
    for counts in generator.multinomial(n, shares.ravel(), SURVEYS):
        keep = counts > 0
        yield cf.Crowd(design, cf.Counts(design, patterns[keep], counts[keep]))


def coverage(design, n, ask, expected, stretch=1.0):
    found = [ask(crowd) for crowd in surveys(design, n, seed=11)]
    values = np.array([e.value for e in found])
    errors = np.array([e.standard_error for e in found]) * stretch
    return np.mean(np.abs(values - expected) < 1.96 * errors)


PAIR = {"a": "yes", "c": "yes"}
PAIR_SHARE = population()[1, :, 1, :].sum()


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("method", ["inverse", "likelihood"])
@pytest.mark.parametrize("theta", THETAS)
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_the_interval_of_a_pair_of_answers_covers(groups, theta, method):
    design = design_of(groups, theta)
    n = 4_000 if theta != "0.6" or groups == 1 else 20_000
    covered = coverage(design, n, lambda c: c.proportion(PAIR, method=method), PAIR_SHARE)
    assert 0.93 <= covered <= 0.97


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("theta", THETAS)
def test_the_interval_within_a_sub_population_covers(theta):
    truth = population()
    expected = truth[1, 1].sum() / truth[1].sum()
    design = design_of(2, theta)
    n = 4_000 if theta != "0.6" else 40_000
    covered = coverage(
        design, n, lambda c: c.given({"a": "yes"}).proportion({"b": "yes"}), expected
    )
    assert 0.93 <= covered <= 0.97


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("stretch", [0.9, 1.2])
def test_a_wrong_standard_error_would_be_caught(stretch):
    design = design_of(2, "0.75")
    covered = coverage(design, 4_000, lambda c: c.proportion(PAIR), PAIR_SHARE, stretch)
    assert not 0.93 <= covered <= 0.97
