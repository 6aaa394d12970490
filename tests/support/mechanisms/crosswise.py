"""Yes is reported if the answer and the birthday are the same (Yu, Tian and Tang 2008)."""

import confide as cf
from support.mechanisms.drawing import probabilities

ASKED = [cf.YesNo("cheated")]
AUDITED = {"crosswise": (ASKED, cf.Crosswise("3/10"), cf.Crosswise("7/25"))}
CERTAIN = {}
FOR_EPSILON = {"crosswise": (ASKED, cf.Crosswise.for_epsilon)}


def draw(draw, asked):
    birthday = draw(probabilities())
    alone = len(asked) == 1 and asked[0].size == 2
    return cf.Crosswise(birthday) if alone and 2 * birthday != 1 else None


def chance(mechanism, asked, report, truth):  # noqa: ARG001
    share = float(mechanism.birthday)
    return sum(
        p
        for birthday, p in ((1, share), (0, 1 - share))
        if report[0] == (1 if birthday == truth[0] else 0)
    )
