"""People are of a few kinds, and each kind reports in its own way: one likelihood for all models.

    P(report | design s) = Σ_kind P(kind) · B_s[report, kind]

An honest yes reports by the design's channel, M_s[report, yes]; who refuses says no whatever the
coin says; who does not read says anything. The shares of the kinds are fitted by maximum likelihood
to the reports under all designs together. People who were not drawn alike count by their weights (a
pseudo-likelihood), and the errors are those of such a sample (Binder 1983).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from confide.arrays import Z95, Array
from confide.compliance.compliance_result import Fit
from confide.compliance.design_sample import DesignSample
from confide.compliance.goodness_of_fit import judge_fit, tell_apart
from confide.compliance.kind_intervals import KindInterval
from confide.crowd import Estimate


@dataclass(frozen=True, eq=False)
class KindShares:
    """The most likely shares of the kinds, with what chance does to them.

    Parameters
    ----------
    samples : sequence of DesignSample
        The reports that they were fitted to.
    shares : array
        One a kind.
    information, covariance : arrays
        Of the shares: as reports of people drawn alike would have it, and as they were drawn. What
        the designs cannot tell apart is left out.
    told : array
        The combinations of shares that the designs can tell, one per row.
    fit : Fit
        How well they fit.
    """

    samples: Sequence[DesignSample]
    shares: Array
    information: Array
    covariance: Array
    told: Array
    fit: Fit

    @property
    def n(self) -> int:
        """The number of reports."""
        return sum(sample.reports for sample in self.samples)

    def estimate(self, members: Sequence[int]) -> Estimate | None:
        """The share of some kinds together; None where the designs cannot tell it."""
        chosen = self._indicate(members)
        rest = chosen - chosen.mean()  # shares add up to one, so a common part says nothing
        rest = rest - self.told.T @ (self.told @ rest)
        if np.abs(rest).max() > 1e-6:
            return None
        others = [kind for kind in range(len(chosen)) if kind not in members]
        return self._infer(float(chosen @ self.shares), chosen, members, others)

    def estimate_within(self, member: int, other: int) -> Estimate:
        """The share of one kind among two, its error by the delta method."""
        both = self.shares[member] + self.shares[other]
        value = self.shares[member] / both
        slope = np.zeros(len(self.shares))
        slope[[member, other]] = (1 - value) / both, -value / both
        return self._infer(float(value), slope, [member], [other])

    def _infer(
        self, value: float, slope: Array, members: Sequence[int], others: Sequence[int]
    ) -> Estimate:
        """A share that follows from those of the kinds by a slope, with its error and interval."""
        error, alike = (
            sqrt(max(float(slope @ spread @ slope), 0.0))
            for spread in (self.covariance, self.information)
        )
        worth = (alike / error) ** 2 / self._stretch()
        interval = KindInterval(
            tuple(sample.behaviour for sample in self.samples),
            tuple(sample.counts * worth for sample in self.samples),
            tuple(members),
            tuple(others),
            value,
            error,
        )
        return Estimate(value, error, self.n, how=interval)

    def _stretch(self) -> float:
        """(t/z)² at 95 %: by how much few clusters make an interval's variance larger."""
        from scipy.special import stdtrit

        drawn = [sample.drawn for sample in self.samples]
        freedom = sum(inf if each is None else each.freedom_of_means for each in drawn)
        return 1.0 if freedom == inf else float((stdtrit(freedom, 0.975) / Z95) ** 2)

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
    told, values = tell_apart(samples, shares)
    information = (told.T / values) @ told
    covariance = information
    if any(sample.drawn is not None for sample in samples):
        covariance = information @ _vary_scores(samples, shares) @ information
    return KindShares(samples, shares, information, covariance, told, judge_fit(samples, shares))


def _vary_scores(samples: Sequence[DesignSample], shares: Array) -> Array:
    """The covariance of the sum of all scores, as the people were drawn."""
    total = np.zeros((len(shares), len(shares)))
    for sample in samples:
        score = sample.counts.sum() * sample.behaviour / sample.expect_some(shares)[:, None]
        total += score.T @ sample.vary(shares) @ score
    return total
