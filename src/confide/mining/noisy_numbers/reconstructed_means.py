"""Means of functions of the true answers where numbers carry noise, which has no inverse.

The joint table of the questions that a model looks at and the target is reconstructed from the test
reports, stopped where part of them is predicted best; the estimate is the function's mean over it,
its standard error the spread over surveys drawn from it. What the noise has blurred stays blurred:
the accuracy of a sharp model is underestimated rather than overestimated.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from confide.arrays import Array, Codes
from confide.counts import Counts
from confide.errors import ModelError
from confide.estimators.bootstrap import draw_replicates
from confide.estimators.expectation_maximisation import ReportedTable
from confide.mining.noisy_numbers.cell_budget import share_out_cells
from confide.mining.noisy_numbers.folds import Folds, em_steps, tabulate_reports, uniform_table
from confide.mining.noisy_numbers.reconstructed_population import (
    ReconstructedPopulation,
    find_best_steps,
)
from confide.mining.noisy_numbers.screening import MOST_QUESTIONS

Functions = Callable[[Codes], Array]
"""Rows of codes → the values of some functions: (rows, functions)."""

_CELLS = 4_096  # of the joint table
_SURVEYS = 20  # drawn for the standard errors


def estimate_reconstructed_means(
    batches: Sequence[Counts], names: Sequence[str], functions: Functions
) -> tuple[Array, Array]:
    """Estimate means over the questions ``names``, the target last, and their covariance."""
    *used, _ = names
    if len(used) > MOST_QUESTIONS:
        raise ModelError(
            f"this model looks at {len(used)} questions, some with noise; an accuracy can be "
            f"estimated from disguised reports for at most {MOST_QUESTIONS}. Learn one that "
            "looks at fewer: from a survey of fewer questions, or a tree with a smaller max_depth."
        )
    design = batches[0].design
    cells = share_out_cells(design, used, _CELLS)
    whole = tabulate_reports(batches, names, cells)
    steps, _ = find_best_steps(Folds.of(batches), list(names), cells)
    table = em_steps(whole, uniform_table(whole), steps)
    n = sum(batch.n for batch in batches)
    rows, shares = ReconstructedPopulation(
        design, n, tuple(names), table, whole[0].channel.merged
    ).cells()
    values = functions(rows[:, [design.position(name) for name in names]])
    filled = np.flatnonzero(table)

    def fit(survey: Sequence[ReportedTable]) -> Array:
        return em_steps(survey, uniform_table(survey), steps).ravel()[filled] @ values

    drawn = draw_replicates(whole, table, fit, _SURVEYS)
    return shares @ values, np.atleast_2d(np.cov(drawn.T))
