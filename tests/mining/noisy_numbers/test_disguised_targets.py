"""Trees of a target that is disguised, from numbers with noise and answers that are disguised."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import confide as cf
from confide.mining.noisy_numbers.folds import Folds
from confide.mining.noisy_numbers.screening import screen_questions

FEATURES = ["a", "b", "c", "x", "z"]
DESIGN = cf.Design(
    [
        cf.YesNo("y"),
        *(cf.YesNo(name) for name in "ab"),
        cf.Choice("c", list("uvwxy")),
        cf.Number("x", 0, 100),
        cf.Number("z", 0, 50),
    ],
    [
        cf.Group(["y"], cf.RelatedQuestion(0.7)),
        cf.Group(["a", "b"], cf.RelatedQuestion(0.75)),
        cf.Group(["x"], cf.GaussianNoise(15)),
        cf.Group(["z"], cf.UniformNoise(12)),
    ],
)


def people(decided, n, seed):
    """People whose y is decided, but for eight in a hundred who are the other way."""
    chance = np.random.default_rng(seed)
    a, b = chance.random(n) < 0.4, chance.random(n) < 0.5
    c = chance.choice(list("uvwxy"), n)
    x, z = chance.uniform(0, 100, n), chance.uniform(0, 50, n)
    y = {
        "by an answer": a,
        "by a number": (x > 30) & (x < 65),
        "by both": (x > 60) | (a & b),
        "by a choice and a number that tell nothing alone": (c < "w") ^ (x > 50),
        "by two numbers": x / 100 + z / 50 > 1,
        "by nothing": np.zeros(n, bool),
    }[decided] ^ (chance.random(n) < 0.08)
    return pa.table({"y": y, "a": a, "b": b, "c": c, "x": x, "z": z})


def reports(decided, n, seed):
    return DESIGN.disguise(people(decided, n, seed), seed=seed + 500)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("decided", "n", "least"),
    [
        ("by an answer", 1_000, 0.91),
        ("by a number", 4_000, 0.82),
        ("by both", 4_000, 0.76),
        ("by a choice and a number that tell nothing alone", 4_000, 0.86),
        ("by two numbers", 15_000, 0.88),
    ],
)
def test_a_few_thousand_reports_find_what_decides(decided, n, least):
    """At best 0.92 can be right; the share of 20,000 people has a standard error of 0.003."""
    everyone = people(decided, 20_000, seed=999)
    for seed in (11, 12, 13):
        tree = cf.DisguisedTreeClassifier(DESIGN, "y").fit(reports(decided, n, seed))
        right = tree.predict(everyone) == everyone["y"].to_numpy()
        assert right.mean() > least


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_where_nothing_decides_a_hint_hardly_costs_anything(seed):
    """A tree may follow chance, but predicts the common answer nearly everywhere."""
    everyone = people("by nothing", 20_000, seed=999)
    tree = cf.DisguisedTreeClassifier(DESIGN, "y").fit(reports("by nothing", 4_000, seed))
    assert (tree.predict(everyone) == everyone["y"].to_numpy()).mean() > 0.90


@pytest.mark.slow
def test_a_target_in_the_clear_is_followed_only_where_it_is_sure():
    """The same people and reports, but for the target: 4 standard errors, not 2."""
    clear = cf.Design(DESIGN.questions, DESIGN.groups[1:])
    for seed in range(5):
        counts = cf.Counts.of(clear, clear.disguise(people("by nothing", 4_000, seed), seed=seed))
        assert screen_questions(Folds.of([counts]), "y", FEATURES) == []
