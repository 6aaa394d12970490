"""How the people behind the rows of a regression were drawn."""

from __future__ import annotations

import numpy as np

from confide.arrays import Codes
from confide.counts.drawn_sample import DrawnSample
from confide.errors import QueryError
from confide.regression.rows import Rows
from confide.regression.variables import Variables, number_groups


def draw_rows(
    rows: Rows, variables: Variables, keep: Codes, strata: str | None, clusters: str | None
) -> DrawnSample:
    """Tell how the people of the rows to keep were drawn, from the columns that say so."""
    reports = rows.counts[keep].astype(np.int64)
    stratum = np.zeros(len(reports), np.intp)
    if strata is not None:
        stratum = number_groups(variables.value(strata)[keep])
    cluster = None
    if clusters is not None:
        names = number_groups(variables.value(clusters)[keep])
        # clusters of two strata may have the same name
        cluster = number_groups(stratum * (int(names.max()) + 1) + names)
        if cluster.max() < 1:
            raise QueryError(
                "clusters must be at least two: from one nobody can tell how they differ."
            )
    unknown = np.zeros(int(stratum.max()) + 1)
    return DrawnSample(reports, rows.weights[keep], rows.squares[keep], stratum, cluster, unknown)
