"""The truth with probability θ, else what chance dictates."""

from math import prod

import confide as cf
from support.mechanisms.drawing import distributions, probabilities

A = cf.YesNo("a")
FORCED = {"a": {"yes": "1/3", "no": "2/3"}}
AUDITED = {"forced": ([A], cf.ForcedResponse("2/3", FORCED), cf.ForcedResponse("682/1000", FORCED))}
CERTAIN = {"forced yes": ([A], cf.ForcedResponse("2/3", {"a": {"yes": 1}}))}


def draw(draw, asked):
    forced = {question.name: draw(distributions(question.labels)) for question in asked}
    return cf.ForcedResponse(draw(probabilities()), forced)


def chance(mechanism, asked, report, truth):
    theta = float(mechanism.truth)
    dictated = prod(
        float(mechanism.forced[question.name].get(question.labels[r], 0))
        for question, r in zip(asked, report, strict=True)
    )
    return theta * (report == truth) + (1 - theta) * dictated
