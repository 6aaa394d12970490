"""What a reader of a regression must know beside its numbers, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from confide.regression.information import blank, invert_information
from confide.regression.random_intercept import GroupedLikelihood

if TYPE_CHECKING:
    from confide.regression.result import RegressionResult

_NO_FINITE_ERROR = 100.0
"""A standard error this large, on the scale of a spread of 1, says that there is no estimate."""

_FEW = 2.5
"""Degrees of freedom: with fewer, intervals by clusters covered up to 100 % in simulations."""


def write_notes(result: RegressionResult) -> list[str]:
    """Write the notes of a result."""
    return [*_note_fit(result), *_note_clusters(result), *_note_sample(result)]


def _note_fit(result: RegressionResult) -> Iterator[str]:
    if result.dropped:
        yield f"{result.dropped:,} reports were left out: a column was empty in them."
    if not result.peak.converged:
        yield f"The fit did not come to its end in {result.peak.steps} steps: do not use it."
    if unknown := find_without_estimate(result):
        yield (
            f"{', '.join(unknown)}: no finite estimate. The reports look as if the outcome were "
            "certain for some people (separation, or a share at 0 or 1), so these numbers and "
            "their standard errors mean nothing, and marginal effects of them have none. Use fewer "
            "predictors, or more reports."
        )
    for name in result.deviations_at_edge:
        yield (
            f"{name} is at 0: the groups do not differ more than chance makes them. A standard "
            "error says nothing at the edge; the interval says how different they may be."
        )


def _note_clusters(result: RegressionResult) -> Iterator[str]:
    alone = result.spread.alone
    names, unknown = np.array(result.names), find_without_estimate(result)
    found = ~np.isin(names, unknown)
    if (alone & found).any():
        yield (
            f"{', '.join(names[alone & found])}: without one cluster nothing tells of them, so "
            "nobody knows how they would differ with other clusters. They have no standard error, "
            "and marginal effects of them have none."
        )
    if (few := (result.freedoms < _FEW) & found & ~alone).any():
        yield (
            f"{', '.join(names[few])}: few clusters tell of them (as few as "
            f"{result.freedoms[few].min():.1f} degrees of freedom). Their intervals are wide, and "
            "cover more often than they say."
        )


def _note_sample(result: RegressionResult) -> Iterator[str]:
    if result.cov_type != "linearised" and np.ptp(result.drawn.weights / result.drawn.reports) == 0:
        return
    yield (
        "The log-likelihood is weighted by how the sample was drawn; AIC and BIC are then no guide "
        "to a choice between models."
    )
    if isinstance(result.objective, GroupedLikelihood):
        yield (
            "Each group of the random intercept counts once, as if all had been drawn with the "
            "same chance: weights count within groups."
        )


def find_without_estimate(result: RegressionResult) -> list[str]:
    """The parameters whose standard errors are beyond all use."""
    # by the information, which a sandwich of vanishing scores hides
    peak = result.objective.evaluate(result.peak.params)
    plain = blank(*invert_information(-peak.hessian))
    errors = np.sqrt(np.diag(plain)) * result.model.column_scales(len(result.names))
    return [
        name
        for name, error in zip(result.names, errors, strict=True)
        if not error < _NO_FINITE_ERROR
    ]
