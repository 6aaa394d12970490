"""The truth with probability θ, else answers to personal questions of known distribution."""

from itertools import product
from math import prod

from hypothesis import strategies as st

import confide as cf
from support.mechanisms.drawing import distributions, probabilities

A, B = cf.YesNo("a"), cf.YesNo("b")
FACULTY = cf.Choice("faculty", ["arts", "law", "science"])
SHARES = {"arts": 0.2, "law": 0.3, "science": 0.5}
PERSONAL = {"a": {"yes": "1/4", "no": "3/4"}, "b": {"yes": "2/5", "no": "3/5"}}
ALONE = {"a": PERSONAL["a"]}
JOINT = {("yes", "yes"): "1/10", ("yes", "no"): "2/10", ("no", "yes"): "3/10", ("no", "no"): "4/10"}
AUDITED = {
    "unrelated": (
        [A],
        cf.UnrelatedQuestion("2/3", ALONE),
        cf.UnrelatedQuestion("682/1000", ALONE),
    ),
    "unrelated group": (
        [A, B],
        cf.UnrelatedQuestion("1/3", PERSONAL),
        cf.UnrelatedQuestion("35/100", PERSONAL),
    ),
    "unrelated joint": (
        [A, B],
        cf.UnrelatedQuestion("2/5", JOINT),
        cf.UnrelatedQuestion("42/100", JOINT),
    ),
}
CERTAIN = {}
ROUNDED = {"a": {"yes": 2**-0.5, "no": 1 - 2**-0.5}}
FOR_EPSILON = {
    "unrelated": ([A], lambda epsilon: cf.UnrelatedQuestion.for_epsilon(epsilon, ALONE)),
    "unrelated, rounded shares": (
        [A],
        lambda epsilon: cf.UnrelatedQuestion.for_epsilon(epsilon, ROUNDED),
    ),
    "unrelated, two questions": (
        [A, FACULTY],
        lambda epsilon: cf.UnrelatedQuestion.for_epsilon(epsilon, ALONE | {"faculty": SHARES}),
    ),
}


def draw(draw, asked):
    truth = draw(probabilities())
    if draw(st.booleans()):
        cells = list(product(*(question.labels for question in asked)))
        return cf.UnrelatedQuestion(truth, draw(distributions(cells)))
    return cf.UnrelatedQuestion(truth, {q.name: draw(distributions(q.labels)) for q in asked})


def chance(mechanism, asked, report, truth):
    theta = float(mechanism.truth)
    labels = tuple(question.labels[r] for question, r in zip(asked, report, strict=True))
    if mechanism.joint:
        cover = float(mechanism.personal.get(labels, 0))
    else:
        pairs = zip(asked, labels, strict=True)
        cover = prod(float(mechanism.personal[q.name].get(label, 0)) for q, label in pairs)
    return theta * (report == truth) + (1 - theta) * cover
