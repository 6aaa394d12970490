"""Intervals of shares by inverting the score test through the channel.

A share p0 is within the interval where the reports do not contradict it. Under it the mean of
a − p0·b is 0 (`weight_moments`), and its variance is the one that p0 itself implies, not the one
that happened to be observed: that is what makes the interval hold at 0, with few reports and near
θ = ½, where ± 1.96 standard errors do not.

- The implied moments are those of the reports after a tilt, linear in the weight, that brings their
  mean to 0. For one yes-no question that is exact: Wilson's interval carried through the channel.
- Before the tilt five made-up people join the reports, half with the event and half without, as
  Agresti and Coull add two successes and two failures: reports that are all alike are not exact.
  They count for the variance only, never for the value.
- Sums of weights are skewed where few reports carry much weight. The tails are those of the
  distribution with this skewness (Pearson's type III, by Wilson and Hilferty's cube), where they
  are longer than the normal ones.
- The value is brought into [0, 1] before it is compared, so that the interval is never empty and
  never narrow because the value lies outside (Mandelkern and Schultz, 2000).
- Near a bound one tail is all there is: where no value could lie as far on the other side, the
  error that a level allows is all on this one, as Feldman and Cousins (1998) have it. So an
  interval at 0 covers 95 %, not 97.5 %. Where the tails are not known well, as few reports carry
  much of the weight or few clusters were drawn, both keep their part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import comb
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from confide.arrays import Z95, Array
from confide.estimators.weight_moments import WeightMoments

MADE_UP = 5
_STEPS = 45  # halvings of [0, 1]
_ROUNDING = 1e-12  # of the moments that are subtracted from each other
_DOUBT = 0.7
"""How much of the skewness counts against knowing the tails. With less, a question in the clear is
covered less than 93 % where hardly anybody has the answer; with more, many are more than 98 %."""
_LEAST = 0.05  # of the variance before the tilt: far away a linear tilt leaves less than none


@dataclass(frozen=True, eq=False)
class Sample:
    """One batch's moments, and those of made-up people under the same design.

    Parameters
    ----------
    observed, made_up : WeightMoments
        The moments.
    n : float or array
        The number of reports; where they were not drawn alike, as many as would tell as much about
        each cell.
    size : float, optional
        How much the batch counts beside others; left out, as many as there are reports.
    stretch : float or array
        By how much the variance is larger for an interval, where few clusters were drawn, or where
        few reports carry much of the weight.
    """

    observed: WeightMoments
    made_up: WeightMoments
    n: float | Array
    size: float | None = None
    stretch: float | Array = 1.0

    def power(self, exponent: int, share: Array) -> Array:
        """E (a − share·b)ⁱ among the reports."""
        return _expand(self.observed.moment, exponent, share)

    def imply_moments(self, share: Array) -> tuple[Array, Array]:
        """The second and third moment of a − share·b that the share itself implies."""
        m1, m2, m3, m4 = (_expand(self._smooth_moment, i, share) for i in (1, 2, 3, 4))
        rounding = _ROUNDING * self._smooth_moment(0, 2)
        tilt = m1 / np.maximum(m2 - m1**2, rounding)
        second = m2 - tilt * (m3 - m1 * m2)
        return np.maximum(second, np.maximum(_LEAST * m2, rounding)), m3 - tilt * (m4 - m1 * m3)

    def stretch_by_tails(self, share: Array) -> Sample:
        """The same sample with more variance where few reports carry much of the weight.

        If there are two weights, as for one yes-no question, their variance follows from the share.
        If there are many it must be learned from the reports, and one that has not come in yet may
        weigh more than all others. Kurtosis − skewness² − 1 is 0 for two weights alone (Pearson
        1916); n divided by twice as much are the degrees of freedom. Weights that do not vary have
        no tails.
        """
        from scipy.special import stdtrit

        second, third, fourth = (_expand(self._smooth_moment, i, share) for i in (2, 3, 4))
        vary = second > _ROUNDING * self._smooth_moment(0, 2)
        scale = np.where(vary, second, 1.0)
        excess = np.where(vary, fourth / scale**2 - third**2 / scale**3 - 1, 0.0)
        freedom = (self.n + MADE_UP) / np.maximum(2 * excess, 1e-9)
        tails = stdtrit(np.maximum(freedom, 1.0), 0.975) / Z95
        return replace(self, stretch=self.stretch * np.asarray(tails) ** 2)

    def _smooth_moment(self, i: int, j: int) -> Array:
        total = self.n * self.observed.moment(i, j) + MADE_UP * self.made_up.moment(i, j)
        return np.asarray(total / (self.n + MADE_UP))


@dataclass(frozen=True, eq=False)
class ScoreTest:
    """The test of a share against what the reports say, for all cells of a table at once.

    Parameters
    ----------
    samples : sequence of Sample
        The batches.
    weights : array
        How much each batch counts; they add up to 1.
    """

    samples: Sequence[Sample]
    weights: Array

    def mean(self, i: int, j: int) -> Array:
        """The mean of the batches' moments E aⁱbʲ."""
        pairs = zip(self.weights, self.samples, strict=True)
        return np.asarray(sum(w * sample.observed.moment(i, j) for w, sample in pairs))

    def variance(self, share: Array) -> tuple[Array, Array]:
        """The variance and the third moment of the mean of a − share·b if the share is true."""
        second, third = np.zeros(()), np.zeros(())
        for weight, sample in zip(self.weights, self.samples, strict=True):
            square, cube = sample.imply_moments(share)
            second = second + weight**2 * square * sample.stretch / sample.n
            third = third + weight**3 * cube / sample.n**2
        return second, third

    def accepts(self, share: Array, level: float) -> NDArray[np.bool_]:
        """Whether the reports do not contradict a share, one for each cell."""
        variance, third = self.variance(share)
        deviation = np.sqrt(variance)
        skewness, total = third / deviation**3, self.mean(0, 1)
        known = self._know_tails(skewness)
        down, up = (
            _choose_reach(level, part * total / deviation, skew, known)
            for part, skew in ((1 - share, skewness), (share, -skewness))
        )
        low, high = -_tail(-skewness, down), _tail(skewness, up)
        apart = np.clip(self.mean(1, 0), 0, total) - share * total
        return np.asarray((apart >= low * deviation) & (apart <= high * deviation))

    def _know_tails(self, skewness: Array) -> Array:
        """How well the tails are known: from 0, as of a Poisson number of mean a half, to 1."""
        stretch = np.maximum.reduce([np.asarray(each.stretch) for each in self.samples])
        return np.asarray(np.clip(1 - _DOUBT * np.abs(skewness) - (stretch - 1), 0, 1))

    def ends(self, level: float) -> tuple[Array, Array]:
        """The ends of the intervals: the shares that are not contradicted, all within [0, 1]."""
        middle = (self.mean(1, 0) / self.mean(0, 1)).clip(0, 1)
        return self._search(level, middle, 0.0), self._search(level, middle, 1.0)

    def _search(self, level: float, inside: Array, end: float) -> Array:
        """Find by halving the last accepted share towards an end; the share inside is accepted."""
        far = np.full_like(inside, end)
        near = np.where(self.accepts(far, level), far, inside)
        for _ in range(_STEPS):
            middle = (near + far) / 2
            accepted = self.accepts(middle, level)
            near, far = np.where(accepted, middle, near), np.where(accepted, far, middle)
        return near


