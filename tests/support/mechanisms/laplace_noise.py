"""Noise from the Laplace distribution around 0."""

from math import exp

import confide as cf

EXAMPLES = {"laplace": ([cf.Number("x", -5, 5, step=0.5)], cf.LaplaceNoise(3))}


def cumulative(mechanism, amount):
    half = exp(-abs(amount) / mechanism.scale) / 2
    return half if amount < 0 else 1 - half
