"""The two distributions of Figure 2, and how they come back from noise."""

from __future__ import annotations

import numpy as np

from confide.arrays import Array
from confide.crowd import Crowd
from confide.design import Design, Group, Number
from confide.mechanisms import GaussianNoise, UniformNoise
from confide.mechanisms.number_mechanism import Noise

WIDTH = 0.05
"""The paper's intervals."""
NOISES: dict[str, Noise] = {"gaussian": GaussianNoise(0.25), "uniform": UniformNoise(0.5)}
"""As printed: standard deviation 0.25, and from −0.5 to 0.5."""
SHAPES = ("plateau", "triangles")


def draw_shape(shape: str, n: int, seed: int) -> Array:
    """Draw numbers between 0 and 1 from one of the shapes, read off Figure 2.

    The plateau is flat from 0.25 to 0.75 and falls to 0 on both sides; the triangles have their
    tips at 0.25 and 0.75.
    """
    chance = np.random.default_rng(seed)
    if shape == "plateau":
        return chance.uniform(0.125, 0.875, n) + chance.uniform(-0.125, 0.125, n)
    left = chance.triangular(0.0, 0.25, 0.5, n)
    return np.where(chance.random(n) < 0.5, left, left + 0.5)


def bring_back(values: Array, noise: str, procedure: str, seed: int) -> tuple[Array, Array, Array]:
    """The histograms of the numbers, of their reports and of the reconstruction.

    All are over intervals of the paper's width from −0.5 to 1.5; numbers lie in the middle half.
    """
    design = Design([Number("x", 0, 1)], [Group(["x"], NOISES[noise])])
    reports = design.disguise(values, seed=seed)
    found = Crowd(design, reports).distribution(
        "x",
        intervals=round(1 / WIDTH),
        procedure=procedure,  # type: ignore[arg-type]
    )
    edges = np.round(np.arange(-0.5, 1.5 + WIDTH / 2, WIDTH), 9)
    original, randomized = (
        np.histogram(each, edges)[0] / len(values) for each in (values, reports)
    )
    outside = round(0.5 / WIDTH)
    return original, randomized, np.pad(found.shares, outside)
