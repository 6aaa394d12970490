"""How the people behind the rows of a regression were drawn, and what each counts for."""

from __future__ import annotations

import numpy as np

from confide.arrays import Array, Codes
from confide.counts.drawn_sample import DrawnSample
from confide.counts.sample_columns import SampleColumns, read_population
from confide.errors import QueryError
from confide.regression.rows import Rows
from confide.regression.variables import Variables, number_groups


def draw_rows(rows: Rows, variables: Variables, keep: Codes, plan: SampleColumns) -> DrawnSample:
    """Tell how the people of the rows to keep were drawn, from the columns that say so."""
    reports = rows.counts[keep].astype(np.int64)
    stratum = np.zeros(len(reports), np.intp)
    labels: list[object] = [None]
    if plan.strata is not None:
        stratum = number_groups(variables.value(plan.strata)[keep])
        first = np.flatnonzero(keep)[np.unique(stratum, return_index=True)[1]]
        labels = [variables.columns[plan.strata][int(row)].as_py() for row in first]
    cluster = None
    if plan.clusters is not None:
        names = number_groups(variables.value(plan.clusters)[keep])
        # clusters of two strata may have the same name
        cluster = number_groups(stratum * (int(names.max()) + 1) + names)
        if cluster.max() < 1:
            raise QueryError(
                "clusters must be at least two: from one nobody can tell how they differ."
            )
    people = np.bincount(stratum, reports).astype(float)
    fractions, population = read_population(plan, labels, people)
    return DrawnSample(
        reports, rows.weights[keep], rows.squares[keep], stratum, cluster, fractions, population
    )


def draw_groups(drawn: DrawnSample, groups: Codes) -> DrawnSample:
    """Tell how groups were drawn, each with an intercept of its own, from how their rows were."""
    first = np.unique(groups, return_index=True)[1]
    for name, units in (("stratum", drawn.strata), ("cluster", drawn.clusters)):
        if units is not None and (units != units[first][groups]).any():
            raise QueryError(
                f"a group of random_intercept must lie within one {name}, and one lies in several."
            )
    clusters = None if drawn.clusters is None else drawn.clusters[first]
    ones = np.ones(len(first))
    return DrawnSample(
        ones.astype(np.int64), ones, ones, drawn.strata[first], clusters, drawn.fractions
    )


def scale_weights(rows: Rows, keep: Codes, groups: Codes | None) -> Array:
    """Give weights that add up to the number of reports, or to what those of a group are worth.

    A group with an intercept of its own counts once, however many people it stands for. Its weights
    add up to as many reports of equal weight as would tell as much, (Σw)²/Σw²: a larger sum would
    make its intercept look surer than it is, and so the groups more different than they are
    (Pfeffermann and others 1998, Rabe-Hesketh and Skrondal 2006).
    """
    weights, counts = rows.weights[keep], rows.counts[keep]
    if groups is None:
        return np.asarray(weights * (counts.sum() / weights.sum()))
    sums, squares = (np.bincount(groups, each) for each in (weights, rows.squares[keep]))
    scaled = weights * (sums / squares)[groups]
    if not np.ptp(weights / counts) == 0 and np.allclose(scaled, counts):
        raise QueryError(
            "weights do not differ within the groups of random_intercept, and count only there. To "
            "weigh the groups themselves, give clusters= in place of random_intercept=."
        )
    return np.asarray(scaled)
