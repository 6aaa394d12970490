"""Noise from the normal distribution around 0."""

from statistics import NormalDist

import confide as cf

EXAMPLES = {"gaussian": ([cf.Number("x", -5, 5, step=0.5)], cf.GaussianNoise(4))}


def cumulative(mechanism, amount):
    return NormalDist(0, mechanism.deviation).cdf(amount)
