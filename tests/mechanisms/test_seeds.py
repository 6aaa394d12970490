"""Whatever starts chance: whole numbers, and numpy's own generators."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

DESIGN = cf.Design([cf.YesNo("a")], [cf.Group(["a"], cf.RelatedQuestion("3/4"))])
ANSWERS = np.arange(200) % 2


def draws(seed):
    """Everything that takes a seed."""
    crowd = cf.Crowd(DESIGN, ANSWERS)
    return DESIGN.disguise(ANSWERS, seed=seed).tolist(), crowd.sample(50, seed=seed).to_pylist()


@pytest.mark.parametrize(
    "seed",
    [
        lambda: np.int64(7),
        lambda: np.random.default_rng(7),
        lambda: np.random.PCG64(7),
        lambda: np.random.SeedSequence(7),
    ],
)
def test_a_generator_stands_for_its_seed(seed):
    expected = draws(7)
    assert DESIGN.disguise(ANSWERS, seed=seed()).tolist() == expected[0]
    assert cf.Crowd(DESIGN, ANSWERS).sample(50, seed=seed()).to_pylist() == expected[1]


def test_a_generator_goes_on_where_it_stands():
    generator = np.random.default_rng(7)
    assert draws(generator)[0] != draws(generator)[0]


@pytest.mark.parametrize(
    "seed",
    [-1, True, 1.5, "7", np.float32(1), [1, 2], np.random.RandomState(1), np.random, object()],
)
def test_anything_else_is_refused_in_one_line(seed):
    for draw in (
        lambda: DESIGN.disguise(ANSWERS, seed=seed),
        lambda: cf.Crowd(DESIGN, ANSWERS).sample(5, seed=seed),
    ):
        with pytest.raises(cf.DesignError, match="whole number of at least 0, or a numpy gen"):
            draw()
