"""The pull of clusters on what is estimated from them, and what it leaves of their variance.

A cluster pulls an estimate to itself, so that it seems to lie near it, the more so the fewer
clusters there are and the larger it is. With K the part that a cluster has in the information of
all, its distance is multiplied by (1 − K)^−½, which takes the pull out (CR2: Bell and McCaffrey
2002). Within a stratum of n clusters they are compared with their mean:

    variance = Σ n/(n − 1) · |(1 − n/(n − 1)·(K − K̄))^−½ (s − s̄)|²,

which is CR2 where there is one stratum, and the usual variance where clusters are equal. Such a
variance is itself uncertain, like a χ² whose degrees of freedom follow from how the clusters share
the information (Satterthwaite 1946).
"""

from __future__ import annotations

import numpy as np

from confide.arrays import Array, Codes

MOST_CLUSTERS = 1_000
"""With more clusters degrees of freedom are not counted: one of them hardly pulls."""


def stretch_strata(strata: Codes) -> Array:
    """n/(n − 1) for each cluster of a stratum of n; 1 where it is alone in it."""
    many = np.bincount(strata)[strata].astype(float)
    return np.where(many > 1, many / np.maximum(many - 1, 1), 1.0)


def average_strata(values: Array, strata: Codes) -> Array:
    """The mean of each cluster's stratum; 0, the mean of all, for one that is alone in it."""
    many = np.bincount(strata)
    sums = np.zeros((len(many), *values.shape[1:]))
    np.add.at(sums, strata, values)
    means = (sums.T / many).T
    means[many == 1] = 0.0
    return np.asarray(means[strata])


def count_freedom(weights: Array, parts: Array, strata: Codes) -> float:
    """Count the degrees of freedom of the variance of one number.

    With Ω the covariance that the clusters' parts in it would have, if people were independent,
    they are (tr Ω)² / tr Ω².

    Parameters
    ----------
    weights : array of shape (clusters, parameters)
        What the scores of each cluster count for.
    parts : array of shape (clusters, parameters, parameters)
        The part of each cluster in the information of all.
    strata : integer array
        The stratum of each cluster.
    """
    many = np.bincount(strata)[strata].astype(float)
    same = (strata[:, None] == strata) & (many > 1)
    seen = np.einsum("gij,gj->gi", parts, weights)
    middle = np.einsum("gij,gj->gi", average_strata(parts, strata), weights)
    crossed = seen @ weights.T
    both = middle @ weights.T - crossed - crossed.T
    spread = np.diag(np.diag(crossed)) + same * both / many - (seen - middle) @ (seen - middle).T
    square = float((spread**2).sum())
    return float(np.trace(spread)) ** 2 / square if square > 0 else 1.0
