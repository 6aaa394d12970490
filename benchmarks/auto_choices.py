"""What each choice in the default method is worth, on simulated populations alone.

    python benchmarks/auto_choices.py --populations 1000

Every population (`populations.py`) is drawn anew, with 8 to 12 questions and a class, 450 or 3,000
reports, one to four groups, θ between .51 and .9, the class disguised or in the clear. The default
and each other way learn from the same reports and are compared on 2,000 clear rows, pair by pair.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from auto_ablation import TARGET, compute_mean_and_error, draw_design
from populations import KINDS
from rich.console import Console
from rich.progress import track
from table_candidates import make_table_candidates
from threadpoolctl import threadpool_limits

import confide as cf
from confide.mining.joint.candidates import Task, fit_latent_classes
from confide.mining.joint.stacking import (
    find_best_shares,
    fit_candidates,
    list_left_out,
    mix_candidates,
)
from confide.mining.trees.growth import Feature, grow
from confide.mining.trees.mixture_frontier import open_joint_root
from confide.mining.trees.tree_size import compute_accuracy, keep_smallest_alike, limit_leaves

TRUTHS = ("0.51", "0.55", "0.6", "0.7", "0.8", "0.9")
TESTED = 2_000
LEAPS = (5, 10, 20)
WIN = 0.1  # people, whom a leaf of the largest tree wins
LOSSES = (0, 0.001, 0.003, 0.01)
LOSS = 0.001  # the default
READABLE = 60  # leaves, to which larger trees are cut unless that costs too much on the mixture
COSTS = (0, 0.001, 0.003, 0.01, 1)


@dataclass(frozen=True)
class Setting:
    """One population, and how it is asked."""

    kind: int
    columns: int
    reports: int
    truth: str
    groups: int
    clear: bool

    @classmethod
    def draw(cls, number):
        generator = np.random.default_rng([number, 0])
        return cls(
            number % len(KINDS),
            int(generator.integers(9, 14)),
            int(generator.choice([450, 3_000])),
            str(generator.choice(TRUTHS)),
            int(generator.integers(1, 5)),
            bool(generator.integers(2)),
        )


@dataclass(frozen=True, eq=False)
class CandidateChances:
    """The log chances of reports and of the target's reports alone, and the chances of clear rows.

    Each has one entry per fit: (fits, patterns), (fits, patterns) and (fits, rows, classes).
    """

    name: str
    reports: np.ndarray
    target: np.ndarray
    rows: np.ndarray


def compute_chances(task, fit, rows):
    """Compute the chances that a product mixture gives to reports and to clear rows."""
    (logs,), (about,) = fit.log_chances, fit.log_chances_of_target(task)
    *answers, classes = fit.model.tables
    chances = fit.model.weights.ravel()[:, None]
    for column, table in zip(rows.T, answers, strict=False):
        chances = chances * table[:, column]
    by_fit = (task.members, -1)
    return CandidateChances(
        fit.name,
        logs,
        about,
        np.einsum("fzr,fzc->frc", chances.reshape(*by_fit, len(rows)), classes.reshape(*by_fit, 2)),
    )


class Population:
    """Reports of a simulated population, and the accuracy of ways to learn from them."""

    def __init__(self, number):
        setting = Setting.draw(number)
        self.generator = np.random.default_rng([number, 1])
        kind, n = KINDS[setting.kind], setting.reports
        table = kind(n + TESTED, setting.columns, self.generator).astype(int)
        self.rows, self.majority = table[n:], int(table[:n, -1].mean() > 0.5)
        asked = setting.columns, setting.groups, setting.truth, setting.clear
        design = draw_design(*asked, self.generator)
        reports = design.disguise(table[:n], seed=int(self.generator.integers(1 << 30)))
        self.crowd = cf.Crowd(design, reports)
        self.ignoring = cf.Crowd(cf.Design(design.questions), reports)
        self.task = Task.of(self.crowd, TARGET, self.generator)
        (self.held,) = self.task.held_out.folds
        self.fits = self.fit_again()

    def fit_again(self, **changed):
        """The default's fits, or those of a changed task from the same starts."""
        return fit_candidates(replace(self.task, **changed), np.random.default_rng(0))

    def compute_chances(self, fits):
        return [compute_chances(self.task, fit, self.rows) for fit in fits]

    def measure_mixture(self, candidates, by_whole_reports=False, kept=slice(None)):
        """Measure the accuracy of a mixture of some fits of candidates."""
        held = self.held[kept].ravel()
        logs = [c.reports if by_whole_reports else c.target for c in candidates]
        shown = np.stack([each[kept].ravel() for each in logs])
        return self.measure_shares(candidates, find_best_shares(shown, held), kept)

    def measure_shares(self, candidates, shares, kept=slice(None)):
        """Measure the accuracy of a mixture of candidates with given shares."""
        chances = np.einsum("m,mrc->rc", shares, [c.rows[kept].mean(axis=0) for c in candidates])
        return self.measure_accuracy(chances.argmax(axis=1))

    def measure_accuracy(self, predicted):
        """Measure the share of clear rows whose class is predicted."""
        return float((predicted == self.rows[:, -1]).mean())

    def compare_ways(self):
        """Measure the accuracy of the default and of every other way."""
        task, fits = self.task, self.fits
        default = self.compute_chances(fits)
        yield "default", self.measure_mixture(default)
        for out in default:
            yield f"without {out.name}", self.measure_mixture([c for c in default if c is not out])
        for components in (2, 64):
            more = fit_latent_classes(task, components, np.random.default_rng(1))
            yield (
                f"with {more.name}",
                self.measure_mixture([*default, *self.compute_chances([more])]),
            )
        for more in make_table_candidates(task, self.crowd, self.rows, CandidateChances):
            yield f"with {more.name}", self.measure_mixture([*default, more])
        yield "shares by whole reports", self.measure_mixture(default, by_whole_reports=True)
        yield "equal shares", self.measure_shares(default, np.full(len(fits), 1 / len(fits)))
        scores = [np.vdot(self.held, c.target) for c in default]
        yield (
            "the best candidate alone",
            self.measure_shares(default, np.eye(len(fits))[np.argmax(scores)]),
        )
        yield "every other of the ten fits", self.measure_mixture(default, kept=slice(0, None, 2))
        yield "the five near starts", self.measure_mixture(default, kept=slice(0, 5))
        yield "the five far starts", self.measure_mixture(default, kept=slice(5, None))
        for leaps in LEAPS:
            other = self.fit_again(leaps=leaps)
            yield f"at most {leaps} leaps", self.measure_mixture(self.compute_chances(other))

    def compare_trees(self):
        """Measure the accuracy and size of trees that may lose more or less to be smaller."""
        shares = find_best_shares(*list_left_out(self.task, self.fits))
        joint = mix_candidates(self.crowd, self.fits, shares)
        features = list(joint.design.names[:-1])
        questions = [Feature(2, multiway=True, ordered=False)] * len(features)
        root, win = open_joint_root(joint, TARGET, features), WIN / joint.n
        choose = lambda nodes: nodes.keep_promising(win)  # noqa: E731
        grown = grow(root, questions, "entropy", None, 1 / joint.n, choose)
        for lost in LOSSES:
            tree = keep_smallest_alike(grown, joint.n, win, lost)
            yield lost, (self.measure_tree(tree), len(tree.leaves))
            if lost == LOSS and len(tree.leaves) > READABLE:
                small = limit_leaves(tree, READABLE)
                told = compute_accuracy(tree) - compute_accuracy(small)
                yield "cut", (told, self.measure_tree(small) - self.measure_tree(tree))

    def measure_tree(self, tree):
        """Measure the accuracy of a tree."""
        return self.measure_accuracy(tree.label[tree.find_leaves(list(self.rows[:, :-1].T))])

    def compare_rivals(self):
        """Measure the majority class and the papers' inversion, with θ known and with θ ignored."""
        yield "majority", self.measure_accuracy(np.full(TESTED, self.majority))
        learners = {"bayes": cf.DisguisedNaiveBayes, "tree": cf.DisguisedTreeClassifier}
        for kind, learner in learners.items():
            for name, crowd in (("literal", self.crowd), ("θ ignored,", self.ignoring)):
                try:
                    model = learner(crowd.design, TARGET, method="literal").fit(crowd)
                    predicted = model.predict(self.rows[:, :-1]) == model.classes_[1]
                except cf.ConfideError:  # the estimate shows one class only
                    predicted = np.full(TESTED, self.majority)
                yield f"{name} {kind}", self.measure_accuracy(predicted)


