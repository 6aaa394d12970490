"""Which candidates the default method needs, on simulated populations.

    python benchmarks/auto_candidates.py --repeats 4

Every population is drawn anew: its kind, its 8 to 16 yes-no questions, their groups and disguise.
The candidates are fitted once; each row of the table leaves one out of the mixture or adds one to
it, and compares the accuracy on 2,000 clear test rows with that of the default, pair by pair.
"""

from __future__ import annotations

import argparse
from itertools import product

import numpy as np
from auto_ablation import TARGET, drawn_design, mean_and_error, predicted

import confide as cf
from confide.mining.joint.candidates import Task, latent_classes
from confide.mining.joint.choice import mixed, stacked, tried

REPORTS, TESTED = 450, 2_000


def hidden_classes(rows, columns, generator):
    classes = generator.integers(2, 7)
    chances = generator.beta(0.6, 0.6, (classes, columns))
    return generator.random((rows, columns)) < chances[generator.integers(classes, size=rows)]


def tree_shaped(rows, columns, generator):
    table = np.zeros((rows, columns), bool)
    for i, chances in enumerate(generator.beta(0.7, 0.7, (columns, 2))):
        parent = table[:, generator.integers(i)] if i else table[:, 0]
        table[:, i] = generator.random(rows) < chances[parent.astype(int)]
    return table[:, generator.permutation(columns)]


def logistic_class(rows, columns, generator):
    leaning = generator.normal(size=(rows, 2)) @ generator.normal(size=(2, columns - 1))
    table = leaning + generator.normal(size=leaning.shape) > 0
    pull = (table - 0.5) @ (1.5 * generator.normal(size=columns - 1))
    label = generator.logistic(size=rows) < pull - np.median(pull) + generator.normal() / 2
    return np.column_stack([table, label])


def symptom_scale(rows, columns, generator):
    trait = generator.normal(size=rows) - generator.random()
    label = trait + 0.4 * generator.normal(size=rows) > 0
    steepness = generator.uniform(0.8, 2.5, columns - 1)
    pull = steepness * (trait[:, None] - generator.uniform(-0.5, 1, columns - 1))
    return np.column_stack([generator.logistic(size=pull.shape) < pull, label])


def told_by_the_class(rows, columns, generator):
    label = generator.random(rows) < generator.uniform(0.3, 0.5)
    chances = generator.beta(0.8, 0.8, (2, columns - 1))[label.astype(int)]
    return np.column_stack([generator.random(chances.shape) < chances, label])


KINDS = (hidden_classes, tree_shaped, logistic_class, symptom_scale, told_by_the_class)


def one_repeat(kind, truth, groups, clear, seed):
    """The accuracy of the default and of each other set of candidates."""
    generator = np.random.default_rng(seed)
    columns = int(generator.integers(9, 18))
    table = kind(REPORTS + TESTED, columns, generator).astype(int)
    design = drawn_design(columns, groups, truth, clear, generator)
    reports = design.disguise(table[:REPORTS], seed=int(generator.integers(1 << 30)))
    crowd = cf.Crowd(design, reports)
    task = Task.of(crowd, TARGET, generator)
    fits = tried(task, generator)

    def accuracy(kept):
        return predicted(mixed(crowd, kept, stacked(task, kept)), table[REPORTS:])

    others = {f"without {out.name}": [fit for fit in fits if fit is not out] for out in fits}
    others["with 4 latent classes"] = [*fits, latent_classes(task, 4, generator)]
    return accuracy(fits), {name: accuracy(kept) for name, kept in others.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=4)
    repeats = parser.parse_args().repeats
    settings = list(product(range(len(KINDS)), ("0.55", "0.6", "0.8"), (1, 3), (False, True)))
    default, change = [], {}
    for repeat, (kind, truth, groups, clear) in product(range(repeats), settings):
        seed = [repeat, kind, round(float(truth) * 100), groups, clear]
        accuracy, others = one_repeat(KINDS[kind], truth, groups, clear, seed)
        default.append(accuracy)
        for name, other in others.items():
            change.setdefault(name, []).append(other - accuracy)
    print(f"| candidates | change in accuracy, from {np.mean(default):.3f} | populations |")
    print("|---|---|---|")
    for name, differences in change.items():
        mean, error = mean_and_error(differences)
        print(f"| {name} | {mean:+.4f} ± {error:.4f} | {len(differences)} |")


if __name__ == "__main__":
    main()
