"""Yes is reported if the answer or the birthday is yes (Yu, Tian and Tang 2008)."""

import confide as cf
from support.mechanisms.drawing import probabilities

ASKED = [cf.YesNo("cheated")]
AUDITED = {}
CERTAIN = {"triangular": (ASKED, cf.Triangular("3/10"))}
FOR_EPSILON = {}


def draw(draw, asked):
    birthday = draw(probabilities())
    alone = len(asked) == 1 and asked[0].size == 2
    return cf.Triangular(birthday) if alone and birthday < 1 else None


def chance(mechanism, asked, report, truth):  # noqa: ARG001
    share = float(mechanism.birthday)
    return sum(
        p for birthday, p in ((1, share), (0, 1 - share)) if report[0] == max(birthday, truth[0])
    )
