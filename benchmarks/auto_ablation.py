"""What each step from the papers' inversion to the default method is worth.

    python benchmarks/auto_ablation.py adult --truths 0.55 0.6 --repeats 10
    python benchmarks/auto_ablation.py breast_cancer voting --rivals --repeats 10 --clear

Every repeat draws its own split (four fifths to learn from, one fifth to test on), groups and
disguise; the class is disguised with a random group, or with ``--clear`` asked in the clear.
Accuracy is measured on clear test data, which no method sees. ``--rivals`` leaves the steps between
the papers' inversion and the default method out. Standard errors are those of the mean over the
repeats; those of a lead are of the paired differences. The leaves are those of the default tree, on
average and of the largest one.
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import numpy as np
from populations import draw_deep_tree, draw_parity, draw_rare_class

import confide as cf
from confide.estimators.expectation_maximisation import ReportedTable, em_step
from confide.estimators.latent_classes import ProductMixtures
from confide.estimators.table_channel import TableChannel
from confide.mining.joint import JointPopulation, choose_joint
from confide.mining.joint.candidates import (
    FittedCandidate,
    Task,
    fit_latent_classes,
    fit_naive_bayes,
)
from confide.mining.joint.stacking import mix_candidates
from confide.papers import data

TARGET = "class"
TRUTHS = {
    "adult": ("0.51", "0.55", "0.6"),
    "breast_cancer": ("0.55", "0.6", "0.7", "0.8", "0.9"),
    "voting": ("0.55", "0.6", "0.7", "0.8", "0.9"),
    "xor": ("0.7",),
    "noisy_xor": ("0.6",),
    "noisy_xor_7": ("0.6",),
    "noisy_parity": ("0.7",),
    "deep_tree": ("0.7",),
    "deep_tree_7": ("0.7", "0.95"),
    "rare_class": ("0.55", "0.6"),
}
SIMULATED = {
    "xor": lambda rows, generator: draw_parity(rows, 13, generator, 2, 0),
    "noisy_xor": lambda rows, generator: draw_parity(rows, 13, generator, 2),
    "noisy_xor_7": lambda rows, generator: draw_parity(rows, 10, generator, 2),
    "noisy_parity": lambda rows, generator: draw_parity(rows, 10, generator, 3),
    "deep_tree": lambda rows, generator: draw_deep_tree(rows, 13, generator),
    "deep_tree_7": lambda rows, generator: draw_deep_tree(rows, 13, generator, 7),
    "rare_class": lambda rows, generator: draw_rare_class(rows, 11, generator),
}
LOADERS = {
    "adult": data.load_adult,
    "breast_cancer": data.load_breast_cancer,
    "voting": data.load_voting,
}
RIVALS = ("majority", "literal tree", "literal bayes", "θ ignored, tree", "θ ignored, bayes")
STEPS = ("5 EM steps, tree", "bayes by EM", "12 classes, 1 fit", "12 classes, 10 fits")
DEFAULT = ("default tree", "default bayes")
TESTED = 5_000
LEAVES = "leaves, most"
A_POINT, HALF_A_POINT = 0.01, 0.005


def draw_answers(name, generator, people=20_000):
    """Rows to learn from and rows to test on, the class last."""
    if name in SIMULATED:
        table = SIMULATED[name](people + TESTED, generator).astype(int)
        return table[:people], table[people:]
    held = LOADERS[name]()
    table = np.column_stack([held.X, held.y]).astype(int)[:10_000]
    table = table[generator.permutation(len(table))]
    cut = len(table) * 4 // 5
    return table[:cut], table[cut:]


def draw_design(columns, groups, truth, clear, generator):
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


def take_five_steps(crowd):
    """Five steps of expectation–maximisation from the uniform table."""
    names = crowd.design.names
    observed = [
        ReportedTable(TableChannel(b.design, names), b.table(names) / b.n, b.n)
        for b in crowd.counts
    ]
    shares = np.full(observed[0].channel.shape, 0.5 ** len(names))
    for _ in range(5):
        shares = em_step(observed, shares)
    return Table(crowd.design, crowd.n, shares)


def measure_once(name, people, truth, groups, clear, seed, with_steps):
    """The accuracy of every method."""
    generator = np.random.default_rng(seed)
    train, test = draw_answers(name, generator, people)
    design = draw_design(train.shape[1], groups, truth, clear, generator)
    reports = design.disguise(train, seed=int(generator.integers(1 << 30)))
    crowd = cf.Crowd(design, reports)
    ignoring = cf.Crowd(cf.Design(design.questions), reports)
    majority = int(train[:, -1].mean() > 0.5)

    def measure(model):
        return float(((model.predict(test[:, :-1]) == model.classes_[1]) == test[:, -1]).mean())

    def measure_learner(learner, population):
        try:
            model = learner(population.design, TARGET, method="literal").fit(population)
        except cf.ConfideError:  # the estimate shows one class only
            return float((test[:, -1] == majority).mean())
        return measure(model)

    tree, bayes = cf.DisguisedTreeClassifier, cf.DisguisedNaiveBayes
    joint = choose_joint(crowd, TARGET)
    default = tree(design, TARGET).fit(joint)
    return {
        "majority": float((test[:, -1] == majority).mean()),
        "literal tree": measure_learner(tree, crowd),
        "literal bayes": measure_learner(bayes, crowd),
        "θ ignored, tree": measure_learner(tree, ignoring),
        "θ ignored, bayes": measure_learner(bayes, ignoring),
        "default tree": measure(default),
        "default bayes": measure_joint(joint, test),
        LEAVES: default.get_n_leaves(),
    } | (measure_steps_between(crowd, test, measure_learner, generator) if with_steps else {})


def measure_joint(joint: JointPopulation, test):
    """The accuracy of a joint distribution's own predictions, which are those of naive Bayes."""
    return float((joint.proba(TARGET, test).argmax(axis=1) == test[:, -1]).mean())


