"""Degrees of freedom of coefficients beside a random intercept.

What is the same for all people of a group, the intercept among it, is told by the groups alone,
however many people each has: by as many degrees of freedom as there are groups, less what else is
fitted to them. Coefficients of what differs within groups are told by people, of whom there are
many (the between–within rule of Schluchter and Elashoff 1990).
"""

from __future__ import annotations

from math import inf

import numpy as np

from confide.arrays import Array
from confide.regression.newton import Objective
from confide.regression.random_intercept import GroupedLikelihood


def count_between(groups: Objective, parameters: int) -> Array | None:
    """Count the degrees of freedom of each parameter; infinitely many where people tell it.

    None where there is no random intercept.
    """
    if not isinstance(groups, GroupedLikelihood):
        return None
    columns = np.moveaxis(groups.rows.matrices, 1, 0)  # (rows, cells, columns)
    many = len(groups.middles)
    firsts = np.unique(groups.groups, return_index=True)[1]
    first = columns[firsts, :1][groups.groups]  # what another person of the same group has
    same = np.asarray(np.isclose(columns, first, rtol=1e-9, atol=1e-12).all(axis=(0, 1)))
    found = np.full(parameters, inf)
    found[: len(same)][same] = max(many - int(same.sum()), 1)
    return found
