"""The papers' trees as candidates: a leaf is a component within which the answers are independent.

A tree that is grown on the inverted reports, or on the reports as they are, knows combinations of
answers by heart, which no smooth joint does that is fitted to few reports. Its tests are taken
over: everyone in a leaf has the answers that lead there, and all others as people have them at
large. How many there are, and of which class, is fitted through the channel.

Ten trees, each without a tenth of the reports, are judged by that tenth as all candidates are. They
are nearly alike, so that one tree of all reports takes their place in the mixture.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts, report_sizes
from confide.crowd import Crowd
from confide.design import Design
from confide.estimators.latent_classes import ProductMixtures, TrainingReports, run_em
from confide.estimators.merged_intervals import has_noise
from confide.estimators.product_mixture import ProductMixture
from confide.mining.joint.candidates import FittedCandidate, Task, judge
from confide.mining.population import pool_batches
from confide.mining.trees.frontier import open_roots
from confide.mining.trees.growth import grow_together, make_feature
from confide.mining.trees.leaf_tables import make_leaf_tables
from confide.mining.trees.tree import Tree
from confide.mining.trees.tree_size import limit_leaves

_LEAVES = 256
"""So many leaves a tree has at most."""
_LEAST = 0.001
"""A node with a smaller share of the people is not tested any further."""
_MOST_CELLS = 1 << 14
"""Of more combinations of answers no inverse is written out."""
_STEPS = 2  # of expectation–maximisation, for the shares and the classes of the leaves


def fit_inverse_leaves(task: Task) -> FittedCandidate | None:
    """Fit the leaves of trees on the inverted reports; None where they have no small inverse."""
    if has_noise(task.counts, task.counts[0].design.names):
        return None
    cells = pool_batches(task.counts).cells()
    if cells is None or len(cells[0]) > _MOST_CELLS:
        return None
    return _fit_leaves("leaves of the inverse", task, pool_batches)


def fit_reported_leaves(task: Task) -> FittedCandidate | None:
    """Fit the leaves of trees on the reports as they are; None where they are no answers."""
    if any(list(report_sizes(batch.design)) != task.sizes for batch in task.counts):
        return None
    clear = Design(task.counts[0].design.questions)
    return _fit_leaves(
        "leaves of the reports as they are",
        task,
        lambda batches: pool_batches([replace(batch, design=clear) for batch in batches]),
    )


def _fit_leaves(
    name: str, task: Task, read: Callable[[Sequence[Counts]], Crowd]
) -> FittedCandidate:
    """Fit the leaves of one tree a member, and of one tree of all reports."""
    others = tuple(place for place in range(len(task.sizes)) if place != task.target)
    crowds = [read(batches) for batches in (*task.list_training(), task.counts)]
    grown = zip(_grow(crowds, task.target), crowds, strict=True)
    trees = [(limit_leaves(tree, _LEAVES), crowd.n) for tree, crowd in grown]

    def fit(trees: Sequence[tuple[Tree, int]], reports: TrainingReports) -> ProductMixtures:
        most = max(len(tree.leaves) for tree, _ in trees)
        start = ProductMixtures.stack([_make_mixture(tree, n, task, most) for tree, n in trees])
        return run_em(start, reports, range(_STEPS), others)

    members = fit(trees[:-1], task.training)
    whole = fit(trees[-1:], task.all_reports())
    return replace(judge(name, task, members, others), whole=whole)


def _grow(crowds: Sequence[Crowd], target: int) -> list[Tree]:
    """Grow a tree of each crowd as the papers do, down to nodes of a few people."""
    design = crowds[0].design
    features = [name for name in design.names if name != design.names[target]]
    tests = [make_feature(design.question(name), "entropy") for name in features]
    cells = [cast(tuple[Codes, Array], crowd.cells()) for crowd in crowds]
    least = [max(_LEAST, 1 / crowd.n) for crowd in crowds]
    roots = open_roots(design, cells, design.names[target], features)
    return grow_together(roots, tests, "entropy", None, least)


def _make_mixture(tree: Tree, n: int, task: Task, components: int) -> ProductMixture:
    """Make a component of each leaf; of the first leaves several alike, until there are so many."""
    leaves = np.resize(tree.leaves, components)
    tables = make_leaf_tables(tree, leaves, n, task.margins, task.target)
    sizes = [table.sum(axis=1) for table in tables]
    weights = np.prod(sizes[: task.target] + sizes[task.target + 1 :], axis=0)
    weights /= np.bincount(leaves)[leaves]
    rows = [table / size[:, None] for table, size in zip(tables, sizes, strict=True)]
    return ProductMixture(weights / weights.sum(), tuple(rows))
