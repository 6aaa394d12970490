"""What questions tell about the target each alone, put together as naive Bayes does.

A joint table says more than its questions do alone, but few reports cannot show that a question
adds to it. Each question's own table with the target asks for far fewer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import log_softmax

from confide.arrays import Array
from confide.counts import Counts
from confide.estimators.table_channel import TableChannel
from confide.mining.noisy_numbers.folds import SMALLEST, Folds
from confide.mining.noisy_numbers.margins import reconstruct_margins

_LEAST = 2.0
"""Nats that a question must add; without telling anything one adds that in a case of twenty."""


def select_single_questions(
    folds: Folds, target: str, features: Sequence[str], most: int
) -> tuple[list[str], float]:
    """Select the few questions that best predict held-out targets; sum ln P of these targets.

    The reports are one batch, its target in the clear.
    """
    shares, tables = reconstruct_margins(folds.learning, target, features)
    (held,) = folds.held
    label = held.patterns[:, held.design.position(target)]
    told = {
        name: _log_chances(held, name, table) for name, table in zip(features, tables, strict=True)
    }

    def sum_log_chances(logs: Array) -> float:
        return float(held.reports @ log_softmax(logs, axis=1)[np.arange(len(label)), label])

    chosen: list[str] = []
    logs = np.tile(np.log(shares.clip(SMALLEST)), (len(label), 1))
    best = sum_log_chances(logs)
    while left := [name for name in features if name not in chosen]:
        value, name = max((sum_log_chances(logs + told[name]), name) for name in left)
        if value < best + _LEAST or len(chosen) == most:
            break
        chosen, logs, best = [*chosen, name], logs + told[name], value
    return chosen, best


def _log_chances(held: Counts, name: str, table: Array) -> Array:
    """ln P(report | class) of each held-out report: (patterns, classes)."""
    given = table / table.sum(axis=1, keepdims=True).clip(SMALLEST)
    chances = TableChannel(held.design, [name]).channel_matrix() @ given.T
    return np.asarray(np.log(chances.clip(SMALLEST))[held.patterns[:, held.design.position(name)]])
