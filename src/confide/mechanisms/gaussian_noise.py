"""Noise from the normal distribution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, pi, sqrt
from statistics import NormalDist
from typing import ClassVar, Self

import numpy as np

from confide.arrays import Array
from confide.files import Json
from confide.mechanisms.asked import Asked
from confide.mechanisms.number_mechanism import Noise, one_number, read_positive


@dataclass(frozen=True, repr=False)
class GaussianNoise(Noise):
    """Report the number plus an amount from the normal distribution around 0.

    Parameters
    ----------
    deviation : float
        The papers' σ, in the question's unit.

    Notes
    -----
    *Privacy.* At confidence c the number lies in an interval of width 2·z·σ, with z the normal
    quantile of (1 + c)/2: 1.34σ, 3.92σ and 6.58σ at 50, 95 and 99.9 % (Table 1 of
    `agrawal-srikant-2000` prints 6.8σ for the last). Without a step there is no finite ε. With one
    the noise is cut off where reports are no longer told apart, and ε is the largest log-ratio of
    the weights it is drawn with: about (r + 6σ)·r/2σ² for a range r, and never more than 22.2,
    because the least weight is one of 2^32.

    *Utility.* A mean from n reports has the variance of the numbers plus σ², over n.

    Examples
    --------
    >>> round(GaussianNoise.for_privacy(1.0, span=60, confidence=0.95).deviation, 2)
    15.31
    """

    deviation: float
    kind: ClassVar[str] = "gaussian-noise"
    summary: ClassVar[str] = (
        "One number: reported plus an amount from the normal distribution around 0."
    )
    needed_keys: ClassVar[Json] = {
        "deviation": {
            "description": "The standard deviation of the amount, in the question's unit.",
            "$ref": "#/$defs/positive",
        },
    }
    bounded: ClassVar[bool] = False

    def __post_init__(self) -> None:
        value = read_positive(self.deviation, "deviation of GaussianNoise")
        object.__setattr__(self, "deviation", value)

    def parameters(self) -> Json:
        return {"deviation": self.deviation}

    @classmethod
    def of_width(cls, width: float, confidence: float) -> Self:
        return cls(width / (2 * NormalDist().inv_cdf((1 + confidence) / 2)))

    def width(self, confidence: float) -> float:
        if confidence == 1:
            return inf
        return 2 * NormalDist().inv_cdf((1 + confidence) / 2) * self.deviation

    @property
    def reach(self) -> float:
        return 3 * self.deviation

    def quantile(self, chance: Array) -> Array:
        from scipy.special import ndtri  # a quarter of a second that few surveys need

        return np.asarray(ndtri(chance)) * self.deviation

    def cumulative(self, amount: Array) -> Array:
        from scipy.special import ndtr

        return np.asarray(ndtr(amount / self.deviation))

    def cumulative_integral(self, amount: Array) -> Array:
        from scipy.special import ndtr

        z = amount / self.deviation
        density = np.exp(-(z**2) / 2) / sqrt(2 * pi)
        return np.asarray(self.deviation * (z * ndtr(z) + density))

    def epsilon(self, asked: Sequence[Asked]) -> float:
        stepped = self.make_stepped_noise(one_number(asked))
        return inf if stepped is None else stepped.epsilon()