def measure_steps_between(crowd, test, measure_learner, generator):
    """The steps between the papers' inversion and the default method."""
    task = Task.of(crowd, TARGET, generator)
    twelve = fit_latent_classes(task, 12, generator)
    first = ProductMixtures.stack([twelve.model.member(0)])
    alone = FittedCandidate("one fit", first, twelve.log_chances, twelve.score)
    only = np.ones(1)
    return {
        "5 EM steps, tree": measure_learner(cf.DisguisedTreeClassifier, take_five_steps(crowd)),
        "bayes by EM": measure_joint(mix_candidates(crowd, [fit_naive_bayes(task)], only), test),
        "12 classes, 1 fit": measure_joint(mix_candidates(crowd, [alone], only), test),
        "12 classes, 10 fits": measure_joint(mix_candidates(crowd, [twelve], only), test),
    }


def measure_lead(found, over, kind):
    """By how much the default is ahead of the best of some columns, and the standard error."""
    best = max(over, key=lambda column: np.mean(found[column]))
    return compute_mean_and_error(np.subtract(found[f"default {kind}"], found[best]))


def compute_mean_and_error(values):
    """The mean over the repeats with its standard error."""
    error = np.std(values, ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return float(np.mean(values)), float(error)


def print_summary(cells):
    """What the default promises, counted over the cells."""
    for kind in ("tree", "bayes"):
        rivals = ("majority", f"literal {kind}", f"θ ignored, {kind}")
        behind = np.array([measure_lead(found, rivals, kind)[0] for _, found in cells])
        print(
            f"    default {kind}: within a point of the best of literal, θ ignored and majority in "
            f"{np.mean(behind >= -A_POINT):.0%} of {len(behind)} cells, "
            f"{behind.mean():+.4f} on average"
        )
        over_majority = [measure_lead(found, ("majority",), kind) for _, found in cells]
        low, error = min(over_majority)
        below = sum(mean < -HALF_A_POINT for mean, _ in over_majority)
        print(
            f"    default {kind}: more than half a point below the majority class in {below} "
            f"cells; at worst {low:+.4f} ± {error:.4f}"
        )
        strong = [
            measure_lead(found, (f"literal {kind}",), kind)
            for (_, truth, _), found in cells
            if float(truth) >= 0.8
        ]
        if strong:
            below = sum(mean < -error for mean, error in strong)
            print(
                f"    default {kind}, θ ≥ .8: below literal by more than a standard error in "
                f"{below} of {len(strong)} cells, "
                f"{np.mean([mean for mean, _ in strong]):+.4f} on average"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", choices=sorted(TRUTHS))
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--groups", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--truths", nargs="+", help="instead of those of the set")
    parser.add_argument("--people", type=int, nargs="+", default=[20_000], help="if simulated")
    parser.add_argument("--clear", action="store_true", help="ask the class in the clear")
    parser.add_argument("--rivals", action="store_true", help="leave the steps between out")
    asked = parser.parse_args()
    columns = (*RIVALS, *(() if asked.rivals else STEPS), *DEFAULT)
    print("| set | θ | groups |", " | ".join(columns), "| lead, tree | lead, bayes |", LEAVES, "|")
    print("|---" * (len(columns) + 6) + "|")
    cells = []
    for name, truth, groups, people in list_cells(asked):
        found = defaultdict(list)
        for repeat in range(asked.repeats):
            seed = [repeat, groups, round(float(truth) * 100), asked.clear]
            once = measure_once(name, people, truth, groups, asked.clear, seed, not asked.rivals)
            for column, accuracy in once.items():
                found[column].append(accuracy)
        cells.append(((name, truth, groups), found))
        shown = f"{name}, {people:,}" if name in SIMULATED else name
        print(f"| {shown} | {truth} | {groups} | {format_row(found, columns)} |", flush=True)
    print()
    print_summary(cells)


def list_cells(asked):
    """Every set with its truths, groups and, where it is simulated, numbers of people."""
    for name in asked.sets:
        for truth in asked.truths or TRUTHS[name]:
            for groups in asked.groups if name != "xor" else [1, 2]:
                for people in asked.people if name in SIMULATED else [None]:
                    yield name, truth, groups, people


def format_row(found, columns):
    """One line of the table; the defaults with their standard errors."""
    shown = []
    for column in columns:
        mean, error = compute_mean_and_error(found[column])
        shown.append(f"{mean:.3f}" + (f" ± {error:.3f}" if column in DEFAULT else ""))
    for kind in ("tree", "bayes"):
        mean, error = measure_lead(
            found, ("majority", f"literal {kind}", f"θ ignored, {kind}"), kind
        )
        shown.append(f"{mean:+.3f} ± {error:.3f}")
    shown.append(f"{np.mean(found[LEAVES]):.0f}, {max(found[LEAVES])}")
    return " | ".join(shown)


if __name__ == "__main__":
    main()
