"""Distributions given back from noise: the iterative procedure of `agrawal-srikant-2000`.

Section 3 starts from the uniform distribution, replaces it by the mean of the reports' posteriors
(equation 3, in O(m²) with the denominator shared: one step of expectation–maximisation) and stops
when two successive estimates differ by less than 1 % of the threshold of a χ² test. Stopping so
early is what keeps the result smooth: the most likely table itself is all spikes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from confide.arrays import Array
from confide.estimators.expectation_maximisation import ReportedTable, em_step, repeat_step
from confide.estimators.share_likelihood import Operator

Procedure = Literal["em", "squarem", "ems"]

_CONFIDENCE = 0.95
STOPPING_SHARE: dict[str, float] = {"em": 0.01, "squarem": 0.001, "ems": 0.01}
"""At which share of the threshold each procedure stops.

Under normal noise the paper's 1 % stops too early to bring Figure 2 back; SQUAREM can go on."""


def chi_square_threshold(cells: int) -> float:
    """The χ² above which two distributions over so many cells are told apart."""
    from scipy.special import chdtri

    return float(chdtri(max(cells - 1, 1), 1 - _CONFIDENCE))


def reconstruct(batches: Sequence[ReportedTable], procedure: Procedure = "squarem") -> Array:
    """Give a table of truths back from the reports.

    Parameters
    ----------
    batches : sequence of ReportedTable
        The reported tables.
    procedure : {"em", "squarem", "ems"}
        The paper's; the same accelerated, stopped at a tenth of the paper's change (Varadhan and
        Roland, 2008); or the paper's with neighbouring intervals averaged ¼ : ½ : ¼ after each
        step (Silverman and others, 1990).
    """
    n = sum(batch.n for batch in batches)
    step = _smooth_step(batches) if procedure == "ems" else lambda p: em_step(batches, p)

    def has_converged(before: Array, after: Array) -> bool:
        change = n * chi_square_change(before, after).sum() / chi_square_threshold(before.size)
        return float(change) <= STOPPING_SHARE[procedure]

    start = batches[0].channel.uniform
    return repeat_step(step, start, has_converged, accelerated=procedure == "squarem")


def chi_square_change(before: Array, after: Array) -> Array:
    """(after − before)² / before of each cell; 0 where there was nothing before."""
    return np.divide((after - before) ** 2, before, out=np.zeros_like(before), where=before > 0)


def _smooth_step(batches: Sequence[ReportedTable]) -> Operator:
    """A step of expectation–maximisation followed by a moving average along the numbers."""
    along = batches[0].channel.number_axes

    def step(truth: Array) -> Array:
        table = em_step(batches, truth)
        for axis in along:
            padded = np.concatenate(
                [table.take([0], axis), table, table.take([-1], axis)], axis=axis
            )
            inner = np.arange(table.shape[axis])
            table = (padded.take(inner, axis) + 2 * table + padded.take(inner + 2, axis)) / 4
        return np.asarray(table)

    return step
