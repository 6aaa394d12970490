"""What each step from the papers' inversion to the default method is worth.

    python benchmarks/auto_ablation.py adult --repeats 3 --minutes 8
    python benchmarks/auto_ablation.py breast_cancer voting xor --repeats 2 --minutes 8

Every repeat draws its own split (four fifths to learn from, one fifth to test on), groups and
disguise; the class is disguised with a random group, or with ``--clear`` asked in the clear.
Accuracy is measured on clear test data, which no method sees.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np

import confide as cf
from confide.crowd.algebra import Algebra
from confide.crowd.likelihood import Observed, improved
from confide.experiments import data
from confide.mining.joint import Joint, choose_joint
from confide.mining.joint.candidates import Fit, Task, latent_classes, naive_bayes
from confide.mining.joint.choice import mixed
from confide.mining.joint.latent import LatentClasses

TARGET = "class"
TRUTHS = {
    "adult": ("0.51", "0.55", "0.6"),
    "breast_cancer": ("0.55", "0.6", "0.7", "0.8", "0.9"),
    "voting": ("0.55", "0.6", "0.7", "0.8", "0.9"),
    "xor": ("0.7",),
}
COLUMNS = (
    "majority",
    "literal tree",
    "literal bayes",
    "θ ignored, tree",
    "θ ignored, bayes",
    "5 EM steps, tree",
    "bayes by EM",
    "12 classes, 1 fit",
    "12 classes, 10 fits",
    "default tree",
    "default bayes",
)


def answers(name, generator):
    """Rows to learn from and rows to test on, the class last."""
    if name == "xor":
        columns = generator.integers(0, 2, (25_000, 12))
        table = np.column_stack([columns, columns[:, 0] ^ columns[:, 1]])
        return table[:20_000], table[20_000:]
    held = getattr(data, name)()
    table = np.column_stack([held.X, held.y]).astype(int)[:10_000]
    table = table[generator.permutation(len(table))]
    cut = len(table) * 4 // 5
    return table[:cut], table[cut:]


def drawn_design(columns, groups, truth, clear, generator):
    """Questions in random groups of about equal size."""
    names = [f"q{i}" for i in range(columns - 1)]
    parts = [list(part) for part in np.array_split(generator.permutation(names), groups)]
    if not clear:
        parts[generator.integers(groups)].append(TARGET)
    mechanism = cf.RelatedQuestion(truth)
    return cf.Design(
        [cf.YesNo(name) for name in [*names, TARGET]],
        [cf.Group([str(name) for name in part], mechanism) for part in parts],
    )


class Table:
    """A table of shares as a population."""

    def __init__(self, design, n, shares):
        self.design, self.n, self._shares = design, n, shares

    def cells(self):
        codes = np.argwhere(self._shares > 0)
        return codes.astype(np.int16), self._shares[tuple(codes.T)]


def five_steps(crowd):
    """Five steps of expectation–maximisation from the uniform table."""
    names = crowd.design.names
    observed = [Observed(Algebra(b.design, names), b.table(names) / b.n, b.n) for b in crowd.counts]
    shares = np.full(observed[0].algebra.shape, 0.5 ** len(names))
    for _ in range(5):
        shares = improved(observed, shares)
    return Table(crowd.design, crowd.n, shares)


def one_repeat(name, truth, groups, clear, seed):
    """The accuracy of every method."""
    generator = np.random.default_rng(seed)
    train, test = answers(name, generator)
    design = drawn_design(train.shape[1], groups, truth, clear, generator)
    reports = design.disguise(train, seed=int(generator.integers(1 << 30)))
    crowd = cf.Crowd(design, reports)
    ignoring = cf.Crowd(cf.Design(design.questions), reports)
    majority = int(train[:, -1].mean() > 0.5)

    def learned(learner, population, method="literal"):
        try:
            model = learner(population.design, TARGET, method=method).fit(population)
        except cf.ConfideError:  # the estimate shows one class only
            return float((test[:, -1] == majority).mean())
        return float(((model.predict(test[:, :-1]) == "yes") == test[:, -1]).mean())

    def predicted(joint: Joint):
        return float((joint.proba(TARGET, test).argmax(axis=1) == test[:, -1]).mean())

    tree, bayes = cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes
    task = Task.of(crowd, TARGET, generator)
    twelve = latent_classes(task, 12, generator)
    first = LatentClasses(twelve.model.weights[:1], [t[:12] for t in twelve.model.tables])
    alone = Fit("one fit", first, twelve.logs, twelve.score)
    only = np.ones(1)
    return {
        "majority": float((test[:, -1] == majority).mean()),
        "literal tree": learned(tree, crowd),
        "literal bayes": learned(bayes, crowd),
        "θ ignored, tree": learned(tree, ignoring),
        "θ ignored, bayes": learned(bayes, ignoring),
        "5 EM steps, tree": learned(tree, five_steps(crowd)),
        "bayes by EM": predicted(mixed(crowd, [naive_bayes(task)], only)),
        "12 classes, 1 fit": predicted(mixed(crowd, [alone], only)),
        "12 classes, 10 fits": predicted(mixed(crowd, [twelve], only)),
        "default tree": learned(tree, crowd, "auto"),
        "default bayes": predicted(choose_joint(crowd, TARGET)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", choices=sorted(TRUTHS))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--groups", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--truths", nargs="+", help="instead of those of the set")
    parser.add_argument("--clear", action="store_true", help="ask the class in the clear")
    parser.add_argument("--minutes", type=float, default=10.0)
    asked = parser.parse_args()
    until = time.monotonic() + 60 * asked.minutes
    cells = [
        (name, truth, groups)
        for name in asked.sets
        for truth in asked.truths or TRUTHS[name]
        for groups in (asked.groups if name != "xor" else [1, 2])
    ]
    print("| set | θ | groups |", " | ".join(COLUMNS), "|")
    print("|---" * (len(COLUMNS) + 3) + "|")
    means = defaultdict(list)
    for name, truth, groups in cells:
        if time.monotonic() > until:
            print("stopped: the time is up")
            break
        seeds = [[r, groups, round(float(truth) * 100), asked.clear] for r in range(asked.repeats)]
        found = [one_repeat(name, truth, groups, asked.clear, seed) for seed in seeds]
        row = {column: np.mean([each[column] for each in found]) for column in COLUMNS}
        for column in COLUMNS:
            means[column].append(row[column])
        shown = " | ".join(f"{row[column]:.3f}" for column in COLUMNS)
        print(f"| {name} | {truth} | {groups} | {shown} |", flush=True)
    print("| mean | | |", " | ".join(f"{np.mean(means[column]):.3f}" for column in COLUMNS), "|")
    for kind in ("tree", "bayes"):
        rivals = [means[c] for c in (f"literal {kind}", f"θ ignored, {kind}", "majority")]
        lead = np.array(means[f"default {kind}"]) - np.max(rivals, axis=0)
        print(
            f"default {kind}: within a point of the best of literal, θ ignored and majority in "
            f"{np.mean(lead >= -0.01):.0%} of {len(lead)} cells, {lead.mean():+.3f} on average"
        )


if __name__ == "__main__":
    main()