def _expand(moment: Callable[[int, int], Array], exponent: int, share: Array) -> Array:
    """E (a − share·b)ⁱ by the binomial theorem."""
    terms = (
        comb(exponent, j) * (-share) ** j * moment(exponent - j, j) for j in range(exponent + 1)
    )
    return np.asarray(sum(terms))


def _tail(skewness: Array, reach: Array | float) -> Array:
    """How far above its mean a sum with this skewness may lie, in standard deviations."""
    skewness = _away_from_none(skewness)
    cube = np.maximum(1 + skewness * reach / 6 - skewness**2 / 36, 0) ** 3
    return np.maximum(2 / skewness * (cube - 1), reach)


def _choose_reach(level: float, bound: Array, skewness: Array, known: Array) -> Array:
    """The normal quantile up to which a value is accepted on the side away from a bound.

    A value counts as rare by both tails where the other one can lie as far away, which is nearer
    than the bound; else by its own alone.

    Parameters
    ----------
    level : float
        The level of confidence.
    bound : array
        How far the bound is from the share, in standard deviations.
    skewness : array
        That of the sum towards the bound.
    known : array
        How well the tails are known, from 0 to 1.
    """
    both, one = (NormalDist().inv_cdf(each) for each in ((1 + level) / 2, level))
    skewness, far = _away_from_none(skewness), bound * (1 + _ROUNDING**0.5)
    quantile = 6 / skewness * (np.cbrt(1 + skewness * far / 2) - 1 + skewness**2 / 36)
    return np.clip(np.minimum(quantile, far), both - known * (both - one), both)


def _away_from_none(skewness: Array) -> Array:
    return np.where(np.abs(skewness) < 1e-4, 1e-4, skewness)
