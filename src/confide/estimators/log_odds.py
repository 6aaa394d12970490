"""Distributions by their log odds: moved, and the standard errors that a curvature there gives.

A model is a list of arrays whose rows are distributions. Its free numbers are the log odds of each
answer against the first of its row, row by row: they may be any numbers, and near a peak of the
likelihood they are more nearly normal than probabilities are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from confide.arrays import Array

Rows = Sequence[Array]
"""Arrays of shape (rows, answers); each row is a distribution."""

_APART = 1e-4  # how far from the peak a curvature is measured, in standard errors of clear answers
_FLATTEST = 1e-9  # a curvature as small as this is rounding: such a direction is not known at all


def add_to_log_odds(rows: Rows, step: Array) -> list[Array]:
    """Give the distributions whose log odds differ by a step."""
    moved = []
    for array, change in zip(rows, split_log_odds(rows, step), strict=True):
        logs = np.log(array)
        logs[:, 1:] += change
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        moved.append(chances / chances.sum(axis=1, keepdims=True))
    return moved


def split_log_odds(rows: Rows, numbers: Array) -> list[Array]:
    """Cut numbers, one for each log odds, into an array for each array of rows."""
    ends = np.cumsum([array[:, 1:].size for array in rows])[:-1]
    parts = np.split(numbers, ends)
    return [part.reshape(len(array), -1) for part, array in zip(parts, rows, strict=True)]


def find_covariance(rows: Rows, gradient: Callable[[Rows], Array], scale: Array) -> Array:
    """Find the covariance of the estimated log odds: the inverse of the observed information.

    Parameters
    ----------
    rows : sequence of arrays
        The distributions at a peak of the likelihood.
    gradient : callable
        From distributions to the derivative of the log-likelihood by each log odds.
    scale : array
        One over the standard error of each log odds if nothing were hidden.

    Returns
    -------
    array of shape (log odds, log odds)
        Enormous in directions of which the reports tell nothing.
    """
    information = np.empty((scale.size, scale.size))
    for place, unit in enumerate(np.eye(scale.size)):
        step = _APART * unit / scale
        ahead, behind = (gradient(add_to_log_odds(rows, way * step)) for way in (1, -1))
        information[place] = (behind - ahead) / (2 * _APART) / scale
    values, vectors = np.linalg.eigh((information + information.T) / 2)
    inverse = (vectors / np.maximum(values, _FLATTEST)) @ vectors.T
    return np.asarray(inverse / np.outer(scale, scale))


def find_standard_errors(rows: Rows, covariance: Array) -> list[Array]:
    """Give the standard error of every probability (delta method): shaped like the rows."""
    found, start = [], 0
    for array in rows:
        errors, free = np.zeros_like(array), array.shape[1] - 1
        for row, chances in enumerate(array):
            own = slice(start, start + free)
            slope = (np.diag(chances) - np.outer(chances, chances))[:, 1:]
            errors[row] = np.sqrt(np.einsum("ij,jk,ik->i", slope, covariance[own, own], slope))
            start += free
        found.append(errors)
    return found
