"""What few clusters say about coefficients: a variance without their pull, and how sure it is.

Their parts in the information are matrices here (`confide.counts.cluster_pull`). For a predictor
that varies between clusters only the degrees of freedom are fewer than the clusters, and each
coefficient has its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes
from confide.counts.cluster_pull import average_strata, count_freedom, stretch_strata
from confide.counts.drawn_sample import DrawnSample
from confide.regression.information import PART_OF_A_DIRECTION, scale_of, whiten
from confide.regression.regression_likelihood import Likelihood

_NOTHING_LEFT = 1e-6
"""Of the information in a direction: no other cluster tells about it."""

_THREE_ERRORS = ((-(3**0.5), 1 / 6), (0.0, 2 / 3), (3**0.5, 1 / 6))
"""Values and chances with the first five moments of a normal distribution."""


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
        The inverse of the information that all reports gave.
    channels : iterable of arrays of shape (rows, outcomes × cells)
        M[report, truth] of every report that could have come in.
    """
    assert drawn.clusters is not None
    sizes = np.bincount(drawn.clusters)
    members = np.split(np.argsort(drawn.clusters, kind="stable"), np.cumsum(sizes)[:-1])
    strata = drawn.strata[[rows_of[0] for rows_of in members]]
    information = _inform(rows, params, members, channels)
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
    # of a number with disguised predictors only the observed information says how much is told
    back = bread @ information.sum(axis=0) @ root if rows.family.continuous else root
    pulls = _stretch(np.sqrt(more * (1 - drawn.fractions[strata])), back @ lift)
    lost = (root @ vectors).transpose(0, 2, 1)[~told] * scale_of(information.sum(axis=0))
    size = np.linalg.norm(lost, axis=1, keepdims=True)
    alone = (np.abs(lost) > PART_OF_A_DIRECTION * size).any(axis=0)
    return FewClusters(np.einsum("gij,gj->gi", pulls, apart), pulls, parts, strata, alone)


def _inform(
    rows: Likelihood, params: Array, members: list[Codes], channels: Iterable[Array]
) -> Array:
    """The information that each cluster is expected to give: on average the squares of scores.

    What its own reports happen to give is less than nothing in many a cluster, where they hardly
    tell; then few clusters would seem to tell all.
    """
    found = np.zeros((len(members), len(params), len(params)))
    for reports, chance in _imagine_reports(rows, params, channels):
        scores, often = reports.evaluate(params).scores, (rows.counts * chance)[:, None]
        found += [(scores[each] * often[each]).T @ scores[each] for each in members]
    return found


def _imagine_reports(
    rows: Likelihood, params: Array, channels: Iterable[Array]
) -> Iterator[tuple[Likelihood, Array]]:
    """Every report that could have come in, with its chance in each row.

    The outcome of a linear regression stands for all values by three that have the moments of its
    errors. How clusters share what is told is taken there as if no predictor were disguised.
    """
    if not rows.family.continuous:
        for channel in channels:
            told = channel.reshape(rows.channel.shape)
            there = told.sum(axis=(1, 2)) > 0
            reports = replace(rows, channel=np.where(there[:, None, None], told, rows.channel))
            yield reports, there * np.exp(reports.log_rows(params))
        return
    shares = np.exp(rows.cell_shares(params))
    for cell, share in enumerate(shares.T):
        mean, log_scale = rows.linear_predictors(params, cell).T
        known = np.broadcast_to(np.arange(rows.cells) == cell, rows.channel.shape).astype(float)
        for error, chance in _THREE_ERRORS:
            outcome = mean + np.exp(log_scale) * error
            yield replace(rows, channel=known, outcome=outcome), share * chance


def _stretch(factors: Array, matrices: Array) -> Array:
    return np.asarray(factors[:, None, None] * matrices)
