"""How good a test of one question is: information gain and gini gain, for many nodes at once.

**Negative counts.** An estimated count may be negative. Decided once, here: *a negative count
counts as zero*, in each cell of class × value, before anything is computed from it. So |S_v|,
|S|, the class frequencies and the gain of a test all come from one non-negative table; a gain is
never negative, a branch without a positive count is empty, and a node where a single class has a
positive count is pure. The signed estimates themselves are kept in the nodes, as they are: that of
a branch of several values is their signed sum.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Array, Indices

Criterion = Literal["entropy", "gini"]

_SUBSET_OPTIONS = 10
"""Up to this many options every subset of a choice is tried."""
DIGITS = 12
"""Numbers that agree in so many digits are equal, and the first wins, whatever the rounding."""


@dataclass(frozen=True)
class BestTests:
    """The best test of one question in each node; questions may be stacked before the nodes.

    Parameters
    ----------
    gain : array of shape (nodes,)
        Its gain; −inf where the question cannot split the node.
    branch : integer array of shape (nodes, values)
        The branch of each value.
    """

    gain: Array
    branch: NDArray[np.intp]


def compute_impurity(counts: Array, criterion: Criterion) -> Array:
    """Compute impurity times size, with the classes on the second axis.

    Entropy: Σ_c n_c·log₂(n/n_c), equation (1) of `du-zhan-2003` times |S|. Gini: n − Σ_c n_c²/n.
    """
    total = counts.sum(axis=1)
    if criterion == "gini":
        squares = np.square(counts).sum(axis=1)
        return np.asarray(
            total - np.divide(squares, total, out=np.zeros_like(total), where=total > 0)
        )
    return np.asarray(_plogp(total) - _plogp(counts).sum(axis=1))


def _plogp(counts: Array) -> Array:
    """Compute n·log₂(n), which is 0 where n is."""
    logs = np.log2(counts, out=np.zeros_like(counts), where=counts > 0)
    return np.asarray(counts * logs)


def find_best_multiway(cross: Array, criterion: Criterion) -> BestTests:
    """Find the best test with one branch per value, as ID3 (equation (2) of `du-zhan-2003`).

    ``cross`` holds the estimated counts: (nodes, classes, values).
    """
    counts = cross.clip(0)
    sizes = counts.sum(axis=1)
    apart = compute_impurity(counts, criterion).sum(axis=1)
    gain = _compute_gain(counts.sum(axis=2), apart, criterion)
    splits = np.count_nonzero(sizes, axis=1) > 1
    branch = np.broadcast_to(np.arange(cross.shape[2]), (len(cross), cross.shape[2]))
    return BestTests(np.where(splits, gain, -np.inf), branch)


def find_best_binary(cross: Array, criterion: Criterion, ordered: bool) -> BestTests:
    """Find the best test with two branches: that of CART (`four-group`, section 2.1).

    Every cut of an ordered question; every subset of another one's options, or beyond ten of them
    every cut of the options ordered by the node's commonest class, which for two classes holds
    the best subset (Breiman et al., 1984). ``cross`` is that of `find_best_multiway`.
    """
    counts = cross.clip(0)
    nodes, _, values = counts.shape
    if ordered:
        above = np.cumsum(counts[:, :, :0:-1], axis=2)[:, :, ::-1]
        best, gain = _find_best_parting(counts, above, criterion)
        return BestTests(gain, (np.arange(values) > best[:, None]).astype(np.intp))
    if values <= _SUBSET_OPTIONS:
        order = np.broadcast_to(np.arange(values), (nodes, values))
        second = _list_subsets(values)
    else:
        order, second = _order_by_commonest(counts), _list_cuts(values)
    arranged = np.take_along_axis(counts, order[:, None, :], axis=2)
    best, gain = _find_best_parting(counts, arranged @ second.T, criterion)
    branch = np.empty((nodes, values), np.intp)
    np.put_along_axis(branch, order, second[best], axis=1)
    return BestTests(gain, branch)


def _find_best_parting(counts: Array, right: Array, criterion: Criterion) -> tuple[Indices, Array]:
    """Find the best of some partings in each node, and its gain.

    ``right`` holds by parting what each class has on the right: (nodes, classes, partings).
    """
    total = counts.sum(axis=2)
    left = total[:, :, None] - right
    apart = compute_impurity(left.clip(0), criterion) + compute_impurity(right, criterion)
    gain = _compute_gain(total[:, :, None], apart, criterion)
    nothing = 1e-12 * total.sum(axis=1)[:, None]
    splits = (left.sum(axis=1) > nothing) & (right.sum(axis=1) > nothing)
    gain = np.where(splits, gain, -np.inf)
    best = gain.argmax(axis=1)
    return best, gain[np.arange(len(gain)), best]


def _compute_gain(total: Array, apart: Array, criterion: Criterion) -> Array:
    """Compute by how much tests lower the impurity per person, to digits that are no rounding.

    ``total`` has the counts of each class before a test; ``apart`` is the impurity times size of
    all its branches together.
    """
    size = total.sum(axis=1)
    drop = compute_impurity(total, criterion) - apart
    gain = np.divide(drop, size, out=np.zeros_like(drop), where=size > 0)
    return np.asarray(np.round(gain, DIGITS) + 0.0)


@cache
def _list_cuts(values: int) -> Array:
    """List every cut as the values on its right: (cuts, values)."""
    return np.triu(np.ones((values, values)), 1)[:-1]


@cache
def _list_subsets(values: int) -> Array:
    """List every parting of the values in two, the first on the left: (subsets, values)."""
    numbers = np.arange(1, 1 << (values - 1))
    bits = numbers[:, None] >> np.arange(values - 1) & 1
    return np.concatenate([np.zeros((len(numbers), 1)), bits], axis=1)


def _order_by_commonest(counts: Array) -> Indices:
    """Order the values of each node by the share that its commonest class has among them."""
    commonest = counts.sum(axis=2).argmax(axis=1)
    ours = np.take_along_axis(counts, commonest[:, None, None], axis=1)[:, 0]
    sizes = counts.sum(axis=1)
    share = np.divide(ours, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    return np.argsort(share, axis=1, kind="stable")
