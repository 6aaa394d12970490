"""Shares and means by few clusters: against the spread of the clusters' own means, and covering."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import confide as cf

DESIGN = cf.Design(
    [cf.YesNo("a"), cf.YesNo("f"), cf.Number("x", 0, 10)],
    [cf.Group(["a"], cf.RelatedQuestion("0.85"))],
)
EVEN = np.repeat(np.arange(5), 48)
UNEVEN = np.repeat(np.arange(5), [6, 12, 26, 56, 140])


def draw(seed, clusters=EVEN):
    """Five schools of 240 pupils, of which each has its own share and its own mean."""
    chance = np.random.default_rng(seed)
    share = 1 / (1 + np.exp(0.8 - 0.8 * chance.normal(size=5)))
    answers = {
        "a": (chance.random(240) < share[clusters]).astype(int),
        "f": chance.integers(0, 2, 240),
        "x": (5 + 0.8 * chance.normal(size=5)[clusters] + chance.normal(size=240)).clip(0, 10),
    }
    table = pa.table({**answers, "school": clusters})
    return answers["x"], DESIGN.disguise(table, seed=chance, keep=["school"])


@pytest.mark.parametrize("seed", range(20))
def test_a_mean_is_as_sure_as_the_means_of_its_clusters(seed):
    """That all pupils are pupils is exact but for rounding, which must not make clusters alike."""
    x, reports = draw(seed)
    means = x.reshape(5, 48).mean(axis=1)
    found = cf.Crowd(DESIGN, reports, clusters="school").mean("x")
    # the number is counted in intervals
    assert found.standard_error == pytest.approx(means.std(ddof=1) / np.sqrt(5), rel=0.02)


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize("clusters", [EVEN, UNEVEN], ids=["even", "uneven"])
def test_shares_and_means_of_five_clusters_cover(clusters):
    """100 surveys: .95 has an error of .022, and 88.5 % pass; as if drawn alike under 80 %."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    truth = float((1 / (1 + np.exp(0.8 - 0.8 * nodes))) @ weights / weights.sum())
    held, alike = [], []
    for seed in range(100):
        reports = draw(seed, clusters)[1]
        for hits, plan in ((held, {"clusters": "school"}), (alike, {})):
            crowd = cf.Crowd(DESIGN, reports, **plan)
            share, mean = crowd.proportion({"a": "yes"}), crowd.mean("x")
            inside = crowd.given({"f": "yes"}).proportion({"a": "yes"})
            pairs = ((share, truth), (inside, truth), (mean, 5.0))
            hits.append([low <= t <= high for e, t in pairs for low, high in [e.interval()]])
    assert (np.mean(held, axis=0) >= 0.885).all(), np.mean(held, axis=0)
    assert (np.mean(alike, axis=0)[[0, 2]] < 0.8).all()


@pytest.mark.slow
@pytest.mark.statistical
def test_strata_of_one_cluster_each_are_compared_with_each_other():
    # of 2,000 surveys 94.5 %; four standard errors of 400; with one degree of freedom it was 100 %
    design = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("0.8"))])
    school, inside = np.repeat(np.arange(20), 25), 0
    for seed in range(400):
        chance = np.random.default_rng(seed)
        share = (0.4 + 0.15 * chance.normal(size=20)).clip(0.02, 0.98)[school]
        reports = design.disguise((chance.random(500) < share).astype(int), seed=chance)
        table = pa.table({"a": reports, "school": school})
        crowd = cf.Crowd(design, table, strata="school", clusters="school")
        assert crowd.batches[0].drawn.freedom == 19
        low, high = crowd.proportion({"a": "yes"}).interval()
        inside += low <= 0.4 <= high
    assert 0.905 <= inside / 400 <= 0.985
