"""A red card from the first deck for yes, from the second for no (Kuk 1990), is reported as yes."""

import confide as cf
from support.mechanisms.drawing import probabilities

ASKED = [cf.YesNo("cheated")]
AUDITED = {"two decks": (ASKED, cf.Kuk("4/5", "3/10"), cf.Kuk("8225/10000", "3/10"))}
CERTAIN = {}
FOR_EPSILON = {
    "kuk": (ASKED, cf.Kuk.for_epsilon),
    "kuk, three draws": (ASKED, lambda epsilon: cf.Kuk.for_epsilon(epsilon, draws=3)),
}


def draw(draw, asked):
    yes, no = draw(probabilities()), draw(probabilities())
    alone = len(asked) == 1 and asked[0].size == 2
    return cf.Kuk(yes, no) if alone and abs(yes - no) > 0.05 else None


def chance(mechanism, asked, report, truth):  # noqa: ARG001
    red = float(mechanism.red_if_yes if truth[0] else mechanism.red_if_no)
    return red if report[0] == 1 else 1 - red
