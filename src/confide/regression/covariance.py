"""How far chance moves the coefficients: five ways to say it."""

from __future__ import annotations

from dataclasses import replace
from math import isinf
from statistics import NormalDist
from typing import Literal, get_args

import numpy as np

from confide.arrays import Array
from confide.counts.drawn_sample import DrawnSample
from confide.counts.sample_columns import SampleColumns
from confide.errors import QueryError
from confide.regression.regression_likelihood import EvaluatedLikelihood

CovarianceKind = Literal["nonrobust", "opg", "robust", "cluster", "linearised"]

_PART_OF_A_DIRECTION = 1e-3
"""Of a unit vector: a smaller component is rounding."""


def choose_kind(kind: CovarianceKind | None, plan: SampleColumns) -> CovarianceKind:
    """Choose the kind of covariance: the one asked for, or what the sample asks for."""
    clusters = plan.clusters is not None
    if replace(plan, clusters=None).given:
        if kind not in (None, "linearised"):
            raise QueryError(
                'with weights, strata or a population standard errors are "linearised": leave '
                f"cov_type out. Got {kind!r}."
            )
        return "linearised"
    if kind == "linearised":
        raise QueryError('cov_type="linearised" needs weights=, strata= or population=.')
    if kind is None:
        return "cluster" if clusters else "nonrobust"
    if kind not in get_args(CovarianceKind):
        raise QueryError(
            f"cov_type must be one of {', '.join(map(repr, get_args(CovarianceKind)))}. "
            f"Got {kind!r}."
        )
    if (kind == "cluster") != clusters:
        raise QueryError('cov_type="cluster" and clusters= go together: give both, or neither.')
    return kind


def covariance(
    peak: EvaluatedLikelihood,
    kind: CovarianceKind,
    drawn: DrawnSample | None = None,
    disguise: Array | float = 0.0,
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
    drawn : DrawnSample, optional
        How the people behind the rows, or the groups of people, were drawn.
    disguise : array
        The variance that the disguise alone gives to the mean of the scores, as far as a finite
        population takes it away.
    """
    if kind == "opg":
        return _invert(peak.outer_product)
    bread = _invert(-peak.hessian)
    if kind == "nonrobust":
        return bread
    meat = peak.outer_product
    if kind in ("cluster", "linearised"):
        assert drawn is not None
        meat = peak.counts.sum() ** 2 * (drawn.covariance(peak.scores.T, known=1.0) + disguise)
    return bread @ meat @ bread


def find_quantile(level: float, freedom: float) -> float:
    """Find the quantile of an estimate in standard errors: normal, or Student's."""
    from scipy.special import stdtrit

    return NormalDist().inv_cdf(level) if isinf(freedom) else float(stdtrit(freedom, level))


def _invert(information: Array) -> Array:
    """The inverse of a symmetric matrix, in scaled coordinates.

    Where the likelihood bends nowhere down, as along a coefficient that runs away, there is no
    variance: NaN for the parameters that lie in such a direction, and nothing for all others.
    """
    scale = np.sqrt(np.maximum(np.abs(np.diag(information)), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    known = values > 0
    with np.errstate(over="ignore"):
        inverse = (vectors[:, known] / values[known]) @ vectors[:, known].T / np.outer(scale, scale)
    lost = (np.abs(vectors[:, ~known]) > _PART_OF_A_DIRECTION).any(axis=1)
    lost |= ~np.isfinite(np.diag(inverse))
    inverse[lost], inverse[:, lost] = 0.0, 0.0
    inverse[lost, lost] = np.nan
    return np.asarray(inverse)
