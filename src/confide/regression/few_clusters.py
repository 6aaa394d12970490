"""What few clusters say about coefficients: a variance without their pull, and how sure it is.

Their parts in the information are matrices here (`confide.counts.cluster_pull`). For a predictor
that varies between clusters only the degrees of freedom are fewer than the clusters, and each
coefficient has its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes
from confide.counts.cluster_pull import average_strata, count_freedom, stretch_strata
from confide.counts.drawn_sample import DrawnSample
from confide.regression.expected_information import expect_information
from confide.regression.information import PART_OF_A_DIRECTION, scale_of, whiten
from confide.regression.regression_likelihood import Likelihood

_NOTHING_LEFT = 1e-6
"""Of the information in a direction: no other cluster tells about it."""


@dataclass(frozen=True, eq=False)
class FewClusters:
    """By how much each cluster moves the parameters, with its pull taken out.

    Parameters
    ----------
    moves : array of shape (clusters, parameters)
        The moves; the variance of the parameters is the sum of their squares.
    pulls : array of shape (clusters, parameters, parameters)
        What the scores of each cluster were multiplied by.
    parts : array of shape (clusters, parameters, parameters)
        The part of each cluster in the information of all, which is the unit.
    strata : integer array
        The stratum of each cluster.
    alone : array of bool
        The parameters of which one cluster alone tells.
    """

    moves: Array
    pulls: Array
    parts: Array
    strata: Codes
    alone: NDArray[np.bool_]

    @property
    def covariance(self) -> Array:
        """The covariance of the parameters."""
        return np.asarray(self.moves.T @ self.moves)

    def count_freedom(self, gradient: Array) -> float:
        """Count the degrees of freedom of the variance of one number.

        Parameters
        ----------
        gradient : array
            The derivatives of the number in the parameters.
        """
        weights = np.einsum("gij,i->gj", self.pulls, gradient)
        return count_freedom(weights, self.parts, self.strata)


def compare_clusters(
    rows: Likelihood,
    params: Array,
    drawn: DrawnSample,
    scores: Array,
    bread: Array,
    channels: Iterable[Array],
) -> FewClusters:
    """Compare the clusters by their scores at the peak.

    Parameters
    ----------
    rows : Likelihood
        The reports.
    params : array
        The peak.
    drawn : DrawnSample
        How the people behind the rows were drawn.
    scores : array of shape (rows, parameters)
        Each row's gradient, as often as it was reported.
    bread : array of shape (parameters, parameters)
        The inverse of the information of all reports, as they gave it or as is expected of them.
    channels : iterable of arrays of shape (rows, outcomes × cells)
        M[report, truth] of every report that could have come in.
    """
    assert drawn.clusters is not None
    sizes = np.bincount(drawn.clusters)
    members = np.split(np.argsort(drawn.clusters, kind="stable"), np.cumsum(sizes)[:-1])
    strata = drawn.strata[[rows_of[0] for rows_of in members]]
    information = expect_information(rows, params, members, channels)
    sums = np.stack([scores[each].sum(axis=0) for each in members])
    root = whiten(information.sum(axis=0))
    parts = root.T @ information @ root
    apart = (sums - average_strata(sums, strata)) @ root
    more = stretch_strata(strata)
    left = np.eye(len(params)) - _stretch(more, parts - average_strata(parts, strata))
    values, vectors = np.linalg.eigh(left)
    told = values > _NOTHING_LEFT
    powers = np.where(told, np.maximum(values, _NOTHING_LEFT) ** -0.5, 0.0)
    lift = np.einsum("gij,gj,gkj->gik", vectors, powers, vectors)
    back = bread @ information.sum(axis=0) @ root  # root itself, where bread is as expected
    pulls = _stretch(np.sqrt(more * (1 - drawn.fractions[strata])), back @ lift)
    lost = (root @ vectors).transpose(0, 2, 1)[~told] * scale_of(information.sum(axis=0))
    size = np.linalg.norm(lost, axis=1, keepdims=True)
    alone = (np.abs(lost) > PART_OF_A_DIRECTION * size).any(axis=0)
    return FewClusters(np.einsum("gij,gj->gi", pulls, apart), pulls, parts, strata, alone)


def _stretch(factors: Array, matrices: Array) -> Array:
    return np.asarray(factors[:, None, None] * matrices)
