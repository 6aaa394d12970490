"""People are of a few kinds, and each kind reports in its own way: one likelihood for all models.

    P(report | design s) = Σ_kind P(kind) · B_s[report, kind]

An honest yes reports by the design's channel, M_s[report, yes]; who refuses says no whatever the
coin says; who does not read says anything. The shares of the kinds are fitted by maximum likelihood
to the reports under all designs together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from confide.arrays import Array
from confide.compliance.compliance_result import Fit
from confide.crowd import Estimate

_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class DesignSample:
    """The reports under one design.

    Parameters
    ----------
    behaviour : array of shape (reports, kinds)
        The probability of each report from each kind of people.
    counts : array of shape (reports,)
        How often each report came in.
    """

    behaviour: Array
    counts: Array

    def expect(self, shares: Array) -> Array:
        """The shares of the reports, from those of the kinds."""
        return self.behaviour @ shares

    def expect_transposed(self, values: Array) -> Array:
        """For each kind the mean of a number that every report has."""
        return self.behaviour.T @ values


@dataclass(frozen=True, eq=False)
class KindShares:
    """The most likely shares of the kinds, with what chance does to them.

    Parameters
    ----------
    shares : array
        One a kind.
    covariance : array
        Of the shares; what the designs cannot tell apart is left out of it.
    told : array
        The combinations of shares that the designs can tell, one per row.
    n : int
        The number of reports.
    fit : Fit
        How well they fit.
    """

    shares: Array
    covariance: Array
    told: Array
    n: int
    fit: Fit

    def estimate(self, members: Sequence[int]) -> Estimate | None:
        """The share of some kinds together; None where the designs cannot tell it."""
        chosen = self._indicate(members)
        rest = chosen - chosen.mean()  # shares add up to one, so a common part says nothing
        rest = rest - self.told.T @ (self.told @ rest)
        if np.abs(rest).max() > 1e-6:
            return None
        return Estimate(float(chosen @ self.shares), self.error(chosen), self.n)

    def bound(self, least: Sequence[int], most: Sequence[int]) -> tuple[float, float]:
        """The lowest share of some kinds and the highest of others that would fit as well.

        All shares that give the same reports fit alike; the ends are found among them by linear
        programming. Where the designs tell all kinds apart there are no others.
        """
        return self._find_end(least, 1), self._find_end(most, -1)

    def _find_end(self, members: Sequence[int], sign: int) -> float:
        """The lowest share of some kinds that would fit as well; the highest, if sign is −1."""
        told = self.estimate(members)
        if told is not None:
            return told.value
        from scipy.optimize import linprog  # slow to import: on use

        kept = np.vstack([self.told, np.ones(len(self.shares))])
        wanted = sign * self._indicate(members)
        found = linprog(wanted, A_eq=kept, b_eq=kept @ self.shares, bounds=(0, 1))
        return min(max(sign * float(found.fun), 0.0), 1.0)

    def _indicate(self, members: Sequence[int]) -> Array:
        chosen = np.zeros(len(self.shares))
        chosen[list(members)] = 1
        return chosen

    def error(self, slope: Array) -> float:
        """The standard error of a number that follows from the shares by a slope."""
        return float(np.sqrt(max(float(slope @ self.covariance @ slope), 0.0)))


def fit_kinds(samples: Sequence[DesignSample]) -> KindShares:
    """Fit the shares of the kinds to all samples."""
    from confide.estimators.expectation_maximisation import maximise
    from confide.estimators.share_likelihood import ObservedShares

    kinds = samples[0].behaviour.shape[1]
    n = sum(sample.counts.sum() for sample in samples)
    observed = [
        ObservedShares(sample.expect, sample.expect_transposed, sample.counts / n)
        for sample in samples
    ]
    shares = maximise(observed, np.full(kinds, 1 / kinds))
    covariance, told = _spread(samples, shares)
    free = sum(_count_possible(sample) - 1 for sample in samples) - len(told)
    return KindShares(shares, covariance, told, round(float(n)), _judge(samples, shares, free))


def _spread(samples: Sequence[DesignSample], shares: Array) -> tuple[Array, Array]:
    """The covariance of the shares, which add up to one, and the directions that reports tell."""
    kinds = len(shares)
    level = np.eye(kinds) - 1 / kinds
    information = np.zeros((kinds, kinds))
    for sample in samples:
        moved = sample.behaviour @ level
        expected = np.maximum(sample.expect(shares), 1e-12)
        information += sample.counts.sum() * (moved.T / expected) @ moved
    values, vectors = np.linalg.eigh(information)
    known = values > _SAME * values.max()
    told = vectors[:, known].T
    return (told.T / values[known]) @ told, told


def _count_possible(sample: DesignSample) -> int:
    """How many reports a sample can have."""
    return int((sample.behaviour.max(axis=1) > 0).sum())


def _judge(samples: Sequence[DesignSample], shares: Array, free: int) -> Fit:
    from scipy.special import gammaincc

    g2 = 0.0
    for sample in samples:
        expected = sample.expect(shares) * sample.counts.sum()
        seen = sample.counts > 0
        g2 += 2 * float(sample.counts[seen] @ np.log(sample.counts[seen] / expected[seen]))
    g2 = max(g2, 0.0)
    return Fit(g2, free, float(gammaincc(free / 2, g2 / 2)) if free > 0 else 1.0)
