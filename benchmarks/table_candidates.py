"""Candidates that need the whole table of answers: not part of the default, compared with it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from scipy.sparse.csgraph import minimum_spanning_tree

from confide.estimators.expectation_maximisation import ReportedTable, em_step
from confide.estimators.table_channel import TableChannel

STEPS = 30
_TINY = 1e-300


def make_table_candidates(task, crowd, rows, make_candidate):
    """Make candidates: the reports as they are, the inverse, and by EM the table and trees."""
    channel = TableChannel(crowd.design, crowd.design.names)
    at = tuple(task.patterns.T)

    def lay_out(counts):
        tables = np.zeros((task.members, *channel.shape))
        tables[:, *at] = counts
        return tables

    training, held_out = lay_out(task.training.counts[0]), lay_out(task.held_out.folds[0])

    def make_distribution(table):
        people = table.clip(0) / table.clip(0).sum() * crowd.n
        return (people + 1 / people.size) / (crowd.n + 1)

    for name, tables in {
        "the reports as they are": [make_distribution(table) for table in training],
        "the inverse": [make_distribution(channel.invert(table)) for table in training],
        "the whole table": list(stop_early(channel, training, held_out)),
        "a Chow–Liu tree": list(stop_early(channel, training, held_out, fit_chow_liu)),
    }.items():
        reported = [channel.apply(table) for table in tables]
        chances = np.stack([table[at] for table in reported]).clip(_TINY)
        without = np.stack([table.sum(axis=-1)[at[:-1]] for table in reported]).clip(_TINY)
        by_class = np.stack([table[tuple(rows[:, :-1].T)] for table in tables])
        yield make_candidate(name, np.log(chances), np.log(chances / without), by_class)


def stop_early(channel, training, held_out, shape=lambda table: table):
    """Take steps from the uniform table until left-out reports are most likely, for each fit."""
    for learnt, left_out in zip(training, held_out, strict=True):
        observed = [ReportedTable(channel, learnt / learnt.sum(), 1)]
        table = np.full(learnt.shape, 1 / learnt.size)
        best = -np.inf
        for _ in range(STEPS):
            score = np.vdot(left_out, np.log(np.maximum(channel.apply(table), _TINY)))
            if score > best:
                best, kept = score, table
            table = shape(em_step(observed, table))
        yield kept


def fit_chow_liu(table):
    """Find the tree-shaped distribution nearest to a table."""
    places = range(table.ndim)

    def margin(*kept):
        return table.sum(axis=tuple(i for i in places if i not in kept), keepdims=True).clip(_TINY)

    ones = [margin(i) for i in places]
    known = np.zeros((table.ndim, table.ndim))
    for i, j in combinations(places, 2):
        pair = margin(i, j)
        known[i, j] = 1 + (pair * np.log(pair / (ones[i] * ones[j]))).sum()
    shaped = np.prod(np.broadcast_arrays(*ones), axis=0)
    for i, j in np.argwhere(minimum_spanning_tree(-known).toarray()):
        shaped = shaped * margin(i, j) / (ones[i] * ones[j])
    return shaped / shaped.sum()
