"""One question: matrix[report][truth]."""

from fractions import Fraction

import confide as cf
from support.mechanisms.drawing import distributions

COLOUR = cf.Choice("colour", [0, 1, 2])
AUDITED = {
    "matrix": (
        [COLOUR],
        cf.ChannelMatrix(
            [["7/10", "1/10", "1/5"], ["1/5", "4/5", "1/10"], ["1/10", "1/10", "7/10"]]
        ),
        cf.ChannelMatrix(
            [["7/10", "9/100", "1/5"], ["1/5", "82/100", "95/1000"], ["1/10", "9/100", "705/1000"]]
        ),
    )
}
CERTAIN = {}
LOPSIDED = [["0.9", "0.2", "0.1"], ["0.1", "0.5", "0.1"], ["0", "0.3", "0.8"]]
FOR_EPSILON = {
    "matrix": ([COLOUR], lambda epsilon: cf.ChannelMatrix.for_epsilon(epsilon, LOPSIDED))
}


def draw(draw, asked):
    if len(asked) > 1:
        return None
    k = asked[0].size
    columns = [list(draw(distributions(range(k))).values()) for _ in range(k)]
    for t in range(k):  # keep it well conditioned
        columns[t] = [p / 2 + Fraction(r == t, 2) for r, p in enumerate(columns[t])]
    return cf.ChannelMatrix([[columns[t][r] for t in range(k)] for r in range(k)])


def chance(mechanism, asked, report, truth):  # noqa: ARG001
    return float(mechanism.matrix[report[0]][truth[0]])
