"""How far chance moves the coefficients: five ways to say it."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from confide.arrays import Array, Codes
from confide.counts.drawn_sample import DrawnSample
from confide.errors import QueryError
from confide.regression.regression_likelihood import EvaluatedLikelihood

CovarianceKind = Literal["nonrobust", "opg", "robust", "cluster", "linearised"]


def check_kind(kind: str) -> None:
    """Refuse a kind of covariance that does not exist."""
    if kind not in get_args(CovarianceKind):
        raise QueryError(
            f"cov_type must be one of {', '.join(map(repr, get_args(CovarianceKind)))}. "
            f"Got {kind!r}."
        )


def covariance(
    peak: EvaluatedLikelihood,
    kind: CovarianceKind,
    clusters: Codes | None = None,
    drawn: DrawnSample | None = None,
) -> Array:
    """The covariance of the estimated parameters.

    Parameters
    ----------
    peak : EvaluatedLikelihood
        The log-likelihood where it is highest.
    kind : {"nonrobust", "opg", "robust", "cluster", "linearised"}
        The inverse of the observed information; of the scores' outer product, as R's rr prints;
        the sandwich of both, which holds where the family is not quite right; or the sandwich with
        scores added up within clusters, times G/(G − 1) for G clusters; or the sandwich with the
        variance that the sum of the scores has as the people were drawn (Binder 1983).
    clusters : integer array, optional
        The cluster of each row.
    drawn : DrawnSample, optional
        How the people behind the rows were drawn.
    """
    if kind == "opg":
        return _invert(peak.outer_product)
    bread = _invert(-peak.hessian)
    if kind == "nonrobust":
        return bread
    if drawn is not None:
        meat = peak.counts.sum() ** 2 * drawn.covariance(peak.scores.T)
    else:
        meat = peak.outer_product if clusters is None else _between(peak, clusters)
    return bread @ meat @ bread


def _between(peak: EvaluatedLikelihood, clusters: Codes) -> Array:
    size = int(clusters.max()) + 1
    if size < 2:
        raise QueryError("clusters must be at least two: from one nobody can tell how they differ.")
    sums = np.zeros((size, peak.scores.shape[1]))
    np.add.at(sums, clusters, peak.scores * peak.counts[:, None])
    return size / (size - 1) * sums.T @ sums


def _invert(information: Array) -> Array:
    """The inverse of a symmetric matrix, in scaled coordinates; NaN where it says nothing."""
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    if values[0] <= 0:
        return np.full(information.shape, np.nan)
    return (vectors / values) @ vectors.T / np.outer(scale, scale)
