"""Warner: the truth with probability θ, else of every question another option."""

from math import prod

import confide as cf
from support.mechanisms.drawing import probabilities

A, B, COLOUR = cf.YesNo("a"), cf.YesNo("b"), cf.Choice("colour", [0, 1, 2])
AUDITED = {
    "related": ([A], cf.RelatedQuestion("7/10"), cf.RelatedQuestion("715/1000")),
    "related below one half": ([A], cf.RelatedQuestion("3/10"), cf.RelatedQuestion("288/1000")),
    "related choice": ([COLOUR], cf.RelatedQuestion("3/5"), cf.RelatedQuestion("615/1000")),
}
CERTAIN = {
    "related group": ([A, B], cf.RelatedQuestion("7/10")),
    "related mixed group": ([A, COLOUR], cf.RelatedQuestion("2/3")),
}
TEN = cf.Choice("colour", [str(i) for i in range(10)])
FOR_EPSILON = {
    "related": ([A], cf.RelatedQuestion.for_epsilon),
    "related, ten options": ([TEN], lambda epsilon: cf.RelatedQuestion.for_epsilon(epsilon, 10)),
}


def draw(draw, asked):  # noqa: ARG001
    return cf.RelatedQuestion(draw(probabilities()))


def chance(mechanism, asked, report, truth):
    theta = float(mechanism.truth)
    pairs = zip(asked, report, truth, strict=True)
    another = prod((r != t) / (question.size - 1) for question, r, t in pairs)
    return theta * (report == truth) + (1 - theta) * another