class Study(NamedTuple):
    """What was found in one population."""

    setting: Setting
    ways: dict[str, float]
    trees: dict[float | str, tuple[float, float]]
    rivals: dict[str, float]


def study_population(number):
    """Draw the population of this number, and compare all ways to learn from it."""
    with threadpool_limits(1):
        population = Population(number)
        found = population.compare_ways(), population.compare_trees(), population.compare_rivals()
        return Study(Setting.draw(number), *map(dict, found))


def format_points(differences):
    """The mean of differences in accuracy with its standard error, in percentage points."""
    mean, error = compute_mean_and_error(differences)
    return f"{100 * mean:+.2f} ± {100 * error:.2f}"


def print_table(columns, rows):
    print(f"| {' | '.join(columns)} |")
    print("|---" * len(columns) + "|")
    for row in rows:
        print(f"| {' | '.join(row)} |")
    print()


def print_rivals(found):
    """The default beside its rivals, by θ."""
    rivals = list(found[0].rivals)
    rows = []
    for truth in TRUTHS:
        some = [each for each in found if each.setting.truth == truth]
        means = [np.mean([each.rivals[name] for each in some]) for name in rivals]
        majority = [each.rivals["majority"] for each in some]
        row = [truth, str(len(some)), *(f"{mean:.3f}" for mean in means)]
        for default in ([e.trees[LOSS][0] for e in some], [e.ways["default"] for e in some]):
            row += [f"{np.mean(default):.3f}", format_points(np.subtract(default, majority))]
        rows.append(row)
    ours = ("default tree", "over majority", "default bayes", "over majority")
    print_table(["θ", "populations", *rivals, *ours], rows)


