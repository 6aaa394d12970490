"""What few clusters say about coefficients: a variance without their pull, and how sure it is.

A cluster pulls the fit to itself, so that its scores come out too small, the more so the fewer
clusters there are and the more a coefficient rests on one of them. With K the part that a cluster
has in the information of all, its scores are multiplied by (1 − K)^−½, which takes the pull out
(CR2: Bell and McCaffrey 2002). Within a stratum of n clusters they are compared with their mean:

    variance = Σ n/(n − 1) · |(1 − n/(n − 1)·(K − K̄))^−½ (s − s̄)|²,

which is CR2 where there is one stratum. Such a variance is itself uncertain, like a χ² whose
degrees of freedom follow from how the clusters share the information (Satterthwaite 1946): for a
predictor that varies between clusters only they are fewer than the clusters, and each coefficient
has its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Codes
from confide.counts.drawn_sample import DrawnSample
from confide.regression.information import PART_OF_A_DIRECTION, scale_of, whiten
from confide.regression.regression_likelihood import Likelihood

MOST_CLUSTERS = 1_000
"""With more clusters the plain sandwich is taken: one of them hardly pulls."""
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

        With Ω the covariance that the moves of the clusters would have, if people were independent
        and the family were right, they are (tr Ω)² / tr Ω².

        Parameters
        ----------
        gradient : array
            The derivatives of the number in the parameters.
        """
        many, same = _share_strata(self.strata)
        weights = np.einsum("gij,i->gj", self.pulls, gradient)
        seen = np.einsum("gij,gj->gi", self.parts, weights)
        middle = np.einsum("gij,gj->gi", _average(self.parts, same, many), weights)
        crossed = seen @ weights.T
        both = middle @ weights.T - crossed - crossed.T
        spread = (
            np.diag(np.diag(crossed)) + same * both / many - (seen - middle) @ (seen - middle).T
        )
        square = float((spread**2).sum())
        return float(np.trace(spread)) ** 2 / square if square > 0 else 1.0


def compare_clusters(
    rows: Likelihood, params: Array, drawn: DrawnSample, scores: Array
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
    """
    assert drawn.clusters is not None
    sizes = np.bincount(drawn.clusters)
    members = np.split(np.argsort(drawn.clusters, kind="stable"), np.cumsum(sizes)[:-1])
    strata = drawn.strata[[rows_of[0] for rows_of in members]]
    information = _inform(rows, params, members)
    sums = np.stack([scores[each].sum(axis=0) for each in members])
    root = whiten(information.sum(axis=0))
    parts = root.T @ information @ root
    many, same = _share_strata(strata)
    apart = (sums - _average(sums, same, many)) @ root
    more = np.where(many > 1, many / np.maximum(many - 1, 1), 1.0)
    left = np.eye(len(params)) - _stretch(more, parts - _average(parts, same, many))
    values, vectors = np.linalg.eigh(left)
    told = values > _NOTHING_LEFT
    powers = np.where(told, np.maximum(values, _NOTHING_LEFT) ** -0.5, 0.0)
    lift = np.einsum("gij,gj,gkj->gik", vectors, powers, vectors)
    pulls = _stretch(np.sqrt(more * (1 - drawn.fractions[strata])), root @ lift)
    lost = (root @ vectors).transpose(0, 2, 1)[~told] * scale_of(information.sum(axis=0))
    size = np.linalg.norm(lost, axis=1, keepdims=True)
    alone = (np.abs(lost) > PART_OF_A_DIRECTION * size).any(axis=0)
    return FewClusters(np.einsum("gij,gj->gi", pulls, apart), pulls, parts, strata, alone)


def _inform(rows: Likelihood, params: Array, members: list[Codes]) -> Array:
    """The information of each cluster.

    What the scale of a linear regression has in common with its coefficients is chance: nothing,
    where all is clear. Clusters share it by their sizes.
    """
    found = np.stack([-rows.keep(each).evaluate(params).hessian for each in members])
    if not rows.family.continuous:
        return found
    scale = np.zeros(len(params), bool)
    scale[rows.slices[1]] = True
    sizes = np.array([rows.counts[each].sum() for each in members]) / rows.counts.sum()
    return np.where(scale[:, None] ^ scale, sizes[:, None, None] * found.sum(axis=0), found)


def _share_strata(strata: Codes) -> tuple[Array, NDArray[np.bool_]]:
    """How many clusters the stratum of each has, and which are compared with which mean.

    The cluster of a stratum of one is compared with the mean of all, which is 0.
    """
    many = np.bincount(strata)[strata].astype(float)
    return many, (strata[:, None] == strata) & (many > 1)


def _average(values: Array, same: NDArray[np.bool_], many: Array) -> Array:
    """The mean of each cluster's stratum."""
    return np.einsum("gh,h...->g...", same / many, values)


def _stretch(factors: Array, matrices: Array) -> Array:
    return np.asarray(factors[:, None, None] * matrices)
