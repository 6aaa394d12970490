"""Numbers that people see, from every fit that goes step by step; as a program it prints them.

`test_kernels.py` compares what different kernels print.
"""

from __future__ import annotations

import json
from itertools import product

import numpy as np

import confide as cf


def flips(truth, count, groups):
    """Yes-no questions in groups that are turned round together."""
    names = [f"q{i}" for i in range(count)]
    parts = np.array_split(names, groups)
    return cf.Design(
        [cf.YesNo(name) for name in names],
        [cf.Group(part.tolist(), cf.RelatedQuestion(truth)) for part in parts],
    )


def kinds(people, count, seed):
    """People of two kinds, who differ in every answer."""
    generator = np.random.default_rng(seed)
    shares = np.stack([generator.uniform(0.05, 0.5, count), generator.uniform(0.2, 0.95, count)])
    kind = generator.choice(2, people, p=[0.6, 0.4])
    return (generator.random((people, count)) < shares[kind]).astype(int)


def documented():
    """The crowd of docs/privacy.md."""
    generator = np.random.default_rng(1)
    kind = generator.random(5_000) < 0.3
    return (generator.random((5_000, 12)) < np.where(kind, 0.6, 0.1)[:, None]).astype(int)


def symmetric():
    """Two traits, each with six answers, alike in every way: their covariances have no order."""
    rare = np.array([0, 0, 0, 1, 1, 1, 1, 1])
    shown = np.stack([np.roll(rare, shift)[:6] for shift in range(8)])
    halves = [shown, 1 - shown]
    return np.array(
        [
            [*halves[a][i], *halves[b][j]]
            for a, b in product(range(2), repeat=2)
            for i, j in product(range(8), repeat=2)
        ]
        * 8
    )


def exposed(design, crowd):
    """What a privacy statement says of coins and answers."""
    found = cf.privacy.of(design, crowd=crowd).exposure
    risks = [found.coins[0], found.all_coins, found.answers["q0"]]
    margins = [found.guess_without_report(name) for name in design.names]
    return [
        *(n for risk in risks for n in (risk.mean, risk.share(0.9), risk.share(0.99))),
        *margins,
    ]


def reported(design, answers):
    return cf.Crowd(design, design.disguise(answers, seed=2))


def privacy():
    """Statements about crowds of several kinds."""
    crowds = [
        (flips(0.6, 12, 1), documented()),
        (flips(0.7, 15, 3), kinds(1_000, 15, 1)),
        (flips(0.55, 15, 3), kinds(200, 15, 2)),
        (flips(0.9, 12, 4), kinds(500, 12, 4)),
        (flips(0.55, 12, 4), kinds(20_000, 12, 2)),  # coins that hide much: a long, flat ridge
    ]
    found = [exposed(design, reported(design, answers)) for design, answers in crowds]
    design = flips(0.7, 12, 2)
    return [*found, exposed(design, cf.Crowd(cf.Design(design.questions), symmetric()))]


def shares():
    """Likelihood estimates: a table, the weights of many questions, a distribution of a number."""
    table = reported(flips(0.6, 8, 2), kinds(2_000, 8, 5)).table(
        [f"q{i}" for i in range(8)], method="likelihood"
    )
    _, label, weight = reported(flips(0.7, 20, 1), kinds(1_000, 20, 6)).weighted("q0")
    noisy = cf.Design([cf.Number("age", 16, 80)], [cf.Group(["age"], cf.GaussianNoise(10))])
    ages = np.random.default_rng(7).normal(45, 12, (3_000, 1)).clip(16, 80)
    age = reported(noisy, ages).distribution("age")
    yes = float(weight[label == "yes"].sum())
    return [table.values.ravel().tolist(), [yes], np.asarray(age.shares).tolist()]


def learners():
    """The default methods of the learners."""
    found = []
    for groups in (1, 3):
        design, answers = flips(0.65, 12, groups), kinds(2_000, 12, 8)
        reports, rest = design.disguise(answers, seed=2), answers[:50, 1:]
        tree = cf.DisguisedTreeClassifier(design, "q0", max_depth=4).fit(reports)
        bayes = cf.DisguisedNaiveBayes(design, "q0").fit(reports)
        for model in (tree, bayes):
            found.append([model.score_disguised(reports).value])
            found.append(model.predict_proba(rest)[:, 1].tolist())
    return found


def structure():
    """Clusters, their errors and stability; a network, its edges and what it answers."""
    design = flips(0.75, 6, 2)
    reports = design.disguise(kinds(1_500, 6, 9), seed=2)
    model = cf.DisguisedClusters(design, surveys=2).fit(reports)
    found = []
    for cluster in model.clusters_:
        answers = [each["yes"] for each in cluster.answers.values()]
        found.append([e.value for e in (cluster.share, *answers)])
        found.append([e.standard_error for e in (cluster.share, *answers)])
        found.append([cluster.stability])
    network = cf.DisguisedNetwork(design, surveys=2).fit(reports)
    asked = network.query("q5", given={"q0": "yes"})["yes"]
    edges = [(edge.gain, edge.directed, edge.support) for edge in network.edges_]
    return [*found, [asked.value, asked.standard_error], [float(n) for e in edges for n in e]]


if __name__ == "__main__":
    print(json.dumps({f.__name__: f() for f in (privacy, shares, learners, structure)}))  # noqa: T201
