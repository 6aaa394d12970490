"""How far chance moves the coefficients: five ways to say it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal, TypeGuard, get_args

import numpy as np

from confide.arrays import Array
from confide.counts.cluster_pull import MOST_CLUSTERS
from confide.counts.drawn_sample import DrawnSample
from confide.counts.sample_columns import SampleColumns
from confide.errors import QueryError
from confide.regression.between_groups import count_between
from confide.regression.expected_information import expect_information
from confide.regression.few_clusters import compare_clusters
from confide.regression.information import invert_information
from confide.regression.newton import Objective
from confide.regression.regression_likelihood import Likelihood
from confide.regression.spread import Spread

CovarianceKind = Literal["nonrobust", "opg", "robust", "cluster", "linearised"]


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


def find_spread(
    objective: Objective,
    params: Array,
    kind: CovarianceKind,
    drawn: DrawnSample,
    channels: Callable[[], Iterable[Array]],
    disguise: Array | float = 0.0,
) -> Spread:
    """Find how far chance moves the parameters.

    Parameters
    ----------
    objective : Objective
        The log-likelihood.
    params : array
        Where it is highest.
    kind : {"nonrobust", "opg", "robust", "cluster", "linearised"}
        The inverse of the observed information; of the scores' outer product, as R's rr prints;
        the sandwich of the second and the expected information, as R's sandwich has it, which holds
        where the family is not quite right; or the sandwich with scores added up within clusters,
        each with its pull on the fit taken out; or the sandwich with the variance that the sum of
        the scores has as the people were drawn (Binder 1983).
    drawn : DrawnSample
        How the people behind the rows, or the groups of people, were drawn.
    channels : callable
        Gives M[report, truth] of every report that could have come in.
    disguise : array
        The variance that the disguise alone gives to the mean of the scores, as far as a finite
        population takes it away.
    """
    peak = objective.evaluate(params)
    between = count_between(objective, len(params))
    if kind == "opg":
        return Spread(*invert_information(peak.outer_product), between=between)
    bread, lost = invert_information(-peak.hessian)
    if kind == "nonrobust":
        return Spread(bread, lost, between=between)
    if isinstance(objective, Likelihood) and not objective.family.continuous:
        everyone = [np.arange(len(peak.counts))]
        (expected,) = expect_information(objective, params, everyone, channels())
        bread, _ = invert_information(expected)
    if kind == "robust":
        return Spread(bread @ peak.outer_product @ bread, lost, between=between)
    n = peak.counts.sum()
    added = bread @ np.multiply(n**2, disguise) @ bread if np.ndim(disguise) else 0.0
    if _has_few_clusters(objective, drawn):
        scores = peak.scores * peak.counts[:, None]
        clusters = compare_clusters(objective, params, drawn, scores, bread, channels())
        return Spread(clusters.covariance + added, lost | clusters.alone, drawn.freedom, clusters)
    meat = n**2 * drawn.covariance(peak.scores.T, known=1.0)
    return Spread(bread @ meat @ bread + added, lost, drawn.freedom, between=between)


def _has_few_clusters(objective: Objective, drawn: DrawnSample) -> TypeGuard[Likelihood]:
    return (
        isinstance(objective, Likelihood)
        and drawn.clusters is not None
        and drawn.units.sum() <= MOST_CLUSTERS
    )