def print_ways(found):
    """How much every other way changes the accuracy of the default."""
    some = {
        "all": lambda _: True,
        "θ ≤ .6": lambda setting: float(setting.truth) <= 0.6,
        "θ ≥ .7": lambda setting: float(setting.truth) >= 0.7,
        "450 reports": lambda setting: setting.reports == 450,
        "3,000 reports": lambda setting: setting.reports == 3_000,
    }
    rows = []
    for name in dict.fromkeys(name for each in found for name in each.ways if name != "default"):
        row = [name]
        for asked in some.values():
            those = [e.ways for e in found if asked(e.setting) and name in e.ways]
            row.append(format_points([ways[name] - ways["default"] for ways in those]))
        rows.append(row)
    print_table(["instead", *some], rows)


def print_trees(found):
    """How accurate and how large trees are that may lose more or less to be smaller."""
    rows = []
    for lost in LOSSES:
        change = [each.trees[lost][0] - each.ways["default"] for each in found]
        leaves = np.mean([each.trees[lost][1] for each in found])
        rows.append([str(lost), format_points(change), f"{leaves:.0f}"])
    print_table(["may lose", "accuracy over default bayes", "leaves"], rows)


def print_cuts(found):
    """What a cut to sixty leaves costs in truth, by what it costs on the mixture."""
    cuts = [each.trees["cut"] for each in found if "cut" in each.trees]
    rows = []
    for least, most in pairwise(COSTS):
        changes = [change for told, change in cuts if least < told <= most]
        if len(changes) > 1:
            rows.append([f"{least} to {most}", str(len(changes)), format_points(changes)])
    print_table(["cost on the mixture", "populations", "accuracy after the cut"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--populations", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=10_000, help="the number of the first one")
    asked = parser.parse_args()
    numbers = range(asked.first, asked.first + asked.populations)
    with ProcessPoolExecutor() as pool:
        waiting = pool.map(study_population, numbers)
        found = list(track(waiting, total=len(numbers), console=Console(stderr=True)))
    print_rivals(found)
    print_ways(found)
    print_trees(found)
    print_cuts(found)


if __name__ == "__main__":
    main()
