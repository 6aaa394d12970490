"""Noise with equal chance between −half_width and half_width."""

import confide as cf

EXAMPLES = {"uniform": ([cf.Number("x", -5, 5, step=0.5)], cf.UniformNoise(7.3))}


def cumulative(mechanism, amount):
    return min(max((amount / mechanism.half_width + 1) / 2, 0), 1)
