"""Whether people do as a model has it: G², for samples drawn in any way."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.arrays import Array
from confide.compliance.compliance_result import Fit
from confide.compliance.design_sample import DesignSample

_SAME = 1e-9
_NONE = 1e-6  # a share that is none


def tell_apart(samples: Sequence[DesignSample], shares: Array) -> tuple[Array, Array]:
    """The combinations of shares that the designs can tell, one per row, and what is known of each.

    Shares add up to one, so a common part of all says nothing.
    """
    kinds = len(shares)
    level = np.eye(kinds) - 1 / kinds
    information = np.zeros((kinds, kinds))
    for sample in samples:
        moved = sample.behaviour @ level
        information += sample.counts.sum() * (moved.T / sample.expect_some(shares)) @ moved
    values, vectors = np.linalg.eigh(information)
    known = values > _SAME * values.max()
    return vectors[:, known].T, values[known]


def judge_fit(samples: Sequence[DesignSample], shares: Array) -> Fit:
    """Compare the reports that came in with those that the most likely shares lead to.

    A share that is pressed against 0 is not free, and counts as a degree of freedom more. That is
    on the safe side: the exact distribution of G² has as many or fewer.
    """
    from scipy.special import gammaincc

    g2, possible = 0.0, 0
    for sample in samples:
        expected = sample.expect(shares) * sample.counts.sum()
        seen = sample.counts > 0
        g2 += 2 * float(sample.counts[seen] @ np.log(sample.counts[seen] / expected[seen]))
        possible += int((sample.behaviour.max(axis=1) > 0).sum()) - 1
    free = _free_directions(samples, shares)
    degrees = possible - free.shape[1]
    if degrees > 0:
        g2 /= _design_effect(samples, shares, free, degrees)
    g2 = max(g2, 0.0)
    return Fit(g2, degrees, float(gammaincc(degrees / 2, g2 / 2)) if degrees > 0 else 1.0)


def _free_directions(samples: Sequence[DesignSample], shares: Array) -> Array:
    """The ways, one per column, in which shares that are not 0 can move the reports."""
    some = shares > _NONE
    level = np.eye(some.sum()) - 1 / some.sum()
    moved = np.concatenate([sample.behaviour[:, some] for sample in samples]) @ level
    left, size, _ = np.linalg.svd(moved, full_matrices=False)
    return np.asarray(left[:, size > 1e-7])


def _design_effect(
    samples: Sequence[DesignSample], shares: Array, free: Array, degrees: int
) -> float:
    """By how much the way people were drawn makes G² larger on average (Rao and Scott 1984)."""
    if all(sample.drawn is None for sample in samples):
        return 1.0
    weight = np.concatenate([each.counts.sum() / each.expect_some(shares) for each in samples])
    pulled = weight[:, None] * free
    rest = np.diag(weight) - pulled @ np.linalg.inv(free.T @ pulled) @ pulled.T
    total, start = 0.0, 0
    for sample in samples:
        end = start + len(sample.counts)
        total += float(np.trace(rest[start:end, start:end] @ sample.vary(shares)))
        start = end
    return total / degrees
