"""How far chance moves the parameters of a regression, and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isinf
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array
from confide.regression.few_clusters import FewClusters
from confide.regression.information import blank


@dataclass(frozen=True, eq=False)
class Spread:
    """The covariance of the parameters, and the quantiles that go with it.

    Parameters
    ----------
    known : array
        The covariance, in the directions in which the reports tell anything.
    lost : array of bool
        The parameters that have no variance.
    freedom : float
        The degrees of freedom that the way of drawing leaves: quantiles are Student's, unless there
        are infinitely many.
    clusters : FewClusters, optional
        What few clusters leave of them, for one coefficient less than for another.
    between : array, optional
        What the groups of a random intercept leave to each parameter.
    """

    known: Array
    lost: NDArray[np.bool_]
    freedom: float = inf
    clusters: FewClusters | None = None
    between: Array | None = None

    @property
    def covariance(self) -> Array:
        """The covariance of the parameters; NaN where there is no variance."""
        return blank(self.known, self.lost)

    @property
    def alone(self) -> NDArray[np.bool_]:
        """The parameters of which one cluster alone tells."""
        return np.zeros_like(self.lost) if self.clusters is None else self.clusters.alone

    def count_freedom(self, gradients: Array) -> Array:
        """Count the degrees of freedom of numbers with these derivatives in the parameters."""
        if self.between is not None:
            told = np.where(gradients != 0, self.between, inf).min(axis=1)
            return np.minimum(told, self.freedom)
        if self.clusters is None:
            return np.full(len(gradients), self.freedom)
        found = [self.clusters.count_freedom(gradient) for gradient in gradients]
        return np.clip(found, 1.0, self.freedom)

    def find_errors(self, gradients: Array) -> Array:
        """Find the standard errors of numbers with these derivatives in the parameters."""
        squares = np.einsum("ij,jk,ik->i", gradients, self.known, gradients)
        return np.sqrt(np.maximum(squares, 0.0))


def find_quantiles(level: float, freedom: Array) -> Array:
    """Find the quantile of estimates in standard errors: normal, or Student's."""
    from scipy.special import stdtrit

    normal = NormalDist().inv_cdf(level)
    return np.array([normal if isinf(each) else float(stdtrit(each, level)) for each in freedom])


def find_p_values(statistics: Array, freedom: Array) -> Array:
    """Find two-sided p-values of estimates in standard errors."""
    from scipy.special import ndtr, stdtr

    below = -np.abs(statistics)
    return np.asarray(2 * np.where(np.isinf(freedom), ndtr(below), stdtr(freedom, below)))
