"""The most likely shares: always a distribution.

`maximise_likelihood` fits a whole table, `maximise_sparse_likelihood` only the truths that could
have been reported. With noise on numbers, `reconstruct` stops before the maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from confide.arrays import Array, Codes
from confide.crowd._intervals import ShareIntervals, TableIntervals
from confide.crowd._inverse import make_cell_test
from confide.crowd._profile_intervals import MOST_CELLS, ProfileIntervals
from confide.crowd._score_test import MADE_UP, Sample
from confide.crowd._shares import estimate_shares, require_somebody, weigh_samples
from confide.crowd._subpopulation import Subpopulation, conditional
from confide.crowd.table import Table
from confide.errors import QueryError
from confide.estimators.bootstrap import draw_replicates
from confide.estimators.expectation_maximisation import ReportedTable, maximise_likelihood
from confide.estimators.merged_intervals import choose_intervals, has_noisy_number
from confide.estimators.profile_likelihood import Profile
from confide.estimators.reconstruction import reconstruct
from confide.estimators.sparse_likelihood import maximise_sparse_likelihood
from confide.estimators.table_channel import DENSE_CELLS
from confide.estimators.weight_moments import MadeUpMoments, TableMoments


def fit_table(people: Subpopulation, names: list[str]) -> Table:
    """The most likely table; with noise on numbers, the reconstructed one."""
    axes = [*people.within, *names]
    if not people.can_keep(axes):
        raise QueryError(
            f"the likelihood of {', '.join(axes)} needs {people.table_size(axes):,} cells; "
            f"at most {DENSE_CELLS:,} are possible. Ask for fewer questions."
        )
    noise = any(has_noisy_number(batch.design, axes) for batch in people.batches)
    observed = people.list_reported_tables(
        axes, choose_intervals(people.design, axes, people.n) if noise else {}
    )
    fixed = people.locate(observed[0])
    truth = _fit(observed)
    require_somebody(float(truth[fixed].sum()))
    values = conditional(truth, fixed)
    errors = _standard_errors(people, observed, truth, names)
    grids = {name: axis.grid for name, axis in observed[0].channel.merged.items()}
    return Table(
        people.design,
        tuple(names),
        values,
        errors,
        **people.size(float(truth[fixed].sum())),
        method="likelihood",
        grids=grids,
        intervals=_make_intervals(people, observed, names, values, errors),
    )


def _make_intervals(
    people: Subpopulation,
    observed: list[ReportedTable],
    names: list[str],
    values: Array,
    errors: Array,
) -> TableIntervals | None:
    """Make the shares' intervals: by the profile likelihood, of a large table by the score test.

    So are those of people who were not drawn alike. With noise on numbers there are none.
    """
    if not people.invertible(names):
        return None
    alike = all(batch.drawn is None for batch in people.batches)
    if alike and prod(observed[0].channel.shape) <= MOST_CELLS:
        batches = [(each.channel, each.shares * each.n) for each in observed]
        return ProfileIntervals(Profile.of(batches, people.locate(observed[0])), values, errors)
    return ShareIntervals(make_cell_test(people, names, "precision"), values)


def _standard_errors(
    people: Subpopulation, observed: list[ReportedTable], truth: Array, names: list[str]
) -> Array:
    """The standard errors of the most likely shares; shares in [0, 1] vary by ½ at most."""
    fixed = people.locate(observed[0])
    if people.invertible(names) and any(batch.drawn for batch in people.batches):
        # to first order those of the inverse, as the people were drawn
        errors = estimate_shares(make_cell_test(people, names, "precision"))[1]
    elif len(observed) == 1 and observed[0].channel.invertible:
        # At the maximum the information is that of the saturated table, whose inverse is the
        # inverse estimator's covariance with the fitted reports in place of the observed.
        (batch,) = observed
        fitted = TableMoments(batch.channel, batch.channel.apply(truth), fixed)
        made_up = MadeUpMoments(people.design, {}, people.within, names)
        errors = estimate_shares(weigh_samples([Sample(fitted, made_up, batch.n)], "size"))[1]
    else:
        drawn = draw_replicates(observed, truth, lambda batches: _fit(batches, truth))
        errors = np.std([conditional(each, fixed) for each in drawn], axis=0, ddof=1)
    least = 1 / (people.n + MADE_UP)  # one person more or less, where no replicate differs
    return np.where(errors > 0, errors, least).clip(max=0.5)


def fit_cells(people: Subpopulation, names: list[str]) -> tuple[Codes, Array]:
    """The combinations of answers with a positive likelihood estimate, and their shares."""
    axes = [*people.within, *names]
    if not people.can_keep(axes):
        return maximise_sparse_likelihood(people.batches, axes, people.within)
    table = _fit(people.list_reported_tables(axes))[tuple(people.within.values())]
    cells = np.argwhere(table > 0)
    return cells, table[tuple(cells.T)]


def _fit(batches: Sequence[ReportedTable], near: Array | None = None) -> Array:
    """The likelihood estimate; with noise on numbers, stopped before it follows every report."""
    if not all(batch.channel.invertible for batch in batches):
        return reconstruct(batches)
    return maximise_likelihood(batches, None if near is None else (near + 1 / near.size) / 2)
