"""The information about parameters, in coordinates in which each has the same unit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array

PART_OF_A_DIRECTION = 1e-3
"""Of a unit vector: a smaller component is rounding."""

_ROUNDING = 1e-14
"""Of the information in units of each parameter's own: what is less is rounding."""


def scale_of(information: Array) -> Array:
    """How much information there is about each parameter, as the inverse of a standard error."""
    return np.sqrt(np.maximum(np.abs(np.diag(information)), np.finfo(float).tiny))


def whiten(information: Array) -> Array:
    """Find a matrix R with RRᵀ the inverse of the information, in the directions that are known."""
    scale, values, vectors = _decompose(information)
    roots = np.where(values > _ROUNDING, np.maximum(values, _ROUNDING) ** -0.5, 0.0)
    return np.asarray((vectors * roots) @ vectors.T / scale[:, None])


def invert_information(information: Array) -> tuple[Array, NDArray[np.bool_]]:
    """Invert the information in the directions that are known, and tell which parameters are lost.

    Where the likelihood bends nowhere down, as along a coefficient that runs away, there is no
    variance: the parameters that lie in such a direction are lost.
    """
    scale, values, vectors = _decompose(information)
    known = values > _ROUNDING
    with np.errstate(over="ignore"):
        inverse = (vectors[:, known] / values[known]) @ vectors[:, known].T / np.outer(scale, scale)
    lost = (np.abs(vectors[:, ~known]) > PART_OF_A_DIRECTION).any(axis=1)
    lost |= ~np.isfinite(np.diag(inverse))
    return np.where(np.isfinite(inverse), inverse, 0.0), lost


def blank(covariance: Array, lost: NDArray[np.bool_]) -> Array:
    """Give no variance, NaN, to the parameters that are lost, and no covariance."""
    kept = np.where(lost[:, None] | lost, 0.0, covariance)
    kept[lost, lost] = np.nan
    return np.asarray(kept)


def _decompose(information: Array) -> tuple[Array, Array, Array]:
    scale = scale_of(information)
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    return scale, values, vectors
