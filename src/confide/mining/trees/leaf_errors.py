"""How surely people are counted in a tree's nodes where a number has noise, which has no inverse.

A leaf is a component of a mixture: people in it report as its channel says. The shares w of the
leaves are then those of a mixture of known parts, and with s_l(r) = P(r | l) / P(r) the information
that reports hold about them is

    J = Σ_r reports(r) · s(r) s(r)ᵀ

Leaves that the noise blurs into each other have nearly the same s, and the inverse of J says that
they can hardly be told apart. Some thousand reports, drawn at random, tell J. To it comes what is
known without reports: that no share is negative, so that none is off by much more than itself. Else
people could be lent back and forth between many narrow leaves, and large nodes would seem unsure.
All shares add up to one. A node is the sum of its leaves.

That people in a leaf are spread as people at large is taken for granted, so these are standard
errors, and no interval is made of them.
"""

from __future__ import annotations

import numpy as np

from confide.arrays import Array
from confide.crowd import Crowd
from confide.estimators.expectation_maximisation import ReportedTable, em_step
from confide.estimators.latent_classes import HalvedReports, ProductMixtures, draw_sample
from confide.mining.trees.leaf_tables import make_leaf_tables
from confide.mining.trees.tree import Tree

_FARTHEST = 2.0
"""So many times itself a share may be off, as a standard deviation, where reports tell nothing.
Chosen on trees of simulated people, under noise of both kinds, whose true shares were known."""
_MARGIN_STEPS = 60  # of expectation–maximisation; many more would make spikes of a number's shares
_REPORTS = 10_000
_SEED = 5  # the same reports give the same errors


def estimate_node_errors(tree: Tree, target: str, crowd: Crowd) -> Array:
    """Estimate the standard error of the share of people in each node."""
    leaves, n, design = tree.leaves, crowd.effective_n, crowd.design
    margins = [estimate_smooth_margin(crowd, name) for name in design.names]
    tables = make_leaf_tables(tree, leaves, n, margins, design.position(target))
    rows = [table / table.sum(axis=1, keepdims=True) for table in tables]
    covariance = _find_covariance(crowd, ProductMixtures(np.ones((len(leaves), 1)), rows), tree)
    inside = _mark_leaves(tree)
    return np.sqrt(np.einsum("nk,kl,nl->n", inside, covariance, inside).clip(0))


def estimate_smooth_margin(crowd: Crowd, name: str) -> Array:
    """Estimate the distribution of one answer, some steps from the uniform to the most likely."""
    batches = [ReportedTable.of(batch, [name]) for batch in crowd.batches]
    answers = crowd.design.question(name).size
    margin: Array = np.full(answers, 1 / answers)
    for _ in range(_MARGIN_STEPS):
        margin = em_step(batches, margin)
    return margin


def _find_covariance(crowd: Crowd, components: ProductMixtures, tree: Tree) -> Array:
    """The covariance of the shares of a tree's leaves, which are the components."""
    shares = np.maximum(tree.shares[tree.leaves].clip(0).sum(axis=1), 1 / crowd.n)
    shares /= shares.sum()
    some = draw_sample(crowd.batches, _REPORTS, np.random.default_rng(_SEED))
    told = np.zeros((len(shares), len(shares)))
    for batch in some:
        counts, factors = batch.merge_sample()
        logs = HalvedReports(counts).log_chances(components)
        chances = np.exp(logs - logs.max(axis=0))
        scores = chances / (shares @ chances)
        told += (scores * (counts.reports * factors)) @ scores.T
    told *= crowd.effective_n / sum(batch.effective_n for batch in some)
    free = np.linalg.inv(told + np.diag((_FARTHEST * shares) ** -2))
    moved = free.sum(axis=0)
    return np.asarray(free - np.outer(moved, moved) / moved.sum())


def _mark_leaves(tree: Tree) -> Array:
    """Mark with ones which leaves are below each node: (nodes, leaves)."""
    inside = np.zeros((len(tree), len(tree.leaves)))
    inside[tree.leaves, np.arange(len(tree.leaves))] = 1
    for here in reversed(tree.levels[1:]):
        np.add.at(inside, tree.parent[here], inside[here])
    return inside
