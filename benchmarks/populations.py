"""Simulated populations of yes-no answers, the class last, on which the default method was chosen.

Every kind draws its own parameters anew: no two populations are alike.
"""

from __future__ import annotations

import numpy as np


def draw_hidden_classes(rows, columns, generator):
    """Draw two to six hidden classes within which the answers are independent."""
    classes = generator.integers(2, 7)
    chances = generator.beta(0.6, 0.6, (classes, columns))
    return generator.random((rows, columns)) < chances[generator.integers(classes, size=rows)]


def draw_tree_shaped(rows, columns, generator):
    """Draw answers each of which depends on one other."""
    table = np.zeros((rows, columns), bool)
    for i, chances in enumerate(generator.beta(0.7, 0.7, (columns, 2))):
        parent = table[:, generator.integers(i)] if i else table[:, 0]
        table[:, i] = generator.random(rows) < chances[parent.astype(int)]
    return table[:, generator.permutation(columns)]


def draw_logistic_class(rows, columns, generator):
    """Draw answers with two common factors, and a class by logistic regression on them."""
    leaning = generator.normal(size=(rows, 2)) @ generator.normal(size=(2, columns - 1))
    table = leaning + generator.normal(size=leaning.shape) > 0
    pull = (table - 0.5) @ (1.5 * generator.normal(size=columns - 1))
    label = generator.logistic(size=rows) < pull - np.median(pull) + generator.normal() / 2
    return np.column_stack([table, label])


def draw_symptom_scale(rows, columns, generator):
    """Draw one trait that is behind all answers and the class."""
    trait = generator.normal(size=rows) - generator.random()
    label = trait + 0.4 * generator.normal(size=rows) > 0
    steepness = generator.uniform(0.8, 2.5, columns - 1)
    pull = steepness * (trait[:, None] - generator.uniform(-0.5, 1, columns - 1))
    return np.column_stack([generator.logistic(size=pull.shape) < pull, label])


def draw_independent_within_classes(rows, columns, generator):
    """Draw answers that are independent within each class, as naive Bayes assumes."""
    label = generator.random(rows) < generator.uniform(0.3, 0.5)
    chances = generator.beta(0.8, 0.8, (2, columns - 1))[label.astype(int)]
    return np.column_stack([generator.random(chances.shape) < chances, label])


def draw_rule(rows, columns, generator):
    """Draw a class that follows a decision tree of depth three nine times in ten."""
    table = generator.random((rows, columns - 1)) < generator.uniform(0.2, 0.8, columns - 1)
    places = generator.permutation(columns - 1)
    first, second, third = table[:, places[:3]].T
    leaf = 4 * first + 2 * np.where(first, second, third) + np.where(second, third, first)
    label = generator.permutation([0, 0, 0, 0, 1, 1, 1, 1])[leaf].astype(bool)
    return np.column_stack([table, label ^ (generator.random(rows) < 0.1)])


def draw_exclusive_or(rows, columns, generator):
    """Draw a class that is a XOR b nineteen times in twenty; the other answers say nothing."""
    table = generator.random((rows, columns - 1)) < 0.5
    first, second = generator.choice(columns - 1, 2, replace=False)
    label = table[:, first] ^ table[:, second] ^ (generator.random(rows) < 0.05)
    return np.column_stack([table, label])


def draw_deep_tree(rows, columns, generator, depth=5):
    """Draw a class that follows a random decision tree of a depth nineteen times in twenty."""
    table = generator.random((rows, columns - 1)) < generator.uniform(0.2, 0.8, columns - 1)
    label = np.zeros(rows, bool)

    def label_people(people, left, depth):
        if depth == 0:
            label[people] = generator.random() < 0.5
            return
        asked = generator.choice(left)
        others = [column for column in left if column != asked]
        label_people(people[table[people, asked]], others, depth - 1)
        label_people(people[~table[people, asked]], others, depth - 1)

    label_people(np.arange(rows), list(range(columns - 1)), depth)
    return np.column_stack([table, label ^ (generator.random(rows) < 0.05)])


def draw_parity(rows, columns, generator, asked=3, noise=0.1):
    """Draw a class that is the parity of the first few answers; the others say nothing."""
    table = generator.random((rows, columns - 1)) < 0.5
    odd = np.logical_xor.reduce(table[:, :asked], axis=1)
    return np.column_stack([table, odd ^ (generator.random(rows) < noise)])


def draw_rare_class(rows, columns, generator, share=0.07):
    """Draw one trait that is behind all answers, and a class of the few who have most of it."""
    trait = generator.normal(size=rows)
    felt = trait + 0.4 * generator.normal(size=rows)
    steepness = generator.uniform(0.8, 2.5, columns - 1)
    pull = steepness * (trait[:, None] - generator.uniform(-0.5, 1, columns - 1))
    answers = generator.logistic(size=pull.shape) < pull
    return np.column_stack([answers, felt > np.quantile(felt, 1 - share)])


KINDS = (
    draw_hidden_classes,
    draw_tree_shaped,
    draw_logistic_class,
    draw_symptom_scale,
    draw_independent_within_classes,
    draw_rule,
    draw_exclusive_or,
)
