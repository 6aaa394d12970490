"""The truth with probability θ, else what chance dictates."""

from math import prod

import confide as cf
from support.mechanisms.drawing import distributions, probabilities

A, B = cf.YesNo("a"), cf.YesNo("b")
FORCED = {"a": {"yes": "1/3", "no": "2/3"}}
AUDITED = {"forced": ([A], cf.ForcedResponse("2/3", FORCED), cf.ForcedResponse("682/1000", FORCED))}
CERTAIN = {"forced yes": ([A], cf.ForcedResponse("2/3", {"a": {"yes": 1}}))}
FACULTY = cf.Choice("faculty", ["arts", "law", "science"])
SHARES = {"arts": 0.2, "law": 0.3, "science": 0.5}
JOINT = {("yes", "yes"): "1/8", ("yes", "no"): "1/8", ("no", "yes"): "1/4", ("no", "no"): "1/2"}
FOR_EPSILON = {
    "forced": (
        [FACULTY],
        lambda epsilon: cf.ForcedResponse.for_epsilon(epsilon, {"faculty": SHARES}),
    ),
    "forced, joint": ([A, B], lambda epsilon: cf.ForcedResponse.for_epsilon(epsilon, JOINT)),
}


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
