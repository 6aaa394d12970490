"""What a disguised report of a number counts for in the mean of the number, or of its square.

Noise around 0 leaves a mean where it is and adds its own variance to a square. So there is a
function f of the report whose expectation is the number itself, whatever the number: Mᵀf = g, with
g the numbers of the true intervals. It is a polynomial of the report, but for the outermost reports
which gather all that lies beyond them; least squares through the channel find it. Where it is not
found, as for reports that only name an interval, the mean cannot be told without a histogram.
"""

from __future__ import annotations

import numpy as np

from confide.arrays import Array
from confide.design import Block, Number

_TOLERANCE = 1e-3  # of the range: how far an expectation may be off


def weigh_reports(block: Block, power: int) -> Array | None:
    """What each report of a number counts for in the mean of its power; None if nothing does.

    Parameters
    ----------
    block : Block
        A block of one number.
    power : {1, 2}
        1 for the number itself, 2 for its square.
    """
    question = block.number
    wanted = interval_moments(question, power)
    if block.mechanism is None:
        return wanted
    reports = block.report_grid()
    assert reports is not None
    middle, span = (question.low + question.high) / 2, question.high - question.low
    place = (reports.middles - middle) / span
    ends = np.eye(reports.size)[[0, -1]]
    basis = np.stack([*(place**i for i in range(power + 1)), *ends])
    expected = basis @ block.channel_on([0]).matrix()
    coefficients = np.linalg.lstsq(expected.T, wanted / span**power, rcond=None)[0]
    off = np.abs(coefficients @ expected - wanted / span**power).max()
    if off > _TOLERANCE * max(1.0, float(np.abs(wanted).max() / span**power)):
        return None
    return np.asarray(coefficients @ basis * span**power)


def interval_moments(question: Number, power: int) -> Array:
    """The mean of the numbers, or of their squares, that each true interval holds."""
    if question.step is not None:
        points = np.arange(question.low, question.high + question.step / 2, question.step)
        codes = question.grid.code(points)
        return np.bincount(codes, points**power) / np.bincount(codes)
    middles, widths = question.grid.middles, np.diff(question.grid.array)
    return middles if power == 1 else middles**2 + widths**2 / 12
