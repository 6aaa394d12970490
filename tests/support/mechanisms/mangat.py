"""Who has the trait says so; who has not is asked by Warner's device (Mangat 1994)."""

import confide as cf
from support.mechanisms.drawing import probabilities

ASKED = [cf.YesNo("cheated")]
AUDITED = {}
CERTAIN = {"mangat": (ASKED, cf.Mangat("7/10"))}
FOR_EPSILON = {}


def draw(draw, asked):
    truth = draw(probabilities())
    alone = len(asked) == 1 and asked[0].size == 2
    return cf.Mangat(truth) if alone and truth > 0 else None


def chance(mechanism, asked, report, truth):  # noqa: ARG001
    if truth[0] == 1:
        return float(report[0] == 1)
    theta = float(mechanism.truth)
    return theta if report[0] == 0 else 1 - theta
