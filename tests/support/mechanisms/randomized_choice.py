"""One question: the true option with probability keep, else another one."""

import confide as cf
from support.mechanisms.drawing import probabilities

COLOUR = cf.Choice("colour", [0, 1, 2])
AUDITED = {"keep": ([COLOUR], cf.RandomizedChoice("7/10"), cf.RandomizedChoice("715/1000"))}
CERTAIN = {}
FOR_EPSILON = {"choice": ([COLOUR], lambda epsilon: cf.RandomizedChoice.for_epsilon(epsilon, 3))}


def draw(draw, asked):
    return cf.RandomizedChoice(draw(probabilities())) if len(asked) == 1 else None


def chance(mechanism, asked, report, truth):
    keep = float(mechanism.keep)
    return keep if report == truth else (1 - keep) / (asked[0].size - 1)
