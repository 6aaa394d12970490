"""Means of functions of the true answers where numbers carry noise, which has no inverse.

The joint table of the questions that a model looks at and the target is reconstructed from the test
reports, stopped where part of them is predicted best; the estimate is the function's mean over it,
its standard error the spread over surveys drawn from it. What the noise has blurred stays blurred:
the accuracy of a sharp model is underestimated rather than overestimated. A number in the clear is
cut where the functions change, so that hardly anything is blurred there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from confide.arrays import Array, Codes, Indices
from confide.counts import Counts
from confide.errors import ModelError
from confide.estimators.bootstrap import draw_replicates
from confide.estimators.expectation_maximisation import ReportedTable
from confide.mining.noisy_numbers.alike_intervals import AlikeIntervals
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
_ASKED = 128  # people of whom it is asked where the functions change
_SEED = 5


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
    even = share_out_cells(design, used, _CELLS)
    alike = _cut_where_it_matters(batches, names, functions, even)
    cells: dict[str, int | Indices] = {**even}
    cells |= {name: found.starts for name, found in alike.items()}
    whole = tabulate_reports(batches, names, cells)
    steps, _ = find_best_steps(Folds.of(batches), list(names), cells)
    table = em_steps(whole, uniform_table(whole), steps)
    n = sum(batch.n for batch in batches)
    rows, shares = ReconstructedPopulation(
        design, n, tuple(names), table, whole[0].channel.merged
    ).cells()
    for name, found in alike.items():
        column = rows[:, design.position(name)]
        column[:] = found.find_typical(column)
    values = functions(rows[:, [design.position(name) for name in names]])
    filled = np.flatnonzero(table)

    def fit(survey: Sequence[ReportedTable]) -> Array:
        return em_steps(survey, uniform_table(survey), steps).ravel()[filled] @ values

    drawn = draw_replicates(whole, table, fit, _SURVEYS)
    return shares @ values, np.atleast_2d(np.cov(drawn.T))


def _cut_where_it_matters(
    batches: Sequence[Counts], names: Sequence[str], functions: Functions, cells: Mapping[str, int]
) -> dict[str, AlikeIntervals]:
    """Cut numbers in the clear, each into at most so many intervals, where the functions change.

    They are asked about some people's reports, with every value of the number in turn; of what is
    disguised any answer may be the true one.
    """
    design, generator = batches[0].design, np.random.default_rng(_SEED)
    clear = [all(b.design.block(name).mechanism is None for b in batches) for name in names]
    reports = np.concatenate(
        [b.patterns[:, [b.design.position(name) for name in names]] for b in batches]
    )
    chances = np.concatenate([batch.reports for batch in batches]) / sum(b.n for b in batches)
    drawn = reports[generator.choice(len(reports), _ASKED, p=chances)]
    people = [
        drawn[:, place] if told else generator.integers(0, design.question(name).size, _ASKED)
        for place, (name, told) in enumerate(zip(names, clear, strict=True))
    ]
    found = {}
    for place, name in enumerate(names):
        size = design.question(name).size
        if clear[place] and cells.get(name, size) < size:
            asked = np.repeat(np.stack(people, axis=1), size, axis=0)
            asked[:, place] = np.tile(np.arange(size), _ASKED)
            values = functions(asked).reshape(_ASKED, size, -1).swapaxes(0, 1).reshape(size, -1)
            shares = np.bincount(reports[:, place], chances, size).astype(float)
            found[name] = AlikeIntervals.of(values, shares, cells[name])
    return found
